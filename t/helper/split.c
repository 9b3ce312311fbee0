/*
 * Splits scripts for the tests.  Reads scripts that end in NUL; for each one
 * writes "opaque" NUL, or "plain" NUL and then, for every command, how many
 * words it has, the words, and what joins it to the next: > (then), & (and),
 * | (pipe), o (or), . (the end); all ended by NUL.
 *
 * With --expect: only what a shell would execute, command by command, when a
 * command succeeds if and only if its words have an even number of bytes.
 *
 * With SBX_RECORD in the environment it is such a command: it appends its
 * words to that file.
 */
#include "command/split_script.c"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static size_t bytes_of(char *const *argv)
{
	size_t sum = 0;

	for (; *argv; argv++)
		sum += strlen(*argv);
	return sum;
}

static void put_words(char *const *argv)
{
	size_t n = 0;

	while (argv[n])
		n++;
	printf("%zu%c", n, 0);
	for (size_t i = 0; i < n; i++)
		printf("%s%c", argv[i], 0);
}

/* && and || have one precedence and join pipelines; the last of a pipe counts. */
static void put_executed(const struct script *s)
{
	enum joint before = JOINT_THEN;
	bool good = true;

	for (size_t i = 0; i < s->count;) {
		bool run = before == JOINT_AND ? good : before == JOINT_OR ? !good : true;
		size_t end = i;

		while (s->segments[end].joint == JOINT_PIPE)
			end++;
		for (size_t k = i; run && k <= end; k++)
			put_words(s->segments[k].argv);
		if (run)
			good = bytes_of(s->segments[end].argv) % 2 == 0;
		before = s->segments[end].joint;
		i = end + 1;
	}
}

static void put_all(const struct script *s)
{
	for (size_t i = 0; i < s->count; i++) {
		put_words(s->segments[i].argv);
		printf("%c%c", ".>&o|"[s->segments[i].joint], 0);
	}
}

static int record(const char *file, char **argv)
{
	int fd = open(file, O_WRONLY | O_APPEND | O_CLOEXEC);

	/* One write: the commands of a pipe record at the same time. */
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		return 3;
	put_words(argv);
	if (fflush(stdout) != 0)
		return 3;
	return (int)(bytes_of(argv) % 2);
}

int main(int argc, char **argv)
{
	const char *file = getenv("SBX_RECORD");
	bool expect = argc > 1 && strcmp(argv[1], "--expect") == 0;
	char *text = NULL;
	size_t room = 0;

	if (file)
		return record(file, argv);
	while (getdelim(&text, &room, '\0', stdin) > 0) {
		struct script script;

		if (!split(text, &script)) {
			printf("opaque%c", 0);
			continue;
		}
		printf("plain%c", 0);
		if (expect)
			put_executed(&script);
		else
			put_all(&script);
		printf("end%c", 0);
		script_free(&script);
	}
	free(text);
	return 0;
}
