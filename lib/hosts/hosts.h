/*
 * Which hosts may the command reach, and at which ports?
 *
 * Deny beats allow.  A name that is allowed does not lead to an address that
 * belongs to this machine or its neighbourhood: whoever answers for the name
 * could say any.  Such an address must be in the list itself.
 */
#ifndef SBX_HOSTS_HOSTS_H
#define SBX_HOSTS_HOSTS_H

#include "hosts/host_rule.h"

#include <jansson.h>

struct hosts {
	struct host_rule *rules;
	size_t count;
};

/* Each rule once. */
int hosts_add(struct hosts *hosts, const char *text, struct error *err);
void hosts_free(struct hosts *hosts);

/* A list of strings; `what` names it in a message. */
int hosts_get(const json_t *list, const char *what, struct hosts *hosts, struct error *err);
json_t *hosts_json(const struct hosts *hosts);

/* Whether the name has some port that may be connected to. */
bool hosts_know_name(const struct hosts *hosts, const char *name);

/*
 * Whether a name may lead to the address: it is public and not of this machine (`own`),
 * or listed, at some port.
 */
bool hosts_know_address(const struct hosts *hosts, const struct host_address *address, bool own);

/* Whether the list names this machine itself, as "localhost"; a pattern does not. */
bool hosts_name_localhost(const struct hosts *hosts, unsigned port);

enum host_verdict {
	HOST_ALLOWED,
	HOST_NOT_LISTED,
	HOST_DENIED,   /* by a rule of its own */
	HOST_INTERNAL, /* the name is listed and leads to an address that is not public */
};

/*
 * name: as the command asked for it, normal; NULL: the address itself.  own: it is one
 * of this machine's, whatever it looks like; see own_address.h.
 */
enum host_verdict hosts_judge(const struct hosts *hosts, const char *name,
                              const struct host_address *address, bool own, unsigned port);

/* Before the address is known. */
enum host_verdict hosts_judge_name(const struct hosts *hosts, const char *name, unsigned port);

/* Whether one rule of the list allows all that this one does. */
bool hosts_cover(const struct hosts *hosts, const struct host_rule *rule);

/* Of this machine, of a network that is not public, or of several at once. */
bool address_is_internal(const struct host_address *address);

#endif
