#include "base/memory.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int exit_without_memory = EXIT_SYSTEM;

static void no_memory(void)
{
	static const char line[] = "sbx: out of memory\n";

	if (write(STDERR_FILENO, line, sizeof(line) - 1) < 0)
		_exit(exit_without_memory);
	_exit(exit_without_memory);
}

static void *checked(void *p)
{
	if (!p)
		no_memory();
	return p;
}

void *xmalloc(size_t size)
{
	return checked(malloc(size ? size : 1));
}

void *xcalloc(size_t count, size_t size)
{
	return checked(calloc(count, size));
}

void *xrealloc_array(void *p, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		no_memory();
	return checked(realloc(p, count && size ? count * size : 1));
}

char *xstrdup(const char *s)
{
	return checked(strdup(s));
}

char *xstrndup(const char *s, size_t n)
{
	return checked(strndup(s, n));
}

char *xasprintf(const char *fmt, ...)
{
	char *out;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&out, fmt, ap) < 0)
		no_memory();
	va_end(ap);
	return out;
}

void *xjson(void *json)
{
	return checked(json);
}
