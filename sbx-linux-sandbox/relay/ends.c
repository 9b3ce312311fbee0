#include "relay/ends.h"

#include "base/clock.h"
#include "base/memory.h"
#include "hosts/own_address.h"
#include "network/socket_address.h"
#include "relay/first_bytes.h"
#include "relay/near_end.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

/*
 * A caller that does not want to wait has other things to do; after this long it
 * goes on, and its socket stays as it is without us: on its way.
 */
#define STAND_STILL_MS 300
#define JOIN_MS        10000 /* for our own two ends to find each other */

/* ---- the near end ----------------------------------------------------------- */

static void near_ready(struct source *source, uint32_t events)
{
	struct connection *c =
	        (struct connection *)((char *)source - offsetof(struct connection, near));
	int fd = near_accept(c->near.fd, c->client);

	(void)events;
	if (fd < 0 && (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED))
		return;
	if (fd < 0) {
		connection_fail(c, ECONNABORTED);
		return;
	}
	loop_close(c->all->loop, &c->near);
	c->near = (struct source){.fd = fd};
	c->near_done = true;
	close(c->client);
	c->client = -1;
	connection_answer(c, c->waits_not ? EINPROGRESS : 0);
	c->reached->connections++;
	first_bytes_look(c);
}

/* The far end is there: the next try of the command's socket, within a second, succeeds. */
static void open_near(struct connection *c)
{
	c->deadline = now_ms() + JOIN_MS;
	if (near_wake_up(c->near.fd) < 0)
		connection_fail(c, ECONNABORTED);
}

void ends_begin_near(struct connection *c)
{
	int error;

	c->stage = NEAR;
	c->deadline = now_ms() + JOIN_MS;
	c->near = (struct source){.fd = near_listen(c->all->maker, &c->inside, c->port, true),
	                          .ready = near_ready};
	if (c->near.fd < 0) {
		connection_fail(c, errno == EADDRINUSE ? EADDRNOTAVAIL : ENETUNREACH);
		return;
	}
	error = !c->far_done && near_play_dead(c->near.fd) < 0
	                ? errno
	                : near_connect(c->client, c->near.fd);
	if (error || loop_watch(c->all->loop, &c->near, EPOLLIN) < 0) {
		connection_fail(c, error ? error : ENOBUFS);
		return;
	}
	if (c->far_done)
		near_ready(&c->near, EPOLLIN);
	else
		connection_answer(c, c->meanwhile);
}

/* ---- the far end ------------------------------------------------------------ */

static void begin_far(struct connection *c);

/* The client has one address for all of them, and cannot try the next by itself. */
static bool try_next(struct connection *c)
{
	if (!c->found || c->tried == c->found->count || c->stage != FAR)
		return false;
	loop_close(c->all->loop, &c->far);
	c->real = c->found->addresses[c->tried++];
	begin_far(c);
	return true;
}

static void far_ready(struct source *source, uint32_t events)
{
	struct connection *c =
	        (struct connection *)((char *)source - offsetof(struct connection, far));
	int error = 0;
	socklen_t len = sizeof(error);

	(void)events;
	if (getsockopt(source->fd, SOL_SOCKET, SO_ERROR, &error, &len) < 0)
		error = errno;
	if (error) {
		if (!try_next(c))
			connection_fail(c, error);
		return;
	}
	c->far_done = true;
	if (loop_watch(c->all->loop, &c->far, 0) < 0)
		connection_fail(c, ENOBUFS);
	else if (c->stage == FAR)
		ends_begin_near(c);
	else
		open_near(c);
}

/*
 * Whoever wants to hear of a silent far end, or to keep a router on the way from
 * forgetting the connection, has said so to a socket that ends here.
 */
static void keep_alive(int client, int far)
{
	static const struct {
		int level, option;
	} options[] = {
	        {SOL_SOCKET, SO_KEEPALIVE},      {IPPROTO_TCP, TCP_KEEPIDLE},
	        {IPPROTO_TCP, TCP_KEEPINTVL},    {IPPROTO_TCP, TCP_KEEPCNT},
	        {IPPROTO_TCP, TCP_USER_TIMEOUT},
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		int value;
		socklen_t len = sizeof(value);

		if (getsockopt(client, options[i].level, options[i].option, &value, &len) < 0 ||
		    setsockopt(far, options[i].level, options[i].option, &value, len) < 0)
			errno = 0;
	}
}

static void begin_far(struct connection *c)
{
	struct sockaddr_storage to;
	socklen_t len = socket_address(&c->real, c->port, &to);

	c->far = (struct source){
	        .fd = socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
	        .ready = far_ready};
	if (c->far.fd >= 0)
		keep_alive(c->client, c->far.fd);
	if (c->far.fd < 0 ||
	    (connect(c->far.fd, (struct sockaddr *)&to, len) < 0 && errno != EINPROGRESS) ||
	    loop_watch(c->all->loop, &c->far, EPOLLOUT) < 0) {
		int why = errno;

		if (!try_next(c))
			connection_fail(c, why);
	}
}

/* ---- a host that was asked about ------------------------------------------- */

static void resolved(void *who, const struct dns_answer *answer);

/* How long the caller would wait for the kernel, in ms: SO_SNDTIMEO bounds connect(). */
static long long patience(const struct connection *c)
{
	struct timeval time = {0};
	socklen_t size = sizeof(time);

	if (c->waits_not)
		return STAND_STILL_MS;
	if (getsockopt(c->client, SOL_SOCKET, SO_SNDTIMEO, &time, &size) < 0)
		return 0;
	return time.tv_sec * 1000LL + time.tv_usec / 1000;
}

void ends_begin(struct connection *c)
{
	if (is_unresolved(&c->real)) {
		c->stage = LOOKED_UP;
		upstream_ask(c->all->upstream, c->name, DNS_A, resolved, c);
		return;
	}
	c->stage = FAR;
	c->deadline = patience(c);
	c->deadline = c->deadline ? now_ms() + c->deadline : FOR_EVER;
	c->reached = reached_at(c->all->tell, c->host, c->port);
	begin_far(c);
}

/* Those that the name may lead to. */
static struct dns_answer *reachable(const struct connection *c, const struct dns_answer *answer)
{
	struct dns_answer *found = xmalloc(sizeof(*found));

	found->count = 0;
	for (size_t i = 0; answer->code == DNS_FINE && i < answer->count; i++) {
		const struct host_address *real = &answer->addresses[i];
		bool own = is_of_this_machine(c->all->put, real);
		enum host_verdict verdict = hosts_judge(c->all->hosts, c->name, real, own, c->port);

		if (verdict == HOST_ALLOWED)
			found->addresses[found->count++] = *real;
		else if (verdict == HOST_INTERNAL)
			tell_internal(c->all->tell, c->name, real);
	}
	return found;
}

static void resolved(void *who, const struct dns_answer *answer)
{
	struct connection *c = who;
	bool first = !c->found;

	free(c->found);
	c->found = reachable(c, answer);
	if (c->found->count == 0 && first && answer->code == DNS_FINE) {
		upstream_ask(c->all->upstream, c->name, DNS_AAAA, resolved, c);
	} else if (c->found->count == 0) {
		c->stage = FAR;
		connection_fail(c, EHOSTUNREACH);
	} else {
		c->real = c->found->addresses[0];
		c->tried = 1;
		ends_begin(c);
	}
}
