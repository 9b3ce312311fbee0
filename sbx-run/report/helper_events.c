#include "report/helper_events.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int report_open(struct report *r, struct denials *denials, struct error *err)
{
	int ends[2];

	*r = (struct report){.fd = -1, .end = -1, .asks = xjson(json_array()), .denials = denials};
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return error_system(err, "making a socket pair for the sandbox helper");
	r->fd = ends[0];
	r->end = ends[1];
	if (fcntl(r->fd, F_SETFD, FD_CLOEXEC) < 0 || fcntl(r->end, F_SETFD, FD_CLOEXEC) < 0 ||
	    fcntl(r->fd, F_SETFL, O_NONBLOCK) < 0)
		return error_system(err, "setting up the socket of the sandbox helper");
	return 0;
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void report_started(struct report *r)
{
	close_end(&r->end);
}

void report_close(struct report *r)
{
	close_end(&r->end);
	close_end(&r->fd);
	free(r->line);
	json_decref(r->lost);
	json_decref(r->usage);
	json_decref(r->asks);
	*r = (struct report){.fd = -1, .end = -1};
}

void report_hang_up(const struct report *r)
{
	if (r->fd >= 0)
		shutdown(r->fd, SHUT_WR);
}

/* An exit that gives neither a code nor a signal is not one. */
static void take_exit(struct report *r, const json_t *event)
{
	const json_t *code = json_object_get(event, "code");
	const json_t *signal = json_object_get(event, "signal");
	json_int_t number = json_integer_value(json_is_integer(code) ? code : signal);

	if ((!json_is_integer(code) && !json_is_integer(signal)) || number < 0 || number > 255)
		return;
	r->exited = true;
	r->code = json_is_integer(code) ? (int)number : 0;
	r->signal = json_is_integer(code) ? 0 : (int)number;
}

static void take_lost(struct report *r, json_t *event)
{
	json_object_del(event, "event");
	if (!r->lost)
		r->lost = xjson(json_array());
	if (json_array_size(r->lost) < REPORT_LOST_MAX)
		json_array_append(r->lost, event);
}

/* The helper asks one at a time; the end of a line says which. */
static void take_ask(struct report *r, json_t *event)
{
	if (json_is_string(json_object_get(event, "host")) &&
	    json_is_integer(json_object_get(event, "port")))
		json_array_append(r->asks, event);
}

static void take_line(struct report *r)
{
	cleanup_json json_t *event = json_loadb(r->line, r->used, 0, NULL);
	const char *name = json_string_value(json_object_get(event, "event"));

	if (!name)
		return;
	if (strcmp(name, "started") == 0) {
		r->started = true;
	} else if (strcmp(name, "exit") == 0) {
		take_exit(r, event);
	} else if (strcmp(name, "lost") == 0) {
		take_lost(r, event);
	} else if (strcmp(name, "usage") == 0 && !r->usage) {
		json_object_del(event, "event");
		r->usage = json_incref(event);
	} else if (strcmp(name, "ask") == 0) {
		take_ask(r, event);
	} else {
		denials_take(r->denials, name, event);
	}
}

static void take_bytes(struct report *r, const char *bytes, size_t len)
{
	if (!r->line)
		r->line = xmalloc(REPORT_LINE_MAX);
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] == '\n') {
			if (!r->skipping)
				take_line(r);
			r->used = 0;
			r->skipping = false;
		} else if (r->used == REPORT_LINE_MAX) {
			r->skipping = true;
		} else {
			r->line[r->used++] = bytes[i];
		}
	}
}

void report_read(struct report *r)
{
	char buffer[4096];

	while (r->fd >= 0) {
		ssize_t n = read(r->fd, buffer, sizeof(buffer));

		if (n > 0)
			take_bytes(r, buffer, (size_t)n);
		else if (n < 0 && errno == EINTR)
			continue;
		else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		else
			close_end(&r->fd);
	}
}
