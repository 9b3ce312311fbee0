#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 4, 0))) static void fill(struct error *err, int exit,
                                                       const char *code, const char *fmt,
                                                       va_list ap)
{
	err->exit = exit;
	snprintf(err->code, sizeof(err->code), "%s", code);
	vsnprintf(err->message, sizeof(err->message), fmt, ap);
}

int error_set(struct error *err, int exit, const char *code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(err, exit, code, fmt, ap);
	va_end(ap);
	return -1;
}

bool error_is_ours(int number)
{
	switch (number) {
	case EINTR:
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case ENOSYS:
		return true;
	case EPERM:
		/* macOS says so of directories that a person has closed to programs. */
#ifdef __linux__
		return true;
#endif
	default:
		return false;
	}
}

int error_system(struct error *err, const char *fmt, ...)
{
	int saved = errno;
	va_list ap;
	size_t used;

	va_start(ap, fmt);
	fill(err, EXIT_SYSTEM, "system", fmt, ap);
	va_end(ap);
	used = strlen(err->message);
	snprintf(err->message + used, sizeof(err->message) - used, ": %s", strerror(saved));
	errno = saved;
	return -1;
}
