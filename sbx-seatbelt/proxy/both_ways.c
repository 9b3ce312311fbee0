#include "proxy/both_ways.h"

#include "base/write_full.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool would_wait(void)
{
	return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

void both_ways_begin(struct both_ways *both, int client, int server, int stop)
{
	both->up.from = both->down.to = client;
	both->up.to = both->down.from = server;
	both->stop = stop;
}

static bool wants(const struct way *way)
{
	return !way->ended && way->at + way->len < WAY_BYTES;
}

static bool fill(struct way *way)
{
	ssize_t n =
	        read(way->from, way->bytes + way->at + way->len, WAY_BYTES - way->at - way->len);

	if (n < 0)
		return would_wait();
	way->ended = n == 0;
	way->len += (size_t)n;
	way->count += (uint64_t)n;
	return true;
}

static bool drain(struct way *way)
{
	while (way->len > 0) {
		ssize_t n = write(way->to, way->bytes + way->at, way->len);

		if (n < 0)
			return would_wait();
		way->at += (size_t)n;
		way->len -= (size_t)n;
	}
	way->at = 0;
	if (!way->ended || way->shut)
		return true;
	way->shut = true;
	return shutdown(way->to, SHUT_WR) == 0 || errno == ENOTCONN;
}

static short events(const struct way *in, const struct way *out)
{
	return (short)((wants(in) ? POLLIN : 0) | (out->len > 0 ? POLLOUT : 0));
}

/* What poll() cannot be told to leave out is told of without end. */
static int asked(int fd, short events)
{
	return events ? fd : -1;
}

static bool step(struct both_ways *both, bool pass_on)
{
	struct way *up = &both->up, *down = &both->down;
	short client = events(up, down), server = events(down, up);
	struct pollfd fds[] = {
	        {.fd = asked(up->from, client), .events = client},
	        {.fd = asked(down->from, server), .events = server},
	        {.fd = both->stop, .events = POLLIN},
	};

	if (poll(fds, 3, -1) < 0)
		return errno == EINTR;
	if (fds[2].revents)
		return false;
	if (fds[0].revents && wants(up) && !fill(up))
		return false;
	if (fds[1].revents && wants(down) && !fill(down))
		return false;
	return !pass_on || (drain(up) && drain(down));
}

static void reset(int fd)
{
	const struct linger at_once = {.l_onoff = 1};

	if (setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)) < 0)
		errno = 0;
}

bool way_pass(struct way *way, size_t len)
{
	if (write_full(way->to, way->bytes + way->at, len) < 0)
		return false;
	way->at += len;
	way->len -= len;
	return true;
}

bool both_ways_listen(struct both_ways *both)
{
	return step(both, false);
}

void both_ways_move(struct both_ways *both)
{
	bool fine = fcntl(both->up.from, F_SETFL, O_NONBLOCK) == 0 &&
	            fcntl(both->up.to, F_SETFL, O_NONBLOCK) == 0 && drain(&both->up) &&
	            drain(&both->down);

	while (fine && !(both->up.shut && both->down.shut))
		fine = step(both, true);
	if (fine)
		return;
	reset(both->up.from);
	reset(both->up.to);
}
