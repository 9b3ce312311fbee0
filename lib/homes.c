#include "homes.h"

#include "cleanup.h"
#include "error.h"
#include "memory.h"
#include "osstring.h"
#include "path.h"
#include "sensitive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* Read here, since a static program can ask no directory service. */
char *home_registered(void)
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

static int add_places(struct homes *homes, size_t *count, const char *home, home_wanted *wanted,
                      const void *context)
{
	const char *name;

	for (size_t i = 0; home && (name = sensitive_in_home(i)) != NULL; i++) {
		cleanup_free char *path = path_below(home, name);
		struct stat st;

		if (wanted && !wanted(context, path))
			continue;
		if (lstat(path, &st) < 0) {
			if (error_is_ours(errno))
				return -1;
			continue;
		}
		homes->places = xrealloc_array(homes->places, *count + 2, sizeof(*homes->places));
		homes->places[(*count)++] = keep_ptr(path);
		homes->places[*count] = NULL;
	}
	return 0;
}

int homes_find(struct homes *homes, home_wanted *wanted, const void *context)
{
	cleanup_free char *named = canonical(getenv("HOME"));
	size_t count = 0;

	*homes = (struct homes){.places = xrealloc_array(NULL, 1, sizeof(*homes->places))};
	homes->places[0] = NULL;
	homes->registered = home_registered();
	if ((!homes->registered && errno != 0) ||
	    add_places(homes, &count, homes->registered, wanted, context) < 0)
		return -1;
	if (named && homes->registered && strcmp(named, homes->registered) == 0)
		return 0;
	return add_places(homes, &count, named, wanted, context);
}

void homes_free(struct homes *homes)
{
	os_vector_free(homes->places);
	free(homes->registered);
	*homes = (struct homes){0};
}
