/*
 * One attempt at one system call.  A function gets its arguments (NULL
 * terminated), makes the call with as little around it as it can, and returns
 * what the kernel said: -1 with errno, or anything else for success.
 */
#ifndef ATTEMPT_H
#define ATTEMPT_H

struct attempt {
	const char *name;
	int arguments; /* at least this many */
	long (*call)(char **argv);
};

/* Each ends with a NULL name. */
extern const struct attempt file_attempts[];
extern const struct attempt kernel_attempts[];
extern const struct attempt process_attempts[];
extern const struct attempt socket_attempts[];

/* Value of a word in a table of words, or the number that it is. */
struct word {
	const char *word;
	int value;
};
int word_value(const struct word *words, const char *text);

/* Runs the attempt in a child: its result, or -1 with errno 1000 + signal. */
long in_child(long (*call)(char **argv), char **argv);

#define DIED_BY_SIGNAL 1000

#endif
