/*
 * Times the start of commands against each other.
 *
 *	clock [-b SCRIPT] ROUNDS COMMAND [ARG...] [::: COMMAND [ARG...]]...
 *
 * Every round starts each command once, in an order that turns, so that what
 * the machine does besides falls on all of them alike.  A first argument NAME:
 * of a command becomes its argv[0].  A script for sh is run before each, and is
 * not part of its time.  Prints, per command and in microseconds,
 *
 *	time INDEX MEDIAN QUARTILE1 QUARTILE3 FAILURES
 *	ratio INDEX MEDIAN QUARTILE1 QUARTILE3
 *
 * where a ratio is the time of the first command by that of this one, taken in
 * the same round.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COMMANDS_MAX = 16 };

extern char **environ;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Microseconds until the command has ended; *failed when it did not succeed. */
static double launch(char **argv, const posix_spawn_file_actions_t *quiet, int *failed)
{
	const char *path = argv[0];
	size_t length = strlen(path);
	char name[64];
	char *saved = argv[0];
	if (length > 1 && length < sizeof(name) && path[length - 1] == ':') {
		memcpy(name, path, length - 1);
		name[length - 1] = '\0';
		path = argv[1];
		argv++;
		saved = argv[0];
		argv[0] = name;
	}
	pid_t child;
	int status = 1;
	double begin = now();
	if (posix_spawnp(&child, path, quiet, NULL, argv, environ) != 0 ||
	    waitpid(child, &status, 0) != child || status != 0)
		*failed = 1;
	double end = now();
	argv[0] = saved;
	return end - begin;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void print_quartiles(const char *what, int index, const double *values, size_t count)
{
	double *sorted = malloc(count * sizeof(*sorted));
	if (!sorted)
		exit(1);
	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), ascending);
	printf("%s %d %.3f %.3f %.3f", what, index, sorted[count / 2], sorted[count / 4],
	       sorted[count * 3 / 4]);
	free(sorted);
}

int main(int argc, char **argv)
{
	char **commands[COMMANDS_MAX];
	double *times[COMMANDS_MAX];
	int failures[COMMANDS_MAX] = {0};
	int count = 0;
	const char *before = NULL;
	if (argc > 2 && strcmp(argv[1], "-b") == 0) {
		before = argv[2];
		argv += 2;
		argc -= 2;
	}
	size_t rounds = argc > 2 ? (size_t)strtoul(argv[1], NULL, 10) : 0;
	if (rounds == 0) {
		fprintf(stderr, "usage: clock [-b SCRIPT] ROUNDS COMMAND [ARG...] "
		                "[::: COMMAND [ARG...]]...\n");
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[i], ":::") == 0)
			argv[i] = NULL;
		else if ((i == 2 || !argv[i - 1]) && count < COMMANDS_MAX)
			commands[count++] = argv + i;
	}
	for (int i = 0; i < count; i++) {
		times[i] = calloc(rounds, sizeof(double));
		if (!times[i])
			return 1;
	}
	posix_spawn_file_actions_t quiet;
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);

	for (size_t round = 0; round < rounds; round++) {
		for (int i = 0; i < count; i++) {
			int which = (int)((round + (size_t)i) % (size_t)count);
			int failed = before && system(before) != 0;
			times[which][round] = launch(commands[which], &quiet, &failed);
			failures[which] += failed;
		}
	}
	for (int i = 0; i < count; i++) {
		print_quartiles("time", i, times[i], rounds);
		printf(" %d\n", failures[i]);
	}
	for (int i = 1; i < count; i++) {
		for (size_t round = 0; round < rounds; round++)
			times[i][round] = times[0][round] / times[i][round];
		print_quartiles("ratio", i, times[i], rounds);
		putchar('\n');
	}
	return 0;
}
