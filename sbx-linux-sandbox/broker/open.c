/* Opening a file, which may also make, cut or only read it. */
#include "base/cleanup.h"
#include "broker/allowed.h"
#include "broker/give.h"
#include "broker/walk.h"
#include "fs/fd_path.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

struct opening {
	int flags;
	mode_t mode;
	bool makes;     /* the file, if it is not there */
	bool fresh;     /* it must not be there */
	bool temporary; /* a file without a name, in the directory */
	bool changes;   /* what is there */
};

static struct opening opening_of(const struct asked *asked, const struct form *form)
{
	int flags = flags_of(asked, form);

	return (struct opening){
	        .flags = flags,
	        .mode = (mode_t)argument(asked, form->value) & 07777,
	        .makes = (flags & O_CREAT) != 0,
	        .fresh = (flags & O_CREAT) && (flags & O_EXCL),
	        .temporary = (flags & O_TMPFILE) == O_TMPFILE,
	        .changes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC),
	};
}

/* By name, or again what is open already.  -errno. */
static int open_place(const struct place *place, const struct opening *opening)
{
	/* Nothing that we open waits: everybody would. */
	int flags = opening->flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, fd;
	char path[FD_PATH_MAX];

	if (place->object < 0)
		fd = openat(place->parent, place->name, flags | O_NOFOLLOW, opening->mode);
	else if (opening->temporary)
		fd = open(fd_path(place->object, path), flags & ~O_NOFOLLOW, opening->mode);
	else
		fd = open(fd_path(place->object, path), flags & ~(O_NOFOLLOW | O_CREAT | O_EXCL));
	if (fd < 0)
		return -errno;
	if (!(opening->flags & O_NONBLOCK) &&
	    fcntl(fd, F_SETFL, opening->flags & (O_APPEND | O_DIRECT | O_NOATIME | O_ASYNC)) < 0) {
		int error = errno;

		close(fd);
		return -error;
	}
	return fd;
}

/* A pipe waits for its other end; so does a file for whoever has a lease on it. */
static bool waits(const struct place *place, const struct opening *opening)
{
	return place->exists && S_ISFIFO(place->st.st_mode) && !(opening->flags & O_NONBLOCK) &&
	       (opening->flags & O_ACCMODE) != O_RDWR;
}

static struct reply open_for(struct broker *broker, const struct asked *asked,
                             const struct place *place, const struct opening *opening)
{
	cleanup_close int fd = -1;
	int got = 0;

	if (walk_is_of_another(asked, place->object < 0 ? place->parent : place->object,
	                       place->path))
		return reply_go_on();
	/* Landlock lets only the devices through that everybody may use. */
	if (place->exists && (S_ISCHR(place->st.st_mode) || S_ISBLK(place->st.st_mode)))
		return reply_go_on();
	if (waits(place, opening))
		return give_later(asked, place_pin(place), opening->flags);
	if (opening->temporary || !place->exists)
		got = umask_take(&broker->umasks, asked);
	fd = got < 0 ? got : open_place(place, opening);
	if (fd == -EWOULDBLOCK && !(opening->flags & O_NONBLOCK) && place->exists)
		return give_later(asked, place_pin(place), opening->flags);
	return fd < 0 ? reply_with(fd) : give(asked, fd, opening->flags);
}

static struct reply open_to_change(struct broker *broker, const struct asked *asked,
                                   const struct place *place, const struct opening *opening)
{
	enum change change = opening->makes && !place->exists ? CHANGE_NAME : CHANGE_CONTENT;
	bool granted = is_granted(broker, place, change);

	if (!is_allowed(broker, place, change))
		return granted ? reply_denied(EACCES) : reply_denied_by_kernel();
	return granted ? reply_go_on() : open_for(broker, asked, place, opening);
}

struct reply serve_open(struct broker *broker, const struct asked *asked, const struct form *form)
{
	const struct opening opening = opening_of(asked, form);
	cleanup_place struct place place = PLACE_NONE;
	int got;

	if (opening.flags & O_PATH)
		return reply_go_on();
	got = find_place(asked, form->directory, form->path,
	                 opening.flags & O_NOFOLLOW || opening.fresh ? FOLLOW_NOT : FOLLOW, false,
	                 &place);
	/* Who must not be looked into gets what Landlock gives. */
	if (got == -EPERM)
		return reply_go_on();
	if (got == 0 && !place.exists && !opening.makes)
		got = -ENOENT;
	if (got == 0 && place.exists && opening.fresh)
		got = -EEXIST;
	if (got < 0)
		return reply_with(got);
	if (opening.changes || !place.exists)
		return open_to_change(broker, asked, &place, &opening);
	if (!may_read(broker, &place))
		return reply_denied_by_kernel();
	return reads_by_itself(broker, &place) ? reply_go_on()
	                                       : open_for(broker, asked, &place, &opening);
}
