/*
 * Which addresses does a name have, outside?
 *
 * Asked once for the life of the answer, whoever asks inside meanwhile.
 */
#ifndef SBX_LINUX_SANDBOX_NAMES_UPSTREAM_H
#define SBX_LINUX_SANDBOX_NAMES_UPSTREAM_H

#include "names/dns_message.h"
#include "gateway/loop.h"
#include "names/name_servers.h"

#define QUESTIONS_MAX 640 /* under way at a time: of the resolver, and of connections */
#define CACHE_MAX     1024

/* Called once, maybe before upstream_ask() returns. */
typedef void upstream_answered(void *who, const struct dns_answer *answer);

struct waiter {
	upstream_answered *answered;
	void *who;
	struct waiter *next;
};

struct upstream;

struct question {
	struct source source; /* a socket; fd -1: free */
	struct upstream *upstream;
	char name[HOST_NAME_MAX_LENGTH + 1];
	uint16_t type;
	uint8_t query[2 + DNS_REPLY_MAX]; /* with its length before it, for TCP */
	size_t len;
	bool used, tcp;
	unsigned tries;
	long long deadline; /* ms */
	uint8_t *answer;    /* by TCP: what came so far */
	size_t got;
	struct waiter *waiters;
};

struct cached {
	char name[HOST_NAME_MAX_LENGTH + 1];
	uint16_t type;
	long long until; /* ms; 0: free */
	struct dns_answer answer;
};

struct upstream {
	struct loop *loop;
	const struct name_servers *servers;
	struct question questions[QUESTIONS_MAX];
	struct cached cache[CACHE_MAX];
};

/* The name is normal. */
void upstream_ask(struct upstream *upstream, const char *name, uint16_t type,
                  upstream_answered *answered, void *who);

/* Nobody answers any more. */
void upstream_forget(struct upstream *upstream, const void *who);

/* Asks again, or gives up; how many ms until it is to be called again, -1: not at all. */
int upstream_tick(struct upstream *upstream, long long now);

#endif
