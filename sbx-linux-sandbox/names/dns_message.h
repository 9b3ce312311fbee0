/*
 * What does a message of DNS ask or answer, and how is one written?
 *
 * The bytes are anybody's: those of a query the command's, those of an answer
 * whoever's that serves the name.
 */
#ifndef SBX_LINUX_SANDBOX_NAMES_DNS_MESSAGE_H
#define SBX_LINUX_SANDBOX_NAMES_DNS_MESSAGE_H

#include "hosts/host_rule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DNS_PORT      53
#define DNS_QUERY_MAX 4096 /* longer ones are nobody's */
#define DNS_REPLY_MAX 512  /* what every client takes by UDP */
#define DNS_ADDRESSES 16   /* of one name; the others of an answer are left out */

enum dns_type {
	DNS_A = 1,
	DNS_CNAME = 5,
	DNS_PTR = 12,
	DNS_AAAA = 28,
};

enum dns_code {
	DNS_FINE = 0,
	DNS_MALFORMED = 1,
	DNS_FAILED = 2,
	DNS_NO_SUCH_NAME = 3,
	DNS_NOT_DONE = 4,
	DNS_REFUSED = 5,
};

struct dns_query {
	uint16_t type;
	bool internet;                       /* its class; no other is served */
	size_t end;                          /* of the question */
	char name[HOST_NAME_MAX_LENGTH + 1]; /* normal; "": no host can have it */
};

/* False: not a query that can be answered at all. */
bool dns_query_read(const uint8_t *bytes, size_t len, struct dns_query *query);

/* A reply under way, into DNS_REPLY_MAX bytes. */
struct dns_reply {
	uint8_t *bytes;
	size_t len;
	unsigned count;
};

/* Begins with the question as it was asked. */
void dns_reply_begin(struct dns_reply *reply, uint8_t *out, const uint8_t *query,
                     const struct dns_query *read, enum dns_code code);

/* Left out where there is no room. */
void dns_reply_address(struct dns_reply *reply, const struct host_address *address, uint32_t ttl);
void dns_reply_name(struct dns_reply *reply, const char *name, uint32_t ttl);

/* The length of a query for a normal name. */
size_t dns_query_write(uint8_t *out, uint16_t id, const char *name, uint16_t type);

struct dns_answer {
	enum dns_code code;
	bool cut; /* ask again by TCP */
	struct host_address addresses[DNS_ADDRESSES];
	size_t count;
	uint32_t ttl; /* the shortest on the way */
};

/*
 * The addresses of the name that was asked for, past its aliases.  False: not
 * an answer to this question.
 */
bool dns_answer_read(const uint8_t *bytes, size_t len, const uint8_t *query, size_t query_len,
                     struct dns_answer *answer);

/* "1.2.0.192.in-addr.arpa", "...ip6.arpa". */
bool dns_reverse_read(const char *name, struct host_address *address);

#endif
