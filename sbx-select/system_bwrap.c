#include "system_bwrap.h"

#include "cleanup.h"
#include "error.h"
#include "spawn.h"
#include "trusted_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#define LIMIT_MS 2000

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/*
 * Runs argv and gives the first bytes of what it writes.  Its end, and not a
 * signal handler, is what we wait for: the pipe closes when it is gone.
 */
static int run(char *const *argv, char *text, size_t size)
{
	/* The probe is nobody's command; where the program is, and whose, is judged all the same.
	 */
	const struct could_write nobody = {0};
	struct trusted_program program;
	cleanup_free char **words = NULL;
	cleanup_close int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	char *envp[] = {NULL};
	struct error err = {0};
	size_t used = 0;
	int ends[2], status;
	long until = now_ms() + LIMIT_MS;
	bool ended = false;
	pid_t child;

	if (null < 0 || trusted_program_open(&program, "bwrap", SYSTEM_BWRAP, &nobody, &err) < 0)
		return -1;
	if (pipe_open(ends, &err) < 0) {
		trusted_program_close(&program);
		return -1;
	}
	words = trusted_program_argv(&program, argv);
	child = spawn(program.place, words, envp, null, ends[1], null, &err);
	trusted_program_close(&program);
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

bool system_bwrap_works(void)
{
	char *const argv[] = {(char[]){"bwrap"},     (char[]){"--unshare-user"},
	                      (char[]){"--ro-bind"}, (char[]){"/"},
	                      (char[]){"/"},         (char[]){"--"},
	                      (char[]){"/bin/true"}, NULL};
	char text[16];

	return run(argv, text, sizeof(text)) == 0;
}

bool system_bwrap_help(char *text, size_t size)
{
	char *const argv[] = {(char[]){"bwrap"}, (char[]){"--help"}, NULL};

	return run(argv, text, size) == 0;
}
