#include "connection/approver_connect.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/only_ours.h"
#include "fs/path.h"
#include "session/client.h"
#include "session/other_end.h"
#include "trust/could_write.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

/* Where others listen: it would find its questions there, and could ask its own. */
static bool is_listed(const struct could_write *w, const char *path)
{
	for (char **socket = w->permissions.unix_sockets; w->held && socket && *socket; socket++)
		if (path_contains(*socket, path))
			return true;
	return false;
}

int approver_judge(const struct approver_place *place, const json_t *doc, struct error *err)
{
	struct could_write w;
	const char *why = NULL;
	int status;

	if (place->kind != APPROVER_SOCKET)
		return 0;
	status = could_write_get(&w, doc, err);
	if (status == 0)
		why = could_write(&w, place->text);
	if (status == 0 && !why && is_listed(&w, place->text))
		why = "the command may connect to it";
	could_write_free(&w);
	return !why ? status
	            : error_set(err, EXIT_INPUT, "not-trusted",
	                        "--approver: unix:%s: %s; not asked", place->text, why);
}

static int not_trusted(const struct approver_place *place, struct error *err, const char *why)
{
	return error_set(err, EXIT_INPUT, "not-trusted", "--approver: unix:%s: %s; not asked",
	                 place->text, why);
}

/* The directory, and the socket in it, as they are now: nobody else can change them. */
static int open_directory(const struct approver_place *place, struct error *err)
{
	cleanup_free char *directory = path_parent(place->text);
	struct error why = {0};
	cleanup_close int fd = only_ours_open(directory, O_PATH | O_DIRECTORY, &why);
	struct stat st;

	if (fd < 0)
		return not_trusted(place, err, why.message);
	if (fstat(fd, &st) < 0 || (st.st_mode & 02))
		return not_trusted(place, err, "everybody can write its directory");
	if (fstatat(fd, strrchr(place->text, '/') + 1, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return not_trusted(place, err, strerror(errno));
	if (!S_ISSOCK(st.st_mode))
		return not_trusted(place, err, "not a socket");
	if (st.st_uid != geteuid() && !owner_stands_for_root(st.st_uid))
		return not_trusted(place, err, "it belongs to another user");
	return keep_fd(&fd);
}

static int connect_socket(const struct approver_place *place, struct error *err)
{
	/* Who does not accept holds up whoever asks for so long only. */
	const struct timeval limit = {.tv_sec = 5};
	cleanup_close int directory = open_directory(place, err);
	cleanup_close int fd = directory < 0 ? -1 : connect_in(directory, place->text, &limit);

	if (directory < 0)
		return -1;
	if (fd < 0)
		return not_trusted(place, err, strerror(errno));
	if (!peer_may_answer(fd))
		return not_trusted(place, err,
		                   "who listens there is neither this user nor root, or is in a "
		                   "sandbox");
	return keep_fd(&fd);
}

static int take_fd(const struct approver_place *place, struct error *err)
{
	int fd = fcntl(place->fd, F_DUPFD_CLOEXEC, 3);

	return fd < 0 ? error_system(err, "--approver: fd:%d", place->fd) : fd;
}

int approver_connect(const struct approver_place *place, struct error *err)
{
	return place->kind == APPROVER_FD ? take_fd(place, err) : connect_socket(place, err);
}
