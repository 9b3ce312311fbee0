/*
 * Times commands against each other.
 *
 *	clock [-b SCRIPT] [-t TURNS] ROUNDS COMMAND [ARG...] [::: COMMAND [ARG...]]...
 *
 * Every round starts each command once, in an order that turns, so that what
 * the machine does besides falls on all of them alike.  A first argument NAME:
 * of a command becomes its argv[0].  A script for sh is run before each, and is
 * not part of its time.
 *
 * With turns, the commands of a round run beside each other and only one has
 * work at a time: it is sent a line, and what is timed is how long it takes to
 * answer with one.  So both see the same machine at nearly the same moment.
 * Start and end are not part of that; the script is run once a round.
 *
 * Prints, per command and in microseconds,
 *
 *	time INDEX MEDIAN QUARTILE1 QUARTILE3 FAILURES
 *	ratio INDEX MEDIAN QUARTILE1 QUARTILE3
 *
 * where a ratio is the time of the first command by that of this one, taken in
 * the same round, or turn.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COMMANDS_MAX = 16 };

struct command {
	char **argv;
	double *times;
	int failures;
	pid_t pid;
	int line; /* what its turns are told and answered through */
};

extern char **environ;

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Its stdin and stdout are the socket, or else nothing. */
static void start(struct command *command, int socket)
{
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	for (int fd = 0; fd < 2; fd++) {
		if (socket >= 0)
			posix_spawn_file_actions_adddup2(&actions, socket, fd);
		else
			posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
	}
	char **argv = command->argv, *first = argv[0], *path = first;
	size_t length = strlen(path);
	char name[64];
	if (length > 1 && length < sizeof(name) && path[length - 1] == ':') {
		memcpy(name, path, length - 1);
		name[length - 1] = '\0';
		first = path = *++argv;
		argv[0] = name;
	}
	if (posix_spawnp(&command->pid, path, &actions, NULL, argv, environ) != 0)
		command->pid = -1;
	argv[0] = first;
	posix_spawn_file_actions_destroy(&actions);
}

static void finish(struct command *command)
{
	int status = 1;
	if (command->pid < 0 || waitpid(command->pid, &status, 0) != command->pid || status != 0)
		command->failures++;
}

static void run_round(struct command *commands, size_t count, size_t round, const char *before)
{
	for (size_t i = 0; i < count; i++) {
		struct command *command = &commands[(round + i) % count];
		if (before && system(before) != 0)
			command->failures++;
		double begin = now();
		start(command, -1);
		finish(command);
		command->times[round] = now() - begin;
	}
}

static void take_turn(struct command *command, size_t sample)
{
	char answer = 0;
	double begin = now();
	if (send(command->line, "\n", 1, MSG_NOSIGNAL) != 1)
		command->failures++;
	while (answer != '\n')
		if (read(command->line, &answer, 1) != 1) {
			command->failures++;
			break;
		}
	command->times[sample] = now() - begin;
}

static void run_turns(struct command *commands, size_t count, size_t round, size_t turns,
                      const char *before)
{
	if (before && system(before) != 0)
		commands[0].failures++;
	for (size_t i = 0; i < count; i++) {
		int pair[2];
		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) {
			perror("clock: socketpair");
			exit(1);
		}
		commands[i].line = pair[0];
		start(&commands[i], pair[1]);
		close(pair[1]);
	}
	for (size_t turn = 0; turn < turns; turn++)
		for (size_t i = 0; i < count; i++)
			take_turn(&commands[(turn + i) % count], round * turns + turn);
	for (size_t i = 0; i < count; i++) {
		close(commands[i].line);
		finish(&commands[i]);
	}
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void print_quartiles(const char *what, size_t index, const double *values, size_t count)
{
	double *sorted = malloc(count * sizeof(*sorted));
	if (!sorted)
		exit(1);
	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), ascending);
	printf("%s %zu %.3f %.3f %.3f", what, index, sorted[count / 2], sorted[count / 4],
	       sorted[count * 3 / 4]);
	free(sorted);
}

int main(int argc, char **argv)
{
	struct command commands[COMMANDS_MAX] = {0};
	size_t count = 0, turns = 0, rounds = 0;
	const char *before = NULL;
	int option;
	while ((option = getopt(argc, argv, "+b:t:")) > 0) {
		if (option == 'b')
			before = optarg;
		else if (option == 't')
			turns = strtoul(optarg, NULL, 10);
		else
			return 2;
	}
	if (argc - optind > 1)
		rounds = strtoul(argv[optind++], NULL, 10);
	if (rounds == 0) {
		fprintf(stderr, "usage: clock [-b SCRIPT] [-t TURNS] ROUNDS COMMAND [ARG...] "
		                "[::: COMMAND [ARG...]]...\n");
		return 2;
	}
	for (int i = optind; i < argc; i++) {
		if (strcmp(argv[i], ":::") == 0)
			argv[i] = NULL;
		else if ((i == optind || !argv[i - 1]) && count < COMMANDS_MAX)
			commands[count++].argv = argv + i;
	}
	size_t samples = rounds * (turns ? turns : 1);
	for (size_t i = 0; i < count; i++) {
		commands[i].times = calloc(samples, sizeof(double));
		if (!commands[i].times)
			return 1;
	}
	for (size_t round = 0; round < rounds; round++) {
		if (turns)
			run_turns(commands, count, round, turns, before);
		else
			run_round(commands, count, round, before);
	}
	for (size_t i = 0; i < count; i++) {
		print_quartiles("time", i, commands[i].times, samples);
		printf(" %d\n", commands[i].failures);
	}
	for (size_t i = 1; i < count; i++) {
		for (size_t sample = 0; sample < samples; sample++)
			commands[i].times[sample] =
			        commands[0].times[sample] / commands[i].times[sample];
		print_quartiles("ratio", i, commands[i].times, samples);
		putchar('\n');
	}
	return 0;
}
