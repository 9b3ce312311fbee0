#include "fs/home_directory.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "base/memory.h"
#include "fs/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The third of the seven fields of a line is the user id, the sixth the directory. */
static const char *home_in_line(char *line)
{
	char *field[7] = {line};
	char *end;

	for (size_t i = 1; i < 7; i++) {
		field[i] = strchr(field[i - 1], ':');
		if (!field[i])
			return NULL;
		*field[i]++ = '\0';
	}
	return strtoul(field[2], &end, 10) == geteuid() && end != field[2] && !*end ? field[5]
	                                                                            : NULL;
}

/* "/" is what programs without a home directory are given. */
static char *canonical(const char *home)
{
	struct error none = {0};
	cleanup_free char *real = home && home[0] == '/' ? path_canonical(home, &none) : NULL;

	return real && real[1] ? keep_ptr(real) : NULL;
}

/* Asked for with every path that is judged; what the variable says hardly ever changes. */
char *home_named(void)
{
	static char *named, *real;
	const char *home = getenv("HOME");

	if (!home)
		return NULL;
	if (!named || strcmp(named, home) != 0) {
		free(named);
		free(real);
		named = xstrdup(home);
		real = canonical(home);
	}
	return real ? xstrdup(real) : NULL;
}

/* Read here, since a static program can ask no directory service. */
static char *look_up(void)
{
	FILE *file = fopen("/etc/passwd", "re");
	cleanup_free char *line = NULL;
	const char *home = NULL;
	char *found;
	size_t size = 0;
	int number = 0;

	if (!file) {
		errno = errno == ENOENT ? 0 : errno;
		return NULL;
	}
	while (!home && getline(&line, &size, file) >= 0)
		home = home_in_line(line);
	if (ferror(file))
		number = errno;
	fclose(file);
	found = canonical(home);
	errno = number;
	return found;
}

/* A question that every place is judged by: looked up once. */
char *home_registered(void)
{
	static char *known;

	if (!known)
		known = look_up();
	return known ? xstrdup(known) : NULL;
}

bool around_home(const char *path)
{
	cleanup_free char *named = home_named();
	cleanup_free char *registered = home_registered();

	return (named && path_contains(path, named)) ||
	       (registered && path_contains(path, registered));
}

static bool is_below(const char *home, const char *path)
{
	return home && path_contains(home, path) && strcmp(home, path) != 0;
}

bool below_home(const char *path)
{
	cleanup_free char *named = home_named();
	cleanup_free char *registered = home_registered();

	return is_below(named, path) || is_below(registered, path);
}
