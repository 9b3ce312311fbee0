#include "names/upstream.h"

#include "base/clock.h"
#include "base/memory.h"
#include "network/socket_address.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#define PATIENCE_MS  2000
#define ROUNDS       2 /* through all servers */
#define LIFE_LEAST_S 1
#define LIFE_MOST_S  3600
#define LIFE_NONE_S  5 /* of an answer without addresses */
#define ANSWER_MAX   65535

static const struct dns_answer failed = {.code = DNS_FAILED};

/* ---- what is known --------------------------------------------------------- */

static struct cached *place_for(struct upstream *u, const char *name, uint16_t type)
{
	struct cached *oldest = &u->cache[0];

	for (size_t i = 0; i < CACHE_MAX; i++) {
		struct cached *c = &u->cache[i];

		if (c->until && c->type == type && strcmp(c->name, name) == 0)
			return c;
		if (c->until < oldest->until)
			oldest = c;
	}
	return oldest;
}

static const struct cached *find(const struct upstream *u, const char *name, uint16_t type)
{
	long long now = now_ms();

	for (size_t i = 0; i < CACHE_MAX; i++)
		if (u->cache[i].until > now && u->cache[i].type == type &&
		    strcmp(u->cache[i].name, name) == 0)
			return &u->cache[i];
	return NULL;
}

static void remember(struct upstream *u, const struct question *q, const struct dns_answer *answer)
{
	struct cached *c = place_for(u, q->name, q->type);
	uint32_t life = answer->count == 0           ? LIFE_NONE_S
	                : answer->ttl < LIFE_LEAST_S ? LIFE_LEAST_S
	                : answer->ttl > LIFE_MOST_S  ? LIFE_MOST_S
	                                             : answer->ttl;

	if (answer->code != DNS_FINE && answer->code != DNS_NO_SUCH_NAME)
		return;
	strcpy(c->name, q->name);
	c->type = q->type;
	c->answer = *answer;
	c->until = now_ms() + life * 1000LL;
}

/* Of /etc/hosts: a name in it is not asked for, of whichever family its addresses are. */
static bool known_here(const struct name_servers *servers, const char *name, uint16_t type,
                       struct dns_answer *answer)
{
	bool known = false;

	*answer = (struct dns_answer){.code = DNS_FINE, .ttl = LIFE_MOST_S};
	for (size_t i = 0; i < servers->host_count; i++) {
		const struct known_host *host = &servers->hosts[i];

		if (strcmp(host->name, name) != 0)
			continue;
		known = true;
		if (host_address_is_four(&host->address) == (type == DNS_A) &&
		    answer->count < DNS_ADDRESSES)
			answer->addresses[answer->count++] = host->address;
	}
	return known;
}

/* ---- asking ---------------------------------------------------------------- */

static void conclude(struct question *q, const struct dns_answer *answer)
{
	struct waiter *waiters = q->waiters;

	loop_close(q->upstream->loop, &q->source);
	remember(q->upstream, q, answer);
	free(q->answer);
	q->answer = NULL;
	q->waiters = NULL;
	q->used = false;
	while (waiters) {
		struct waiter *next = waiters->next;

		if (waiters->answered)
			waiters->answered(waiters->who, answer);
		free(waiters);
		waiters = next;
	}
}

static void try_again(struct question *q);
static void ready(struct source *source, uint32_t events);

/* -1: not with this server. */
static int send_to(struct question *q, const struct host_address *server)
{
	struct sockaddr_storage to;
	socklen_t len = socket_address(server, DNS_PORT, &to);
	int type = (q->tcp ? SOCK_STREAM : SOCK_DGRAM) | SOCK_NONBLOCK | SOCK_CLOEXEC;

	q->source = (struct source){.fd = socket(to.ss_family, type, 0), .ready = ready};
	if (q->source.fd < 0)
		return -1;
	/* Connected, so that only the server's own answers arrive. */
	if ((connect(q->source.fd, (struct sockaddr *)&to, len) < 0 && errno != EINPROGRESS) ||
	    (!q->tcp && send(q->source.fd, q->query + 2, q->len, MSG_NOSIGNAL) < 0))
		return -1;
	return loop_watch(q->upstream->loop, &q->source, q->tcp ? EPOLLOUT : EPOLLIN);
}

static void try_again(struct question *q)
{
	const struct name_servers *servers = q->upstream->servers;
	uint16_t id;

	loop_close(q->upstream->loop, &q->source);
	while (q->tries < ROUNDS * servers->count) {
		const struct host_address *server = &servers->servers[q->tries++ % servers->count];

		if (getrandom(&id, sizeof(id), 0) != (ssize_t)sizeof(id))
			break;
		q->len = dns_query_write(q->query + 2, id, q->name, q->type);
		q->query[0] = (uint8_t)(q->len >> 8);
		q->query[1] = (uint8_t)q->len;
		q->got = 0;
		q->deadline = now_ms() + PATIENCE_MS;
		if (send_to(q, server) == 0)
			return;
		loop_close(q->upstream->loop, &q->source);
	}
	conclude(q, &failed);
}

static void by_tcp(struct question *q)
{
	q->tcp = true;
	q->tries--;
	if (!q->answer)
		q->answer = xmalloc(2 + ANSWER_MAX);
	try_again(q);
}

static void take(struct question *q, const uint8_t *bytes, size_t len)
{
	struct dns_answer answer;

	if (!dns_answer_read(bytes, len, q->query + 2, q->len, &answer)) {
		if (q->tcp)
			try_again(q);
		return; /* somebody else's; ours may still come */
	}
	if (answer.cut && !q->tcp)
		by_tcp(q);
	else if (answer.code != DNS_FINE && answer.code != DNS_NO_SUCH_NAME)
		try_again(q);
	else
		conclude(q, &answer);
}

static void read_tcp(struct question *q)
{
	size_t wanted = q->got < 2 ? 2 : 2U + ((size_t)q->answer[0] << 8 | q->answer[1]);
	ssize_t n = recv(q->source.fd, q->answer + q->got, wanted - q->got, 0);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		try_again(q);
		return;
	}
	q->got += (size_t)n;
	if (q->got > 2 && q->got == 2U + ((size_t)q->answer[0] << 8 | q->answer[1]))
		take(q, q->answer + 2, q->got - 2);
}

static void ready(struct source *source, uint32_t events)
{
	struct question *q = (struct question *)source;
	uint8_t bytes[4096];
	ssize_t n;

	if (q->tcp && (events & EPOLLOUT)) {
		if (send(source->fd, q->query, q->len + 2, MSG_NOSIGNAL) != (ssize_t)q->len + 2 ||
		    loop_watch(q->upstream->loop, source, EPOLLIN) < 0)
			try_again(q);
		return;
	}
	if (q->tcp) {
		read_tcp(q);
		return;
	}
	n = recv(source->fd, bytes, sizeof(bytes), 0);
	if (n >= 0)
		take(q, bytes, (size_t)n);
	else if (errno != EAGAIN && errno != EINTR)
		try_again(q);
}

static struct question *question_for(struct upstream *u, const char *name, uint16_t type, bool *new)
{
	struct question *free_one = NULL;

	*new = false;
	for (size_t i = 0; i < QUESTIONS_MAX; i++) {
		struct question *q = &u->questions[i];

		if (q->used && q->type == type && strcmp(q->name, name) == 0)
			return q;
		if (!q->used)
			free_one = q;
	}
	if (!free_one)
		return NULL;
	*new = true;
	*free_one = (struct question){.upstream = u, .used = true, .type = type, .source.fd = -1};
	strcpy(free_one->name, name);
	return free_one;
}

void upstream_ask(struct upstream *u, const char *name, uint16_t type, upstream_answered *answered,
                  void *who)
{
	const struct cached *cached = find(u, name, type);
	struct dns_answer here;
	struct question *q;
	struct waiter *waiter;
	bool new;

	if (known_here(u->servers, name, type, &here)) {
		answered(who, &here);
		return;
	}
	if (cached) {
		answered(who, &cached->answer);
		return;
	}
	q = question_for(u, name, type, &new);
	if (!q) {
		answered(who, &failed);
		return;
	}
	waiter = xmalloc(sizeof(*waiter));
	*waiter = (struct waiter){answered, who, q->waiters};
	q->waiters = waiter;
	if (new)
		try_again(q);
}

void upstream_forget(struct upstream *u, const void *who)
{
	for (size_t i = 0; i < QUESTIONS_MAX; i++)
		for (struct waiter *w = u->questions[i].waiters; w; w = w->next)
			if (w->who == who)
				w->answered = NULL;
}

int upstream_tick(struct upstream *u, long long now)
{
	long long next = -1;

	for (size_t i = 0; i < QUESTIONS_MAX; i++) {
		struct question *q = &u->questions[i];

		if (q->used && q->deadline <= now)
			try_again(q);
		if (q->used && (next < 0 || q->deadline - now < next))
			next = q->deadline > now ? q->deadline - now : 0;
	}
	return (int)next;
}
