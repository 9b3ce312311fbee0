#include "limits.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>

/* Linux: 32 pages for one string, counting its NUL; it is not adjustable. */
#define STRING_MAX (32UL * 4096)

/* Linux: a quarter of the stack limit, at least one string, at most 6 MiB. */
#define TOTAL_MAX (6UL << 20)

static size_t total_limit(void)
{
	struct rlimit stack;
	size_t limit = TOTAL_MAX;

	if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY &&
	    stack.rlim_cur / 4 < limit)
		limit = (size_t)(stack.rlim_cur / 4);
	return limit < STRING_MAX ? STRING_MAX : limit;
}

static size_t bytes(char *const *vector)
{
	size_t total = 0;

	for (size_t i = 0; vector[i]; i++)
		total += strlen(vector[i]) + 1 + sizeof(char *);
	return total;
}

/* The first string from this one on that alone is too long, or -1. */
static ssize_t too_long(char *const *vector, size_t first)
{
	for (size_t i = first; vector[i]; i++)
		if (strlen(vector[i]) >= STRING_MAX)
			return (ssize_t)i;
	return -1;
}

int limits_check(char *const *argv, size_t command, char *const *env, struct error *err)
{
	size_t limit = total_limit(), total = bytes(argv) + bytes(env);
	ssize_t i = too_long(argv, command);

	/* The helper's policy: sbx-run passes such a one in a file. */
	for (size_t word = 0; word < command; word++)
		if (strlen(argv[word]) >= STRING_MAX)
			total -= strlen(argv[word]);
	if (i >= 0)
		return error_set(err, EXIT_INPUT, "too-long",
		                 "command.argv[%zu]: has %zu bytes; the system takes %lu: pass it "
		                 "in a file or on stdin",
		                 (size_t)i - command, strlen(argv[i]), STRING_MAX - 1);
	i = too_long(env, 0);
	if (i >= 0)
		return error_set(err, EXIT_INPUT, "too-long",
		                 "variable %.*s: has %zu bytes; the system takes %lu: exclude it "
		                 "with shell_environment_policy",
		                 (int)strcspn(env[i], "="), env[i], strlen(env[i]), STRING_MAX - 1);
	if (total > limit)
		return error_set(err, EXIT_INPUT, "too-long",
		                 "arguments and environment have %zu bytes; the system takes %zu: "
		                 "pass them in a file or on stdin",
		                 total, limit);
	return 0;
}
