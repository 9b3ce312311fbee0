/* Mode, owner, times, extended attributes, and the length of a file by its name. */
#include "base/cleanup.h"
#include "broker/allowed.h"
#include "fs/fd_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>

static int result(int got)
{
	return got < 0 ? -errno : 0;
}

/* How often a name may mean another file by the time that it is pinned. */
#define TRIES 100

static int take_once(struct broker *broker, const struct asked *asked, const struct form *form,
                     int flags, struct place *place, struct reply *reply)
{
	bool empty = form->path < 0 || (flags & AT_EMPTY_PATH);
	int got = find_place(asked, form->directory, form->path,
	                     flags & AT_SYMLINK_NOFOLLOW ? FOLLOW_NOT : FOLLOW, empty, place);

	if (got == 0 && !place->exists)
		got = -ENOENT;
	if (got == 0 && !is_allowed(broker, place, CHANGE_CONTENT)) {
		*reply = reply_denied(EPERM);
		if (place->object >= 0)
			reply->denied_path = strdup(place->path);
		return -EPERM;
	}
	if (got == 0)
		got = place_pin(place);
	if (got < 0)
		*reply = reply_with(got);
	return got;
}

/*
 * The file, pinned, if it may be changed; else -1 and what is answered.
 * Landlock does not know these calls, so that none of them goes on.
 */
static int take_file(struct broker *broker, const struct asked *asked, const struct form *form,
                     int flags, struct place *place, struct reply *reply)
{
	int got = -EAGAIN;

	for (int tries = 0; tries < TRIES && got == -EAGAIN; tries++) {
		place_free(place);
		*place = (struct place)PLACE_NONE;
		got = take_once(broker, asked, form, flags, place, reply);
	}
	return got < 0 ? -1 : got;
}

struct reply serve_chmod(struct broker *broker, const struct asked *asked, const struct form *form)
{
	cleanup_place struct place place = PLACE_NONE;
	struct reply reply;
	cleanup_close int file = take_file(broker, asked, form, form->fixed, &place, &reply);
	char path[FD_PATH_MAX];

	if (file < 0)
		return reply;
	if (S_ISLNK(place.st.st_mode))
		return reply_with(-EOPNOTSUPP);
	return reply_with(
	        result(chmod(fd_path(file, path), (mode_t)argument(asked, form->value) & 07777)));
}

struct reply serve_chown(struct broker *broker, const struct asked *asked, const struct form *form)
{
	cleanup_place struct place place = PLACE_NONE;
	struct reply reply;
	int flags = flags_of(asked, form);
	cleanup_close int file = -1;

	if (flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
		return reply_with(-EINVAL);
	file = take_file(broker, asked, form, flags, &place, &reply);
	if (file < 0)
		return reply;
	return reply_with(result(fchownat(file, "", (uid_t)argument(asked, form->value),
	                                  (gid_t)argument(asked, form->more), AT_EMPTY_PATH)));
}

/* Every form of two times as the newest has them; 0 or -errno. */
static int copy_times(const struct asked *asked, uint64_t address, int kind, struct timespec *times)
{
	long words[4] = {0};
	int got = asked_bytes(asked, address, words,
	                      kind == TIMES_BUF ? 2 * sizeof(long) : sizeof(words));

	if (got < 0)
		return got;
	if (kind == TIMES_BUF) {
		times[0] = (struct timespec){.tv_sec = words[0]};
		times[1] = (struct timespec){.tv_sec = words[1]};
		return 0;
	}
	if (kind == TIMES_VAL) {
		if (words[1] < 0 || words[1] >= 1000000 || words[3] < 0 || words[3] >= 1000000)
			return -EINVAL;
		words[1] *= 1000;
		words[3] *= 1000;
	}
	times[0] = (struct timespec){.tv_sec = words[0], .tv_nsec = words[1]};
	times[1] = (struct timespec){.tv_sec = words[2], .tv_nsec = words[3]};
	return 0;
}

struct reply serve_times(struct broker *broker, const struct asked *asked, const struct form *form)
{
	uint64_t address = argument(asked, form->value);
	int flags = form->flags < 0 ? 0 : (int)argument(asked, form->flags);
	struct form without_path = *form;
	cleanup_place struct place place = PLACE_NONE;
	cleanup_close int file = -1;
	struct timespec times[2];
	char path[FD_PATH_MAX];
	struct reply reply;
	int got = address ? copy_times(asked, address, form->fixed, times) : 0;

	if (got == 0 && (flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)))
		got = -EINVAL;
	if (got < 0)
		return reply_with(got);
	/* No path at all: the open file. */
	if (form->directory >= 0 && argument(asked, form->path) == 0 &&
	    (int)argument(asked, form->directory) != AT_FDCWD)
		without_path.path = -1;
	file = take_file(broker, asked, &without_path, flags, &place, &reply);
	if (file < 0)
		return reply;
	if (S_ISLNK(place.st.st_mode))
		return reply_with(
		        result(utimensat(file, "", address ? times : NULL, AT_EMPTY_PATH)));
	return reply_with(
	        result(utimensat(AT_FDCWD, fd_path(file, path), address ? times : NULL, 0)));
}

#define ATTRIBUTE_NAME_MAX 255
#define ATTRIBUTE_MAX      65536

static int copy_name(const struct asked *asked, uint64_t address, char name[PATH_MAX])
{
	int got = asked_text(asked, address, name);

	if (got == -ENAMETOOLONG || (got == 0 && (!name[0] || strlen(name) > ATTRIBUTE_NAME_MAX)))
		return -ERANGE;
	return got;
}

/* The file whose attribute is meant; -1 with what to answer. */
static int take_bearer(struct broker *broker, const struct asked *asked, const struct form *form,
                       struct place *place, struct reply *reply)
{
	cleanup_close int file = take_file(broker, asked, form, form->fixed, place, reply);

	/* Links have none that anybody without capabilities could set. */
	if (file >= 0 && S_ISLNK(place->st.st_mode)) {
		*reply = reply_with(-EPERM);
		return -1;
	}
	return keep_fd(&file);
}

struct reply serve_setxattr(struct broker *broker, const struct asked *asked,
                            const struct form *form)
{
	size_t size = argument(asked, form->more + 1);
	cleanup_free char *value = NULL;
	cleanup_place struct place place = PLACE_NONE;
	cleanup_close int file = -1;
	char name[PATH_MAX], path[FD_PATH_MAX];
	struct reply reply;
	int got = copy_name(asked, argument(asked, form->value), name);

	if (got == 0 && size > ATTRIBUTE_MAX)
		got = -E2BIG;
	value = malloc(size + 1);
	if (got == 0 && !value)
		got = -ENOMEM;
	if (got == 0)
		got = asked_bytes(asked, argument(asked, form->more), value, size);
	if (got < 0)
		return reply_with(got);
	file = take_bearer(broker, asked, form, &place, &reply);
	if (file < 0)
		return reply;
	return reply_with(result(setxattr(fd_path(file, path), name, value, size,
	                                  (int)argument(asked, form->more + 2))));
}

struct reply serve_removexattr(struct broker *broker, const struct asked *asked,
                               const struct form *form)
{
	cleanup_place struct place place = PLACE_NONE;
	cleanup_close int file = -1;
	char name[PATH_MAX], path[FD_PATH_MAX];
	struct reply reply;
	int got = copy_name(asked, argument(asked, form->value), name);

	if (got < 0)
		return reply_with(got);
	file = take_bearer(broker, asked, form, &place, &reply);
	if (file < 0)
		return reply;
	return reply_with(result(removexattr(fd_path(file, path), name)));
}

static int cut(const struct place *place, off_t length)
{
	cleanup_close int file = place_pin(place), open_file = -1;
	char path[FD_PATH_MAX];

	if (file < 0)
		return file;
	/* A lease of somebody else's must not make everybody wait. */
	open_file = open(fd_path(file, path), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
	return open_file < 0 ? -errno : result(ftruncate(open_file, length));
}

struct reply serve_truncate(struct broker *broker, const struct asked *asked,
                            const struct form *form)
{
	off_t length = (off_t)argument(asked, form->value);
	cleanup_place struct place place = PLACE_NONE;
	int got = length < 0
	                  ? -EINVAL
	                  : find_place(asked, form->directory, form->path, FOLLOW, false, &place);

	if (got < 0 || !place.exists)
		return reply_with(got < 0 ? got : -ENOENT);
	if (!S_ISREG(place.st.st_mode))
		return reply_with(S_ISDIR(place.st.st_mode) ? -EISDIR : -EINVAL);
	if (!is_allowed(broker, &place, CHANGE_CONTENT))
		return reply_denied_by_kernel();
	if (is_granted(broker, &place, CHANGE_CONTENT))
		return reply_go_on();
	return reply_with(cut(&place, length));
}
