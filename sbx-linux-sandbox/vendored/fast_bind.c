/*
 * A faster bind mount and a faster realpath for the vendored bubblewrap, and
 * mounts that the host's do not reach.
 *
 * bubblewrap mounts, then reads the mount table back to find what it mounted,
 * then remounts each part with its flags: once per mount, so that the work
 * grows with the square of their number.  Since Linux 5.12 the flags can be
 * set on the whole tree before it is attached anywhere, which also leaves no
 * moment at which it is there without them.
 */
#include "vendored/fast_bind.h"

#include "base/cleanup.h"
#include "fs/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/mount.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif

#define OPEN_LAYER (O_PATH | O_DIRECTORY | O_NOFOLLOW)

/* bubblewrap's own, for older kernels and whatever else is refused here. */
int bind_mount_fd(int source, int target, unsigned int options, char **failing);

int bwrap_mount(const char *source, const char *target, const char *type, unsigned long flags,
                const void *data);
char *bwrap_realpath(const char *path, char *buffer);

/* bubblewrap hands no context through; under its own name it stays as it was released. */
static bool whole_trees;

void bind_whole_trees(void)
{
	whole_trees = true;
}

/*
 * bubblewrap makes every mount a slave of the host's, so that what is mounted
 * outside during the run appears inside as well: writable, whatever the policy
 * says.  Private from the beginning, all that is copied from them is private.
 */
int bwrap_mount(const char *source, const char *target, const char *type, unsigned long flags,
                const void *data)
{
	const char *size =
	        type && data && strcmp(type, "tmpfs") == 0 ? strstr(data, "size=") : NULL;
	char bounded[128];

	/* As a whole: the old magic number, which it also passes, has the same bit. */
	if (whole_trees && flags == (MS_SILENT | MS_SLAVE | MS_REC))
		flags = MS_SILENT | MS_PRIVATE | MS_REC;
	/* It mounts queues as anything goes. */
	if (whole_trees && type && strcmp(type, "mqueue") == 0)
		flags |= MS_NOSUID | MS_NODEV | MS_NOEXEC;
	/* Empty files have no size, and take memory of the kernel all the same. */
	if (whole_trees && size) {
		snprintf(bounded, sizeof(bounded), "%s,nr_inodes=%lld", (const char *)data,
		         atoll(size + 5) / 1024 + 16);
		data = bounded;
	}
	return (int)syscall(SYS_mount, source, target, type, flags, data);
}

static int set_flags(int tree, unsigned int options, unsigned int recursive)
{
	struct mount_attr attr = {
	        .attr_set = MOUNT_ATTR_NOSUID | (options & BIND_DEVICES ? 0 : MOUNT_ATTR_NODEV) |
	                    (options & BIND_READONLY ? MOUNT_ATTR_RDONLY : 0),
	};

	return (int)syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | recursive, &attr,
	                    sizeof attr);
}

/* What cannot be looked at counts as one: it becomes read-only, no more. */
static bool is_device(int fd)
{
	struct stat st;

	return fstat(fd, &st) < 0 || !(S_ISDIR(st.st_mode) || S_ISREG(st.st_mode));
}

/* ---- overlays ---------------------------------------------------------------- */

static struct shown {
	const struct overlay *overlay;
	int whole;  /* -1: not mounted yet */
	bool apart; /* each part is an overlay of its own */
	unsigned int works;
	struct shown *next;
} * shown;

void bind_from_overlay(const struct overlay *from)
{
	struct shown *one = from->count > 0 ? malloc(sizeof(*one)) : NULL;

	if (from->count > 0 && !one)
		_exit(1);
	if (!one)
		return;
	*one = (struct shown){.overlay = from, .whole = -1, .next = shown};
	shown = one;
}

/* The name of what is mounted from this directory; NULL: no part of an overlay. */
static const char *part_of_overlay(int source, struct shown **of)
{
	struct stat st;

	if (!shown || fstat(source, &st) < 0)
		return NULL;
	for (*of = shown; *of; *of = (*of)->next)
		for (size_t i = 0; i < (*of)->overlay->count; i++) {
			const struct overlay_part *part = &(*of)->overlay->parts[i];

			if (st.st_dev == part->dev && st.st_ino == part->ino)
				return part->name;
		}
	return NULL;
}

/* By descriptor: a path could have a comma or a colon, which mean something here. */
static int set_layer(int fs, const char *key, int fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/oldroot/proc/self/fd/%d", fd);
	return (int)syscall(SYS_fsconfig, fs, FSCONFIG_SET_STRING, key, path, 0);
}

static int open_old(const char *path, const char *below)
{
	char whole[PATH_MAX];

	if (snprintf(whole, sizeof(whole), "/oldroot%s/%s", path, below) >= (int)sizeof(whole))
		return -1;
	return open(whole, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/*
 * userxattr: marks of its own without privilege.  volatile: a cache is not worth a
 * flush to the disk at each copy; before Linux 5.10 there is no such word.
 */
static int make_overlay(int lower, int upper, int work)
{
	cleanup_close int fs = (int)syscall(SYS_fsopen, "overlay", FSOPEN_CLOEXEC);

	if (fs < 0 || set_layer(fs, "lowerdir", lower) < 0 ||
	    set_layer(fs, "upperdir", upper) < 0 || set_layer(fs, "workdir", work) < 0 ||
	    syscall(SYS_fsconfig, fs, FSCONFIG_SET_FLAG, "userxattr", NULL, 0) < 0 ||
	    syscall(SYS_fsconfig, fs, FSCONFIG_SET_FLAG, "volatile", NULL, 0) < 0 ||
	    syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0)
		return -1;
	return (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
}

/* Parts are copied from a mount that has a place: among the old ones, which go away. */
static int place_overlay(const struct overlay *overlay)
{
	cleanup_close int lower = open_old(overlay->lower, ".");
	cleanup_close int upper = open_old(overlay->layer, "upper");
	cleanup_close int work = open_old(overlay->layer, "work");
	cleanup_close int mount = make_overlay(lower, upper, work);

	if (mount < 0 || syscall(SYS_move_mount, mount, "", work, "",
	                         MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) < 0)
		return -1;
	return keep_fd(&mount);
}

/* One for each, or the kernel would let only the first be mounted. */
static int open_work(struct shown *of)
{
	char name[32];
	cleanup_close int work = open_old(of->overlay->layer, "work");

	snprintf(name, sizeof(name), "part%u", of->works++);
	if (work < 0 || mkdirat(work, name, 0700) < 0)
		return -1;
	return openat(work, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static int open_part(const struct shown *of, const char *name)
{
	return (int)syscall(SYS_open_tree, of->whole, name,
	                    OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_SYMLINK_NOFOLLOW);
}

static int make_part(struct shown *of, const char *name)
{
	cleanup_close int base = open_old(of->overlay->lower, ".");
	cleanup_close int layer = open_old(of->overlay->layer, "upper");
	cleanup_close int lower = base < 0 ? -1 : path_open_beneath(base, name, OPEN_LAYER);
	cleanup_close int upper = layer < 0 ? -1 : path_open_beneath(layer, name, OPEN_LAYER);
	cleanup_close int work = open_work(of);

	return make_overlay(lower, upper, work);
}

/*
 * All of them come from one overlay.  Where something is mounted in the directory below it,
 * the kernel refuses that to who has not mounted it; there each part is one, as long as
 * it has no mount in it.
 */
static int find_part(struct shown *of, const char *name)
{
	if (of->whole < 0 && !of->apart)
		of->whole = place_overlay(of->overlay);
	of->apart = of->overlay->apart && of->whole < 0;
	return of->whole >= 0 ? open_part(of, name) : of->apart ? make_part(of, name) : -1;
}

static int bind_part(struct shown *of, const char *name, int target)
{
	cleanup_close int part = find_part(of, name);

	if (part >= 0 && syscall(SYS_move_mount, part, "", target, "",
	                         MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) == 0)
		return 0;
	/* These words are known to attempt.c, which then does without. */
	dprintf(STDERR_FILENO, "no overlay can be mounted: %s\n", strerror(errno));
	_exit(1);
}

int bwrap_bind_mount_fd(int source, int target, unsigned int options, char **failing)
{
	unsigned int recursive = options & BIND_RECURSIVE ? AT_RECURSIVE : 0;
	struct shown *of = NULL;
	/* What is only read is the host's. */
	const char *part =
	        source != -1 && !(options & BIND_READONLY) ? part_of_overlay(source, &of) : NULL;
	cleanup_close int tree = -1;

	if (!whole_trees)
		return bind_mount_fd(source, target, options, failing);
	if (part)
		return bind_part(of, part, target);
	/* The machine's own files: written as before, but kept as they are (late_mounts.h). */
	if (source != -1 && (options & BIND_DEVICES) && is_device(source))
		options |= BIND_READONLY;
	if (source == -1)
		return set_flags(target, options, recursive) == 0
		               ? 0
		               : bind_mount_fd(source, target, options, failing);
	tree = (int)syscall(SYS_open_tree, source, "",
	                    OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH | recursive);
	if (tree == -1 || set_flags(tree, options, recursive) == -1 ||
	    syscall(SYS_move_mount, tree, "", target, "",
	            MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) == -1)
		return bind_mount_fd(source, target, options, failing);
	return 0;
}

/*
 * Sources are named by descriptor, and the kernel knows the canonical name of
 * what is behind one; realpath(3) would ask eight times for each.  bubblewrap
 * opens by this name again, and the inner stage compares what it got.
 */
char *bwrap_realpath(const char *path, char *buffer)
{
	char target[PATH_MAX];
	ssize_t length;

	/* Named by the kernel a moment ago. */
	for (const struct shown *one = shown; whole_trees && one; one = one->next)
		if (strncmp(path, one->overlay->layer, strlen(one->overlay->layer)) == 0)
			return strdup(path);
	if (!whole_trees || strncmp(path, "/proc/self/fd/", 14) != 0)
		return realpath(path, buffer);
	length = readlink(path, target, sizeof target);
	if (length <= 0 || (size_t)length >= sizeof target || target[0] != '/')
		return realpath(path, buffer);
	target[length] = '\0';
	/* Removed, or not to be found: its error is the right one. */
	if (access(target, F_OK) == -1)
		return realpath(path, buffer);
	return strdup(target);
}
