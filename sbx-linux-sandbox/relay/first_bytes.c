#include "relay/first_bytes.h"

#include "base/memory.h"
#include "hosts/hello_again.h"
#include "hosts/server_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TLS_PORT 443
#define AT_ONCE  4096 /* more than most first messages: the other side gets it in one piece */

static void relay_closed(struct relay *relay)
{
	connection_drop((struct connection *)relay);
}

static void move(struct connection *c)
{
	int near = c->near.fd, far = c->far.fd;

	/* The relay watches them now, by sources of its own. */
	if (loop_watch(c->all->loop, &c->near, 0) < 0 || loop_watch(c->all->loop, &c->far, 0) < 0) {
		connection_fail(c, ECONNABORTED);
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

/* What is held for one side goes on to it, so many bytes: its buffer has room for all. */
static bool pass(struct connection *c, int to, struct held *held, size_t len, uint64_t *count)
{
	if (len == 0)
		return true;
	if (send(to, held->bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL) != (ssize_t)len) {
		connection_fail(c, ECONNABORTED);
		return false;
	}
	*count += len;
	held->len -= len;
	memmove(held->bytes, held->bytes + len, held->len);
	return true;
}

/* All of it, and whatever follows: nothing more is looked at. */
static void pass_all(struct connection *c)
{
	if (!pass(c, c->far.fd, &c->hello, c->hello.len, &c->reached->sent) ||
	    !pass(c, c->near.fd, &c->reply, c->reply.len, &c->reached->received))
		return;
	free(c->hello.bytes);
	free(c->reply.bytes);
	c->hello.bytes = c->reply.bytes = NULL;
	move(c);
}

static struct connection *of_near(struct source *source)
{
	return (struct connection *)((char *)source - offsetof(struct connection, near));
}

static struct connection *of_far(struct source *source)
{
	return (struct connection *)((char *)source - offsetof(struct connection, far));
}

static void near_gone(struct source *source, uint32_t events)
{
	(void)events;
	connection_fail(of_near(source), ECONNABORTED);
}

static void far_gone(struct source *source, uint32_t events)
{
	(void)events;
	connection_fail(of_far(source), ECONNABORTED);
}

/* The other side waits: what it says stays in its socket, and a reset is heard. */
static bool listen_to(struct connection *c, struct source *side,
                      void (*ready)(struct source *, uint32_t))
{
	struct source *other = side == &c->near ? &c->far : &c->near;

	side->ready = ready;
	other->ready = side == &c->near ? far_gone : near_gone;
	if (loop_watch(c->all->loop, other, EPOLLERR) == 0 &&
	    loop_watch(c->all->loop, side, EPOLLIN) == 0)
		return true;
	connection_fail(c, ECONNABORTED);
	return false;
}

/* 1: more; 0: the end; -1: nothing, or it has failed. */
static int hear(struct connection *c, int from, struct held *held)
{
	size_t room = SERVER_NAME_BYTES - held->len;
	ssize_t n =
	        recv(from, held->bytes + held->len, room < AT_ONCE ? room : AT_ONCE, MSG_DONTWAIT);

	if (n < 0) {
		if (errno != EAGAIN && errno != EINTR)
			connection_fail(c, ECONNABORTED);
		return -1;
	}
	held->len += (size_t)n;
	return n > 0;
}

static bool is_full(const struct held *held)
{
	return held->len == SERVER_NAME_BYTES;
}

static void reply_ready(struct source *source, uint32_t events);

static void judge_hello(struct connection *c)
{
	char name[HOST_NAME_MAX_LENGTH + 1];
	size_t end;
	enum server_name found =
	        c->again ? server_name_read_again(c->hello.bytes, c->hello.len, name, &end)
	                 : server_name_read(c->hello.bytes, c->hello.len, name, &end);

	if (found == SERVER_UNDECIDED && !is_full(&c->hello))
		return;
	if (found == SERVER_HIDDEN)
		c->reached->hidden = true;
	if (!server_name_agrees(found, name, c->name)) {
		tell_name(c->all->tell, c->host, c->port, name);
		connection_fail(c, ECONNABORTED);
	} else if (found == SERVER_NOT_TLS || c->again) {
		pass_all(c);
	} else if (pass(c, c->far.fd, &c->hello, end, &c->reached->sent)) {
		c->reply.bytes = xmalloc(SERVER_NAME_BYTES);
		listen_to(c, &c->far, reply_ready);
	}
}

static void hello_ready(struct source *source, uint32_t events)
{
	struct connection *c = of_near(source);
	int heard = hear(c, source->fd, &c->hello);

	(void)events;
	if (heard > 0)
		judge_hello(c);
	else if (heard == 0)
		pass_all(c); /* too little to name anybody; then the end */
}

/* What came before the server could ask for it was kept back. */
static void begin_again(struct connection *c)
{
	c->again = true;
	if (pass(c, c->near.fd, &c->reply, c->reply.len, &c->reached->received) &&
	    listen_to(c, &c->near, hello_ready) && c->hello.len > 0)
		judge_hello(c);
}

/* The server may want the client's first message again, and take the name in that one. */
static void reply_ready(struct source *source, uint32_t events)
{
	struct connection *c = of_far(source);
	int heard = hear(c, source->fd, &c->reply);
	enum hello_again again;

	(void)events;
	if (heard < 0)
		return;
	again = heard ? hello_again_wanted(c->reply.bytes, c->reply.len) : AGAIN_NO;
	if (again == AGAIN_NO)
		pass_all(c);
	else if (again == AGAIN_YES)
		begin_again(c);
	else if (is_full(&c->reply))
		connection_fail(c, ECONNABORTED);
}

/*
 * The server may speak first: ssh on this port is not TLS.  One that ends what has begun
 * like TLS has given up.
 */
static void server_speaks(struct source *source, uint32_t events)
{
	struct connection *c = of_far(source);

	(void)events;
	if (c->hello.len > 0)
		connection_fail(c, ECONNABORTED);
	else
		pass_all(c);
}

void first_bytes_look(struct connection *c)
{
	c->all->waiting--;
	c->stage = NAMING;
	if (!c->all->check_names || c->port != TLS_PORT || !c->name[0]) {
		move(c);
		return;
	}
	c->hello.bytes = xmalloc(SERVER_NAME_BYTES);
	c->near.ready = hello_ready;
	c->far.ready = server_speaks;
	if (loop_watch(c->all->loop, &c->near, EPOLLIN) < 0 ||
	    loop_watch(c->all->loop, &c->far, EPOLLIN) < 0)
		connection_fail(c, ECONNABORTED);
}
