#include "observer/plainly_writable.h"

#include "base/hash.h"
#include "base/memory.h"
#include "fs/path.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void plain_begin(struct plain *plain, const struct view *view)
{
	*plain = (struct plain){
	        .permissions = view->permissions,
	        .view = view,
	        /* Without it no place is plain, and all are looked at closely. */
	        .root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC),
	};
}

void plain_forget(struct plain *plain)
{
	for (size_t i = 0; i < PLACES_KEPT; i++) {
		free(plain->places[i].directory);
		plain->places[i].directory = NULL;
	}
}

/* No component of the directory is a link: its name is what it is. */
static bool is_plain_directory(struct plain *plain, const char *path, size_t len, bool *open)
{
	size_t place = (size_t)(hash_bytes(path, len) % PLACES_KEPT);
	char *known = plain->places[place].directory;
	char directory[PATH_MAX];
	const char *private;
	int fd;

	if (!known || strncmp(known, path, len) != 0 || known[len] != '\0') {
		memcpy(directory, path, len);
		directory[len] = '\0';
		private = view_private(plain->view, directory);
		fd = private ? path_open_beneath(plain->view->fd, private, O_PATH | O_DIRECTORY)
		             : path_open_beneath(plain->root, directory + 1, O_PATH | O_DIRECTORY);
		if (fd < 0)
			return false;
		close(fd);
		free(known);
		plain->places[place].directory = xstrdup(directory);
		plain->places[place].open =
		        permissions_resolve(plain->permissions, directory, NULL) == ACCESS_WRITE &&
		        !permissions_below(plain->permissions, directory);
	}
	*open = plain->places[place].open;
	return true;
}

static bool is_link(const struct plain *plain, const char *path)
{
	const char *private = view_private(plain->view, path);
	struct stat st;

	return (private ? fstatat(plain->view->fd, private, &st, AT_SYMLINK_NOFOLLOW)
	                : lstat(path, &st)) == 0 &&
	       S_ISLNK(st.st_mode);
}

bool plainly_writable(struct plain *plain, const char *path, bool new_name, bool removes)
{
	const char *slash = strrchr(path, '/');
	bool open;

	/* path_tidy() has left nothing else that is not normal. */
	if (slash == path || path_steps_back(path) ||
	    !is_plain_directory(plain, path, (size_t)(slash - path), &open))
		return false;
	if (!open && permissions_resolve(plain->permissions, path, NULL) != ACCESS_WRITE)
		return false;
	/* What is removed or moved takes along what is below. */
	if (!open && removes && permissions_below(plain->permissions, path))
		return false;
	return new_name || removes || !is_link(plain, path);
}
