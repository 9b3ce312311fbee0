/*
 * Tries one system call and says what the kernel answered.
 *
 *	try socket inet stream   ->   socket EPERM
 *
 * Exit code 0 when the call succeeded, 1 when it failed, 2 on wrong usage.
 * It is static and calls the kernel directly, so that what a test sees is the
 * sandbox and not a library's fallback.
 */
#include "attempt/attempt.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct attempt *const tables[] = {file_attempts, kernel_attempts, process_attempts,
                                               socket_attempts};

int word_value(const struct word *words, const char *text)
{
	for (; words->word; words++)
		if (strcmp(words->word, text) == 0)
			return words->value;
	return (int)strtol(text, NULL, 0);
}

long in_child(long (*call)(char **argv), char **argv)
{
	int ends[2];
	if (pipe(ends) < 0)
		return -1;
	pid_t child = fork();
	if (child < 0)
		return -1;
	if (child == 0) {
		int answer = call(argv) < 0 ? errno : 0;
		_exit(write(ends[1], &answer, sizeof(answer)) != sizeof(answer));
	}
	close(ends[1]);
	int answer = 0;
	ssize_t got = read(ends[0], &answer, sizeof(answer));
	close(ends[0]);
	int status;
	if (waitpid(child, &status, 0) != child)
		return -1;
	if (WIFSIGNALED(status))
		answer = DIED_BY_SIGNAL + WTERMSIG(status);
	else if (got != sizeof(answer))
		answer = EPROTO;
	errno = answer;
	return answer ? -1 : 0;
}

static void report(const char *name, long result, int error)
{
	if (result >= 0)
		printf("%s ok\n", name);
	else if (error >= DIED_BY_SIGNAL)
		printf("%s SIG%s\n", name, sigabbrev_np(error - DIED_BY_SIGNAL));
	else
		printf("%s %s\n", name, strerrorname_np(error));
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(tables) / sizeof(*tables); i++) {
		for (const struct attempt *a = tables[i]; a->name; a++) {
			if (strcmp(a->name, argv[1]) != 0)
				continue;
			if (argc - 2 < a->arguments)
				break;
			long result = a->call(argv + 2);
			report(a->name, result, errno);
			fflush(stdout);
			/* A search for leaks starts a thread, which some calls forbid. */
			_exit(result < 0);
		}
	}
	fprintf(stderr, "usage: try CALL [ARG...]\n");
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		for (const struct attempt *a = tables[i]; a->name; a++)
			fprintf(stderr, "  %s (%d)\n", a->name, a->arguments);
	return 2;
}
