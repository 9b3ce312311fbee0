/* Names that come, go or change: mkdir, mknod, symlink, unlink, rename, link. */
#include "base/cleanup.h"
#include "broker/allowed.h"
#include "fs/fd_path.h"
#include "fs/path.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int result(int got)
{
	return got < 0 ? -errno : 0;
}

/*
 * What a git of the host would follow, or wait for.  Landlock gives no right to
 * make such things in its files either.
 */
static bool is_followed_in_git(const struct broker *broker, const char *path, mode_t mode)
{
	const struct entry *entry;

	if (S_ISREG(mode) || S_ISDIR(mode) || S_ISSOCK(mode) || !(mode & S_IFMT))
		return false;
	permissions_resolve(broker->policy, path, &entry);
	return entry && path_has(entry->path, ".git");
}

/*
 * A name that is to be made; true: by us.  A link must not lead round what is
 * protected below its name.  mode: its type.
 */
static bool is_ours_to_make(struct broker *broker, const struct asked *asked,
                            const struct form *form, mode_t mode, struct place *place,
                            struct reply *reply)
{
	int got = find_place(asked, form->directory, form->path, FOLLOW_NAME, false, place);

	if (got < 0)
		*reply = reply_with(got);
	else if (place->exists)
		*reply = reply_with(-EEXIST);
	else if (!is_allowed(broker, place, CHANGE_NAME) ||
	         (S_ISLNK(mode) && permissions_below(broker->policy, place->path)))
		*reply = reply_denied_by_kernel();
	else if (is_followed_in_git(broker, place->path, mode))
		*reply = reply_with(-EACCES);
	else if (is_granted(broker, place, CHANGE_NAME))
		*reply = reply_go_on();
	else if ((got = umask_take(&broker->umasks, asked)) < 0)
		*reply = reply_with(got);
	else
		return true;
	return false;
}

struct reply serve_mkdir(struct broker *broker, const struct asked *asked, const struct form *form)
{
	cleanup_place struct place place = PLACE_NONE;
	struct reply reply;

	if (!is_ours_to_make(broker, asked, form, S_IFDIR, &place, &reply))
		return reply;
	return reply_with(result(
	        mkdirat(place.parent, place.name, (mode_t)argument(asked, form->value) & 07777)));
}

struct reply serve_mknod(struct broker *broker, const struct asked *asked, const struct form *form)
{
	mode_t mode = (mode_t)argument(asked, form->value);
	cleanup_place struct place place = PLACE_NONE;
	struct reply reply;

	if (!is_ours_to_make(broker, asked, form, mode, &place, &reply))
		return reply;
	/* Devices need a capability that nobody here has. */
	if ((mode & S_IFMT) && !S_ISREG(mode) && !S_ISFIFO(mode) && !S_ISSOCK(mode))
		return reply_with(S_ISCHR(mode) || S_ISBLK(mode) ? -EPERM : -EINVAL);
	return reply_with(result(mknodat(place.parent, place.name, mode, 0)));
}

struct reply serve_symlink(struct broker *broker, const struct asked *asked,
                           const struct form *form)
{
	cleanup_place struct place place = PLACE_NONE;
	char text[PATH_MAX];
	struct reply reply;
	int got = asked_text(asked, argument(asked, form->value), text);

	if (got < 0)
		return reply_with(got);
	if (!is_ours_to_make(broker, asked, form, S_IFLNK, &place, &reply))
		return reply;
	return reply_with(result(symlinkat(text, place.parent, place.name)));
}

/* What is called so from now on is something else; Landlock goes by what it was. */
static void forget(struct broker *broker, const struct place *place)
{
	if (permissions_find(&broker->ground, place->path) ||
	    permissions_below(&broker->ground, place->path))
		permissions_force(&broker->ground, place->path, ACCESS_NONE);
}

struct reply serve_unlink(struct broker *broker, const struct asked *asked, const struct form *form)
{
	cleanup_place struct place place = PLACE_NONE;
	int flags = flags_of(asked, form);
	int got = find_place(asked, form->directory, form->path, FOLLOW_NAME, false, &place);

	if (got < 0 || !place.exists)
		return reply_with(got < 0 ? got : -ENOENT);
	if (!is_allowed(broker, &place, CHANGE_NAME))
		return reply_denied_by_kernel();
	if (is_granted(broker, &place, CHANGE_NAME))
		return reply_go_on();
	if (is_pinned(broker, &place))
		return reply_denied(EBUSY);
	got = result(unlinkat(place.parent, place.name, flags));
	if (got == 0)
		forget(broker, &place);
	return reply_with(got);
}

/*
 * In other sandboxes each entry of the policy is a mount.  From one to another
 * programs copy, and do not give up.
 */
static int why_not_there(const struct broker *broker, const struct place *from,
                         const struct place *to)
{
	const struct entry *one, *other;

	permissions_resolve(broker->policy, from->path, &one);
	permissions_resolve(broker->policy, to->path, &other);
	return one != other ? EXDEV : EACCES;
}

/* Why the two must not be exchanged or moved; 0. */
static int why_not_renamed(struct broker *broker, const struct place *from, const struct place *to)
{
	if (is_pinned(broker, from) || is_pinned(broker, to))
		return EBUSY;
	if (!is_allowed(broker, from, CHANGE_NAME) || !is_allowed(broker, to, CHANGE_NAME))
		return why_not_there(broker, from, to);
	if (is_followed_in_git(broker, to->path, from->st.st_mode) ||
	    (to->exists && is_followed_in_git(broker, from->path, to->st.st_mode)))
		return EACCES;
	return 0;
}

struct reply serve_rename(struct broker *broker, const struct asked *asked, const struct form *form)
{
	cleanup_place struct place from = PLACE_NONE, to = PLACE_NONE;
	unsigned flags = (unsigned)flags_of(asked, form);
	int got = find_place(asked, form->directory, form->path, FOLLOW_NAME, false, &from);

	if (got == 0)
		got = find_place(asked, form->directory2, form->path2, FOLLOW_NAME, false, &to);
	if (got < 0)
		return reply_with(got);
	if (from.object >= 0 || to.object >= 0)
		return reply_with(-EBUSY); /* "." and "..", as the kernel has it */
	if (!from.exists)
		return reply_with(-ENOENT);
	if (to.exists && (flags & RENAME_NOREPLACE))
		return reply_with(-EEXIST);
	if (is_granted(broker, &from, CHANGE_NAME) && is_granted(broker, &to, CHANGE_NAME))
		return reply_go_on();
	got = why_not_renamed(broker, &from, &to);
	if (got)
		return reply_denied(got);
	got = result(
	        (int)syscall(SYS_renameat2, from.parent, from.name, to.parent, to.name, flags));
	if (got == 0) {
		forget(broker, &from);
		forget(broker, &to);
	}
	return reply_with(got);
}

static int make_link(const struct place *from, const struct place *to)
{
	cleanup_close int object = place_pin(from);
	char path[FD_PATH_MAX];

	if (object < 0)
		return object;
	/* A link itself has no other way than by its name. */
	if (S_ISLNK(from->st.st_mode))
		return result(linkat(from->parent, from->name, to->parent, to->name, 0));
	return result(
	        linkat(AT_FDCWD, fd_path(object, path), to->parent, to->name, AT_SYMLINK_FOLLOW));
}

struct reply serve_link(struct broker *broker, const struct asked *asked, const struct form *form)
{
	cleanup_place struct place from = PLACE_NONE, to = PLACE_NONE;
	int flags = flags_of(asked, form);
	int got = flags & ~(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH)
	                  ? -EINVAL
	                  : find_place(asked, form->directory, form->path,
	                               flags & AT_SYMLINK_FOLLOW ? FOLLOW : FOLLOW_NOT,
	                               (flags & AT_EMPTY_PATH) != 0, &from);

	if (got == 0)
		got = find_place(asked, form->directory2, form->path2, FOLLOW_NAME, false, &to);
	if (got == 0)
		got = !from.exists ? -ENOENT : to.exists ? -EEXIST : 0;
	if (got == 0 && S_ISDIR(from.st.st_mode))
		got = -EPERM;
	if (got < 0)
		return reply_with(got);
	/* Through a second name it could be written. */
	if (!is_allowed(broker, &from, CHANGE_CONTENT) || !is_allowed(broker, &to, CHANGE_NAME) ||
	    permissions_below(broker->policy, to.path))
		return reply_denied(why_not_there(broker, &from, &to));
	if (is_granted(broker, &from, CHANGE_CONTENT) && is_granted(broker, &to, CHANGE_NAME))
		return reply_go_on();
	if (is_followed_in_git(broker, to.path, from.st.st_mode))
		return reply_with(-EACCES);
	return reply_with(make_link(&from, &to));
}
