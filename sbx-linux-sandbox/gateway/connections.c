#include "gateway/connections.h"

#include "base/clock.h"
#include "base/memory.h"
#include "gateway/near_end.h"
#include "gateway/socket_address.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/*
 * A caller that does not want to wait has other things to do; after this long it
 * goes on, and its socket stays as it is without us: on its way.
 */
#define STAND_STILL_MS 300
#define JOIN_MS        10000 /* for our own two ends to find each other */
#define TLS_PORT       443

enum stage {
	ASKED,     /* somebody decides about the host */
	LOOKED_UP, /* its name has been allowed, and has no address yet */
	FAR,       /* the far end is being connected */
	NEAR,      /* the command's socket is */
	NAMING,    /* both are; the first bytes are looked at */
	MOVING,
};

struct connection {
	struct relay relay; /* first: it is what closed() gets */
	struct connections *all;
	struct connection *next, **link;
	struct buried grave;
	enum stage stage;
	struct source far, near; /* near: a listener, then what it accepted */
	int client;              /* the command's own socket, until it is connected */
	uint64_t id;
	bool answered, far_done, near_done, waits_not;
	bool local; /* to this machine itself, by its own address */
	long long deadline;
	char host[HOST_NAME_MAX_LENGTH + 1]; /* as reports have it */
	char name[HOST_NAME_MAX_LENGTH + 1]; /* that was asked for; "": an address */
	struct host_address real, inside;
	struct dns_answer *found; /* more addresses to try, of a name that was asked about */
	size_t tried;
	unsigned port;
	struct reached *reached;
	uint8_t *hello; /* the client's first bytes */
	size_t hello_len;
};

/* ---- the end ---------------------------------------------------------------- */

static void answer(struct connection *c, int error)
{
	struct seccomp_notif_resp response = {.id = c->id, .error = -error};

	if (c->answered)
		return;
	c->answered = true;
	/* Whoever asked may be gone. */
	while (ioctl(c->all->listener, SECCOMP_IOCTL_NOTIF_SEND, &response) < 0 && errno == EINTR)
		;
}

static void drop(struct connection *c)
{
	loop_close(c->all->loop, &c->far);
	loop_close(c->all->loop, &c->near);
	if (c->client >= 0)
		close(c->client);
	free(c->hello);
	free(c->found);
	if (c->stage == LOOKED_UP)
		upstream_forget(c->all->upstream, c);
	*c->link = c->next;
	if (c->next)
		c->next->link = c->link;
	c->all->count--;
	c->all->waiting -= c->stage <= NEAR;
	loop_bury(c->all->loop, c, &c->grave);
}

static void fail(struct connection *c, int error)
{
	answer(c, error);
	if (c->near_done)
		reset_socket(c->near.fd);
	if (c->far.fd >= 0)
		reset_socket(c->far.fd);
	drop(c);
}

static void relay_closed(struct relay *relay)
{
	drop((struct connection *)relay);
}

/* ---- both ends are there ---------------------------------------------------- */

static void move(struct connection *c)
{
	int near = c->near.fd, far = c->far.fd;

	/* The relay watches them now, by sources of its own. */
	if (loop_watch(c->all->loop, &c->near, 0) < 0 || loop_watch(c->all->loop, &c->far, 0) < 0) {
		fail(c, ECONNABORTED);
		return;
	}
	c->near.fd = c->far.fd = -1;
	c->stage = MOVING;
	c->relay.loop = c->all->loop;
	c->relay.closed = relay_closed;
	c->relay.halves[0].count = &c->reached->sent;
	c->relay.halves[1].count = &c->reached->received;
	relay_begin(&c->relay, near, far);
}

/* What the client has said so far goes on to the server, whole: its buffer is empty. */
static void pass_hello(struct connection *c)
{
	if (send(c->far.fd, c->hello, c->hello_len, MSG_DONTWAIT | MSG_NOSIGNAL) !=
	    (ssize_t)c->hello_len) {
		fail(c, ECONNABORTED);
		return;
	}
	c->reached->sent += c->hello_len;
	free(c->hello);
	c->hello = NULL;
	move(c);
}

static void judge_hello(struct connection *c)
{
	char name[HOST_NAME_MAX_LENGTH + 1];
	enum server_name found = server_name_read(c->hello, c->hello_len, name);

	if (found == SERVER_UNDECIDED && c->hello_len < SERVER_NAME_BYTES)
		return;
	if (found == SERVER_HIDDEN)
		c->reached->hidden = true;
	if (found == SERVER_UNDECIDED || found == SERVER_BROKEN ||
	    (found == SERVER_NAMED && strcmp(name, c->name) != 0)) {
		tell_name(c->all->tell, c->host, c->port, name);
		fail(c, ECONNABORTED);
		return;
	}
	pass_hello(c);
}

static void hello_ready(struct source *source, uint32_t events)
{
	struct connection *c =
	        (struct connection *)((char *)source - offsetof(struct connection, near));
	ssize_t n = recv(source->fd, c->hello + c->hello_len, SERVER_NAME_BYTES - c->hello_len,
	                 MSG_DONTWAIT);

	(void)events;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0) {
		fail(c, ECONNABORTED);
		return;
	}
	c->hello_len += (size_t)n;
	if (n > 0)
		judge_hello(c);
	else
		pass_hello(c); /* too little to name anybody; then the end */
}

/* The server may speak first: ssh on this port is not TLS. */
static void server_speaks(struct source *source, uint32_t events)
{
	struct connection *c =
	        (struct connection *)((char *)source - offsetof(struct connection, far));

	(void)events;
	pass_hello(c);
}

static void both_there(struct connection *c)
{
	c->all->waiting--;
	c->stage = NAMING;
	if (!c->all->check_names || c->port != TLS_PORT || !c->name[0]) {
		move(c);
		return;
	}
	c->hello = xmalloc(SERVER_NAME_BYTES);
	c->near.ready = hello_ready;
	c->far.ready = server_speaks;
	if (loop_watch(c->all->loop, &c->near, EPOLLIN) < 0 ||
	    loop_watch(c->all->loop, &c->far, EPOLLIN) < 0)
		fail(c, ECONNABORTED);
}

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
		fail(c, ECONNABORTED);
		return;
	}
	loop_close(c->all->loop, &c->near);
	c->near = (struct source){.fd = fd};
	c->near_done = true;
	close(c->client);
	c->client = -1;
	answer(c, c->waits_not ? EINPROGRESS : 0);
	c->reached->connections++;
	both_there(c);
}

/* The far end is there: the next try of the command's socket, within a second, succeeds. */
static void open_near(struct connection *c)
{
	c->deadline = now_ms() + JOIN_MS;
	if (near_wake_up(c->near.fd) < 0)
		fail(c, ECONNABORTED);
}

static void begin_near(struct connection *c)
{
	int error;

	c->stage = NEAR;
	c->deadline = now_ms() + JOIN_MS;
	c->near = (struct source){.fd = near_listen(c->all->maker, &c->inside, c->port, true),
	                          .ready = near_ready};
	if (c->near.fd < 0) {
		fail(c, errno == EADDRINUSE ? EADDRNOTAVAIL : ENETUNREACH);
		return;
	}
	error = !c->far_done && near_play_dead(c->near.fd) < 0
	                ? errno
	                : near_connect(c->client, c->near.fd);
	if (error || loop_watch(c->all->loop, &c->near, EPOLLIN) < 0) {
		fail(c, error ? error : ENOBUFS);
		return;
	}
	if (c->far_done)
		near_ready(&c->near, EPOLLIN);
	else
		answer(c, EINPROGRESS);
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
			fail(c, error);
		return;
	}
	c->far_done = true;
	if (loop_watch(c->all->loop, &c->far, 0) < 0)
		fail(c, ENOBUFS);
	else if (c->stage == FAR)
		begin_near(c);
	else
		open_near(c);
}

static void begin_far(struct connection *c)
{
	struct sockaddr_storage to;
	socklen_t len = socket_address(&c->real, c->port, &to);

	c->far = (struct source){
	        .fd = socket(to.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
	        .ready = far_ready};
	if (c->far.fd < 0 ||
	    (connect(c->far.fd, (struct sockaddr *)&to, len) < 0 && errno != EINPROGRESS) ||
	    loop_watch(c->all->loop, &c->far, EPOLLOUT) < 0) {
		int why = errno;

		if (!try_next(c))
			fail(c, why);
	}
}

/* ---- a host that was asked about ------------------------------------------- */

static void resolved(void *who, const struct dns_answer *answer);

static void proceed(struct connection *c)
{
	if (is_unresolved(&c->real)) {
		c->stage = LOOKED_UP;
		upstream_ask(c->all->upstream, c->name, DNS_A, resolved, c);
		return;
	}
	c->stage = FAR;
	c->deadline = now_ms() + STAND_STILL_MS;
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
		enum host_verdict verdict = hosts_judge(c->all->hosts, c->name, real, c->port);

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
		fail(c, EHOSTUNREACH);
	} else {
		c->real = c->found->addresses[0];
		c->tried = 1;
		proceed(c);
	}
}

/* A signal may have taken the caller away; if it comes again, it asks again. */
static bool still_waits(const struct connection *c)
{
	uint64_t id = c->id;

	return ioctl(c->all->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

void connections_decided(struct connections *all, const char *host, unsigned port, bool allowed)
{
	for (struct connection *c = all->first, *after; c; c = after) {
		after = c->next;
		if (c->stage != ASKED || c->port != port || strcmp(c->host, host) != 0)
			continue;
		if (!still_waits(c))
			drop(c);
		else if (allowed)
			proceed(c);
		else
			fail(c, EACCES);
	}
}

/* ---- a request -------------------------------------------------------------- */

/* connect() takes no address for this machine's. */
static void name_unspecified(struct host_address *address)
{
	static const struct host_address six = {{0}}, four = {.bytes = {[10] = 0xff, [11] = 0xff}};

	if (memcmp(address, &four, sizeof(four)) == 0)
		address->bytes[12] = 127;
	else if (memcmp(address, &six, sizeof(six)) != 0)
		return;
	address->bytes[15] = 1;
}

static bool is_loopback(const struct host_address *address)
{
	static const struct host_address six = {.bytes = {[15] = 1}};

	return memcmp(address, &six, sizeof(six)) == 0 ||
	       (host_address_is_four(address) && address->bytes[12] == 127);
}

/* By number, what is not public is not asked about: a name would not lead there either. */
static bool may_be_asked(const struct connection *c)
{
	return c->name[0] || !address_is_internal(&c->real);
}

/* An address that was asked for by number has one of ours as well. */
static int give_inside(struct connection *c, const struct synthetic *known)
{
	return known || synthetic_of(c->all->synthetics, "", &c->real, &c->inside) ? 0 : ENOBUFS;
}

/* 0, or the errno that the command gets. */
static int judge(struct connection *c, const struct gateway_request *request)
{
	const struct synthetic *known;
	char text[HOST_ADDRESS_TEXT];
	enum host_verdict verdict;

	if (!socket_address_read(&request->address, request->len, &c->inside, &c->port))
		return EAFNOSUPPORT;
	if (c->port == 0)
		return ECONNREFUSED;
	name_unspecified(&c->inside);
	c->local = is_loopback(&c->inside);
	if (c->local) {
		c->real = c->inside;
		strcpy(c->host, "localhost");
		return hosts_name_localhost(c->all->hosts, c->port) ? 0 : EACCES;
	}
	known = synthetic_find(c->all->synthetics, &c->inside);
	if (!known && is_synthetic(&c->inside))
		return EHOSTUNREACH; /* a number that nobody was given */
	c->real = known ? known->real : c->inside;
	strcpy(c->name, known ? known->name : "");
	host_address_text(&c->real, text);
	strcpy(c->host, c->name[0] ? c->name : text);
	verdict = is_unresolved(&c->real) ? hosts_judge_name(c->all->hosts, c->name, c->port)
	                                  : hosts_judge(c->all->hosts, c->name[0] ? c->name : NULL,
	                                                &c->real, c->port);
	if (verdict == HOST_NOT_LISTED && may_be_asked(c) &&
	    asked_about(c->all->asked, c->host, c->port, request->program)) {
		c->stage = ASKED;
		return give_inside(c, known);
	}
	if (verdict != HOST_ALLOWED) {
		if (verdict == HOST_INTERNAL)
			tell_internal(c->all->tell, c->name, &c->real);
		else
			tell_refused(c->all->tell, c->host, c->port, request->program);
		return EACCES;
	}
	return give_inside(c, known);
}

/* A socket that is connected, or listens, is not connected again. */
static int check_client(struct connection *c)
{
	struct tcp_info info = {0};
	socklen_t len = sizeof(info);
	int flags = fcntl(c->client, F_GETFL);

	if (flags < 0 || getsockopt(c->client, IPPROTO_TCP, TCP_INFO, &info, &len) < 0)
		return EINVAL;
	c->waits_not = flags & O_NONBLOCK;
	return info.tcpi_state == TCP_CLOSE      ? 0
	       : info.tcpi_state == TCP_SYN_SENT ? EALREADY
	                                         : EISCONN;
}

static bool stays_inside(struct connection *c)
{
	socklen_t size = sizeof(int);
	int error, fd = near_listen(c->all->maker, &c->inside, c->port, false);

	if (fd >= 0) {
		close(fd);
		return false;
	}
	if (errno != EADDRINUSE)
		return false;
	error = near_connect_to(c->client, &c->inside, c->port);
	/* It is decided within the call: nobody else is on the way. */
	if (!error && getsockopt(c->client, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
		error = errno;
	fail(c, error ? error : c->waits_not ? EINPROGRESS : 0);
	return true;
}

void connections_open(struct connections *all, const struct gateway_request *request, int client)
{
	struct connection *c = xcalloc(1, sizeof(*c));
	int error;

	*c = (struct connection){.all = all,
	                         .next = all->first,
	                         .link = &all->first,
	                         .far.fd = -1,
	                         .near.fd = -1,
	                         .client = client,
	                         .id = request->id,
	                         .stage = FAR};
	if (all->first)
		all->first->link = &c->next;
	all->first = c;
	all->count++;
	all->waiting++;
	error = all->count > all->max ? ENOBUFS : check_client(c);
	if (!error)
		error = judge(c, request);
	if (error) {
		fail(c, error);
		return;
	}
	/* What listens inside at the port of this machine is nearer. */
	if (c->local && stays_inside(c))
		return;
	if (c->stage != ASKED)
		proceed(c);
}

/* A blocking caller waits for the far end as long as the kernel does. */
static bool is_due(const struct connection *c)
{
	return c->stage == FAR ? c->waits_not : c->stage == NEAR && c->far_done;
}

int connections_tick(struct connections *all, long long now)
{
	long long next = -1;

	for (struct connection *c = all->waiting ? all->first : NULL, *after; c; c = after) {
		after = c->next;
		if (!is_due(c))
			continue;
		if (c->deadline > now) {
			if (next < 0 || c->deadline - now < next)
				next = c->deadline - now;
		} else if (c->stage == FAR) {
			begin_near(c);
		} else {
			fail(c, ETIMEDOUT);
		}
	}
	return (int)next;
}
