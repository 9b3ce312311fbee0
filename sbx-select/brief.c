#include "brief.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/error.h"
#include "process/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>

/*
 * Its end, and not a signal handler, is what we wait for: the pipe closes when
 * it is gone.
 */
int brief_run(const char *path, char *const *argv, char *const *envp, int stream, long limit_ms,
              char *text, size_t size)
{
	cleanup_close int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct error err = {0};
	size_t used = 0;
	int ends[2], status;
	long until = now_ms() + limit_ms;
	bool ended = false;
	pid_t child;

	if (null < 0 || pipe_open(ends, &err) < 0)
		return -1;
	child = spawn(path, argv, envp, null, stream == STDOUT_FILENO ? ends[1] : null,
	              stream == STDERR_FILENO ? ends[1] : null, &err);
	close(ends[1]);
	while (child > 0 && !ended) {
		struct pollfd p = {.fd = ends[0], .events = POLLIN};
		long left = until - now_ms();
		char scrap[4096];
		ssize_t n;

		if (left <= 0 || poll(&p, 1, (int)left) <= 0)
			break;
		n = used < size - 1 ? read(ends[0], text + used, size - 1 - used)
		                    : read(ends[0], scrap, sizeof(scrap));
		if (n <= 0)
			ended = n == 0 || errno != EINTR;
		else if (used < size - 1)
			used += (size_t)n;
	}
	text[used] = '\0';
	close(ends[0]);
	if (child <= 0)
		return -1;
	if (!ended)
		kill(child, SIGKILL);
	status = spawn_wait(child);
	return ended ? status : -1;
}
