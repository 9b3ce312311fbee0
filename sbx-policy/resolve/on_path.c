#include "resolve/on_path.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/directory_names.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

/* Reading more than that costs more than asking. */
enum { SMALL_BYTES = 16384, BITS = 4096 };

struct directory {
	int fd;
	struct stat st;
	bool read;
	unsigned char seen[BITS / 8]; /* a bit for each name; two may have the same */
};

/* Opened once. */
struct search_path {
	struct directory *directories;
	size_t count;
};

/* Of a merged /usr many have two names. */
static bool is_listed(const struct search_path *path, const struct stat *st)
{
	for (size_t i = 0; i < path->count; i++)
		if (path->directories[i].st.st_dev == st->st_dev &&
		    path->directories[i].st.st_ino == st->st_ino)
			return true;
	return false;
}

static unsigned bit_of(const char *name)
{
	unsigned hash = 2166136261U;

	while (*name)
		hash = (hash ^ (unsigned char)*name++) * 16777619U;
	return (hash ^ hash >> 16) % BITS;
}

static bool note_name(void *context, const char *name, enum kind kind)
{
	struct directory *directory = context;
	unsigned bit = bit_of(name);

	(void)kind;
	directory->seen[bit / 8] |= (unsigned char)(1U << bit % 8);
	return true;
}

/* One that may be searched and not be read is asked about every name. */
static void read_names(struct directory *directory)
{
	cleanup_close int fd =
	        directory->st.st_size > SMALL_BYTES
	                ? -1
	                : openat(directory->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	directory->read = fd >= 0 && listing(fd, note_name, directory) == 0;
}

static struct search_path search_path_open(void)
{
	cleanup_free char *list = xstrdup(getenv("PATH") ? getenv("PATH") : "");
	struct search_path path = {0};
	char *rest = list;

	for (const char *name; (name = strsep(&rest, ":")) != NULL;) {
		struct directory one = {.fd = -1};

		if (name[0] == '/')
			one.fd = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (one.fd >= 0 && (fstat(one.fd, &one.st) < 0 || is_listed(&path, &one.st))) {
			close(one.fd);
		} else if (one.fd >= 0) {
			read_names(&one);
			list_add(path.directories, path.count, one);
		}
	}
	return path;
}

static bool may_be_in(const struct directory *directory, unsigned bit)
{
	return !directory->read || (directory->seen[bit / 8] & 1U << bit % 8);
}

bool is_on_path(const char *program)
{
	static struct search_path path;
	unsigned bit = bit_of(program);

	if (!path.directories)
		path = search_path_open();
	for (size_t i = 0; i < path.count; i++)
		if (may_be_in(&path.directories[i], bit) &&
		    faccessat(path.directories[i].fd, program, X_OK, 0) == 0)
			return true;
	return false;
}
