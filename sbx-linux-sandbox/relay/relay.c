#include "relay/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define PIPE_BYTES 262144 /* asked for; a user who has many pipes gets less */
#define ROUNDS     16     /* before others have their turn */

void reset_socket(int fd)
{
	const struct linger at_once = {.l_onoff = 1};

	if (setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)) < 0)
		errno = 0;
}

static void half_close(struct half *half)
{
	for (int i = 0; i < 2; i++) {
		if (half->pipe[i] >= 0)
			close(half->pipe[i]);
		half->pipe[i] = -1;
	}
}

static void over(struct relay *r)
{
	for (int i = 0; i < 2; i++) {
		loop_close(r->loop, &r->ends[i].source);
		half_close(&r->halves[i]);
	}
	r->closed(r);
}

void relay_reset(struct relay *r)
{
	for (int i = 0; i < 2; i++)
		reset_socket(r->ends[i].source.fd);
	over(r);
}

static bool would_wait(void)
{
	return errno == EAGAIN || errno == EINTR;
}

static int half_open(struct half *half)
{
	if (half->pipe[0] >= 0)
		return 0;
	if (pipe2(half->pipe, O_CLOEXEC | O_NONBLOCK) < 0)
		return -1;
	if (fcntl(half->pipe[1], F_SETPIPE_SZ, PIPE_BYTES) < 0)
		errno = 0;
	return 0;
}

/*
 * splice() stops at a byte that is out of band, and finds nothing there: as at the
 * end, or as if there were nothing yet, which epoll would contradict for ever.
 */
static ssize_t take_urgent(struct half *half, int from, ssize_t found)
{
	int at_mark = 0;
	ssize_t n;

	if (ioctl(from, SIOCATMARK, &at_mark) < 0 || !at_mark)
		return found;
	n = recv(from, &half->byte, sizeof(half->byte), MSG_DONTWAIT);
	half->urgent = n > 0;
	return n;
}

/* From the socket into the pipe; -1: reset. */
static int fill(struct half *half, int from)
{
	ssize_t n;

	if (half->ended || half->in > 0)
		return 0;
	if (half_open(half) < 0)
		return -1;
	n = splice(from, NULL, half->pipe[1], NULL, PIPE_BYTES, SPLICE_F_NONBLOCK | SPLICE_F_MOVE);
	if (n == 0 || (n < 0 && would_wait() && half->marked))
		n = take_urgent(half, from, n);
	half->idle = n < 0;
	if (n < 0)
		return would_wait() ? 0 : -1;
	half->ended = n == 0;
	half->in += (size_t)n;
	*half->count += (uint64_t)n;
	return 0;
}

/* From the pipe into the socket; -1: reset. */
static int drain(struct half *half, int to)
{
	ssize_t n;

	if (half->in > 0) {
		n = half->urgent ? send(to, &half->byte, 1, MSG_OOB | MSG_DONTWAIT | MSG_NOSIGNAL)
		                 : splice(half->pipe[0], NULL, to, NULL, half->in,
		                          SPLICE_F_NONBLOCK | SPLICE_F_MOVE);
		if (n < 0)
			return would_wait() ? 0 : -1;
		half->in -= (size_t)n;
		half->urgent = false;
	}
	if (half->in > 0)
		return 0;
	if (half->ended && !half->shut) {
		half->shut = true;
		if (shutdown(to, SHUT_WR) < 0 && errno != ENOTCONN)
			return -1;
	}
	return 0;
}

static int wait_for_more(struct relay *r)
{
	for (int i = 0; i < 2; i++)
		if (r->halves[i].in == 0 && (r->halves[i].idle || r->halves[i].ended))
			half_close(&r->halves[i]);
	for (int i = 0; i < 2; i++) {
		const struct half *out = &r->halves[i], *in = &r->halves[1 - i];
		uint32_t events =
		        (!out->ended && out->in == 0 ? (uint32_t)(EPOLLIN | EPOLLPRI) : 0U) |
		        (in->in > 0 ? (uint32_t)EPOLLOUT : 0U);

		if (loop_watch(r->loop, &r->ends[i].source, events) < 0)
			return -1;
	}
	return 0;
}

/* As much as there is and the other side takes; -1: reset. */
static int pump(struct half *half, int from, int to)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (fill(half, from) < 0 || drain(half, to) < 0)
			return -1;
		if (half->idle || half->ended || half->in > 0)
			break;
	}
	return 0;
}

static void ready(struct source *source, uint32_t events)
{
	struct relay_end *end = (struct relay_end *)source;
	struct relay *r = end->relay;
	int me = end == &r->ends[1];

	r->halves[me].marked = events & EPOLLPRI;
	if (((events & (EPOLLIN | EPOLLPRI | EPOLLHUP | EPOLLERR)) &&
	     pump(&r->halves[me], source->fd, r->ends[1 - me].source.fd) < 0) ||
	    drain(&r->halves[1 - me], source->fd) < 0 || wait_for_more(r) < 0)
		relay_reset(r);
	else if (r->halves[0].shut && r->halves[1].shut)
		over(r);
}

void relay_begin(struct relay *r, int first, int second)
{
	const int one = 1;

	for (int i = 0; i < 2; i++) {
		int fd = i ? second : first;

		r->ends[i] = (struct relay_end){.source = {.fd = fd, .ready = ready}, .relay = r};
		r->halves[i].pipe[0] = r->halves[i].pipe[1] = -1;
		/*
		 * What is to be gathered was gathered by whoever wrote it; and what is out of
		 * band is read in its place among the others.
		 */
		if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) < 0 ||
		    setsockopt(fd, SOL_SOCKET, SO_OOBINLINE, &one, sizeof(one)) < 0)
			errno = 0;
	}
	if (wait_for_more(r) < 0)
		relay_reset(r);
}
