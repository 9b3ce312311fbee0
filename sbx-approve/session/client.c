#include "session/client.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "fs/path.h"
#include "process/this_kernel.h"
#include "session/other_end.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#define LATE_MS 1000 /* a program has answered, a person has not */

/* By the directory that was judged, where that can be said. */
static void name_socket(struct sockaddr_un *address, int directory, const char *path)
{
#ifdef __linux__
	snprintf(address->sun_path, sizeof(address->sun_path), "/proc/self/fd/%d%s", directory,
	         strrchr(path, '/'));
#else
	(void)directory;
	memcpy(address->sun_path, path, strlen(path) + 1);
#endif
}

int connect_in(int directory, const char *path, const struct timeval *limit)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	cleanup_close int fd = kernel_socket();

	name_socket(&address, directory, path);
	if (fd < 0 ||
	    (limit && setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, limit, sizeof(*limit)) < 0) ||
	    connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		return -1;
	return keep_fd(&fd);
}

int client_connect(const char *path, struct error *err)
{
	cleanup_close int directory = -1, fd = -1;

	if (!path_is_normal(path) || strlen(path) >= sizeof(((struct sockaddr_un *)0)->sun_path))
		return error_set(err, EXIT_INPUT, "bad-session",
		                 "SBX_SESSION: \"%s\": not the path of a session", path);
	directory = peer_directory(path, err);
	if (directory < 0)
		return -1;
	fd = connect_in(directory, path, NULL);
	if (fd < 0)
		return error_set(err, EXIT_SYSTEM,
		                 errno == ECONNREFUSED ? "no-answer" : "no-session",
		                 "SBX_SESSION: \"%s\": %s (unset SBX_SESSION to go on without a "
		                 "session)",
		                 path, strerror(errno));
	/* Who put another socket there would answer for everybody. */
	if (!peer_is_trusted(fd))
		return error_set(
		        err, EXIT_INPUT, "bad-session",
		        "SBX_SESSION: \"%s\": the process that answers is not a session of this "
		        "user, or runs in a sandbox; start a new session",
		        path);
	return keep_fd(&fd);
}

int message_send(int fd, const json_t *message)
{
	cleanup_free char *text = xjson(json_text_dump(message, JSON_COMPACT));
	size_t len = strlen(text), done = 0;

	text[len++] = '\n'; /* in place of the NUL */
	while (done < len) {
		ssize_t n = send(fd, text + done, len - done, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		done += (size_t)n;
	}
	return 0;
}

static int read_line(int fd, char **line, size_t *len)
{
	size_t room = 0;

	for (*len = 0;;) {
		ssize_t n;

		if (*len == room) {
			if (room >= MESSAGE_MAX)
				return -1;
			room = room ? room * 2 : 4096;
			*line = xrealloc_array(*line, room, 1);
		}
		n = recv(fd, *line + *len, room - *len, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		*len += (size_t)n;
		if ((*line)[*len - 1] == '\n')
			return 0;
	}
}

json_t *client_call(int fd, const json_t *message, struct error *err)
{
	return client_call_slow(fd, message, NULL, err);
}

json_t *client_call_slow(int fd, const json_t *message, void (*late)(void), struct error *err)
{
	struct pollfd reply = {.fd = fd, .events = POLLIN};
	cleanup_free char *line = NULL;
	json_t *answer = NULL;
	size_t len;
	bool sent = message_send(fd, message) == 0;

	if (sent && late && poll(&reply, 1, LATE_MS) == 0)
		late();
	if (sent && read_line(fd, &line, &len) == 0)
		answer = json_loadb(line, len, JSON_REJECT_DUPLICATES, NULL);
	if (json_is_object(answer))
		return answer;
	json_decref(answer);
	error_set(err, EXIT_SYSTEM, "no-session", "the session ended before it answered");
	return NULL;
}
