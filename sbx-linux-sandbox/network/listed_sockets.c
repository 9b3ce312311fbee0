#include "network/listed_sockets.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

static bool can_be_made_inside(const struct permissions *permissions, const char *path)
{
	cleanup_free char *parent = path_parent(path);

	return permissions_resolve(permissions, path, NULL) == ACCESS_WRITE ||
	       permissions_resolve(permissions, parent, NULL) == ACCESS_WRITE;
}

static int pin(struct listed_socket *socket, int root, struct error *err)
{
	cleanup_close int fd = path_open_beneath(root, socket->path + 1, O_PATH | O_NOFOLLOW);
	struct stat st;

	/* Missing, or through a link or a file: nothing that was listed. */
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == EACCES))
		return 0;
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_system(err, "unix_sockets: \"%s\"", socket->path);
	if (!S_ISSOCK(st.st_mode))
		return 0;
	socket->fd = keep_fd(&fd);
	socket->dev = st.st_dev;
	socket->ino = st.st_ino;
	return 0;
}

int listed_sockets_pin(const struct permissions *permissions, struct listed_sockets *sockets,
                       struct error *err)
{
	cleanup_close int root = -1;

	if (!permissions->unix_sockets || !permissions->unix_sockets[0])
		return 0;
	root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return error_system(err, "opening /");
	for (char **p = permissions->unix_sockets; *p; p++) {
		struct listed_socket *socket;

		sockets->items =
		        xrealloc_array(sockets->items, sockets->count + 1, sizeof(*sockets->items));
		socket = &sockets->items[sockets->count++];
		*socket = (struct listed_socket){
		        .path = *p, .by_name = !can_be_made_inside(permissions, *p), .fd = -1};
		if (!socket->by_name && pin(socket, root, err) < 0)
			return -1;
	}
	return 0;
}

bool listed_sockets_contain(const struct listed_sockets *sockets, const char *path,
                            const struct stat *st)
{
	for (size_t i = 0; i < sockets->count; i++) {
		const struct listed_socket *socket = &sockets->items[i];

		if (strcmp(socket->path, path) == 0 &&
		    (socket->by_name ||
		     (socket->fd >= 0 && socket->dev == st->st_dev && socket->ino == st->st_ino)))
			return true;
	}
	return false;
}
