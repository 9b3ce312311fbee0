/*
 * Which host does a word of the list mean?
 *
 * NAME, *.NAME (below it, not itself), **.NAME (both), * (any name), an
 * address or a network (10.0.0.0/8, [fd00::/8]), each with :PORT[,PORT...] or
 * for every port; ! before it denies.  Anything that a program could take for
 * another address than we do is refused, not guessed at.
 */
#ifndef SBX_HOSTS_HOST_RULE_H
#define SBX_HOSTS_HOST_RULE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOST_NAME_MAX_LENGTH 253
#define HOST_LABEL_MAX       63
#define HOST_PORTS_MAX       32

/* Both families: an IPv4 address in its IPv6-mapped form, so that it has one form only. */
struct host_address {
	uint8_t bytes[16];
};

enum host_kind {
	HOST_NAME,
	HOST_BELOW,       /* *.NAME */
	HOST_AT_OR_BELOW, /* **.NAME */
	HOST_ANY_NAME,    /* * */
	HOST_NETWORK,     /* an address is a network of one */
};

struct host_rule {
	enum host_kind kind;
	bool deny;
	char name[HOST_NAME_MAX_LENGTH + 1]; /* in lower case, without the last dot */
	struct host_address address;
	unsigned prefix; /* bits of the address that count, of 128 */
	uint16_t ports[HOST_PORTS_MAX];
	size_t port_count; /* 0: every port */
};

int host_rule_parse(const char *text, struct host_rule *rule, struct error *err);

/* The one spelling of a rule, to be freed. */
char *host_rule_text(const struct host_rule *rule);

/* Port 0 is that of no rule that names some. */
bool host_rule_has_port(const struct host_rule *rule, unsigned port);
bool host_rule_has_name(const struct host_rule *rule, const char *name);
bool host_rule_has_address(const struct host_rule *rule, const struct host_address *address);

/*
 * A name as everybody compares it: letters in lower case, without the last
 * dot.  NULL, or why it is no host's name.
 */
const char *host_name_normal(const char *text, size_t len, char out[HOST_NAME_MAX_LENGTH + 1]);

/* "192.0.2.1", "2001:db8::1" and nothing else that inet_aton() would take. */
bool host_address_parse(const char *text, struct host_address *address);
bool host_address_is_four(const struct host_address *address);

/* As it is written in the list: IPv6 in brackets. */
#define HOST_ADDRESS_TEXT 48
void host_address_text(const struct host_address *address, char text[HOST_ADDRESS_TEXT]);

#endif
