#include "limits.h"

#include <string.h>
#include <sys/resource.h>

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

/* The bytes and pointers of a vector; -1 when one string alone is too long. */
static int add(char *const *vector, const char *what, size_t *total, struct error *err)
{
	for (size_t i = 0; vector[i]; i++) {
		size_t len = strlen(vector[i]) + 1;

		if (len > STRING_MAX && strcmp(what, "argument") == 0)
			return error_set(err, EXIT_INPUT, "too-long",
			                 "argument %zu of the wrapped command has %zu bytes; the "
			                 "system takes %lu: pass it in a file or on stdin",
			                 i, len - 1, STRING_MAX - 1);
		if (len > STRING_MAX)
			return error_set(err, EXIT_INPUT, "too-long",
			                 "variable %.*s has %zu bytes; the system takes %lu: "
			                 "exclude it with shell_environment_policy",
			                 (int)strcspn(vector[i], "="), vector[i], len - 1,
			                 STRING_MAX - 1);
		*total += len + sizeof(char *);
	}
	return 0;
}

int limits_check(char *const *argv, char *const *env, struct error *err)
{
	size_t limit = total_limit(), total = 0;

	if (add(argv, "argument", &total, err) < 0 || add(env, "variable", &total, err) < 0)
		return -1;
	if (total > limit)
		return error_set(err, EXIT_INPUT, "too-long",
		                 "arguments and environment have %zu bytes; the system takes %zu: "
		                 "pass them in a file or on stdin",
		                 total, limit);
	return 0;
}
