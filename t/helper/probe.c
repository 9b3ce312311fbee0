/*
 * What can really be done to a path?  Reads paths, one per line, and answers
 * each with two letters: "r" or "-" (it can be read), "w" or "-" (it can be
 * written: a file opened, a name made in a directory, a missing name made).
 * What was made is removed again.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool can_read(const char *path, bool directory)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | (directory ? O_DIRECTORY : 0));

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static bool can_make(const char *path)
{
	/* Without O_EXCL: a dangling link is written through. */
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
	char *real;

	if (fd < 0)
		return false;
	close(fd);
	real = realpath(path, NULL);
	if (real)
		unlink(real);
	free(real);
	return true;
}

/* Makes the missing directories above path; what was made is in made, deepest last. */
static bool make_missing(const char *path)
{
	char *made[64];
	size_t count = 0;
	bool result = true;
	char copy[PATH_MAX];

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *slash = strchr(copy + 1, '/'); slash && result; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(copy, 0755) == 0 && count < 64)
			made[count++] = strdup(copy);
		else if (errno != EEXIST && access(copy, F_OK) != 0)
			result = false;
		*slash = '/';
	}
	result = result && can_make(path);
	while (count > 0) {
		rmdir(made[--count]);
		free(made[count]);
	}
	return result;
}

static bool can_write(const char *path, const struct stat *st)
{
	char inside[PATH_MAX + 16];
	int fd;

	if (!st)
		return make_missing(path);
	if (S_ISDIR(st->st_mode)) {
		snprintf(inside, sizeof(inside), "%s/probe.new", path);
		return can_make(inside);
	}
	fd = open(path, O_WRONLY | O_CLOEXEC | O_APPEND);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

int main(void)
{
	char line[PATH_MAX];

	while (fgets(line, sizeof(line), stdin)) {
		struct stat st;
		bool there;

		line[strcspn(line, "\n")] = '\0';
		there = stat(line, &st) == 0;
		printf("%c%c\n", there && can_read(line, S_ISDIR(st.st_mode)) ? 'r' : '-',
		       can_write(line, there ? &st : NULL) ? 'w' : '-');
	}
	return fflush(stdout) == 0 ? 0 : 1;
}
