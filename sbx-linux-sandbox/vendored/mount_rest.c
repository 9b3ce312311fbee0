#include "vendored/mount_rest.h"

#include "base/cleanup.h"
#include "fs/path.h"
#include "linux/kernel_release.h"
#include "vendored/fast_bind.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

int bwrap_umount2(const char *path, int flags);

/* False: it runs under its own name. */
static bool ours;

/* NULL: bubblewrap makes them all. */
static const struct mounts *later;

static bool is_ours(const struct mounts *mounts, size_t number)
{
	const struct mount *m = &mounts->items[number];

	return number > 0 && !path_contains("/dev", m->path) && !path_contains("/proc", m->path) &&
	       (m->kind == MOUNT_READ || m->kind == MOUNT_WRITE || m->kind == MOUNT_EMPTY ||
	        m->kind == MOUNT_SEAL);
}

/* What bubblewrap mounts comes first, so nothing of ours may cover it. */
static bool is_covered(const struct mounts *mounts, const char *path)
{
	for (size_t i = 0; i < mounts->count; i++)
		if (is_ours(mounts, i) && path_contains(mounts->items[i].path, path))
			return true;
	return false;
}

/* At once: what is written in it, or reopened in it, has no place yet. */
static bool is_sealed(const struct mounts *mounts, size_t number)
{
	const struct mount *m = &mounts->items[number], *next = m + 1;

	return number + 1 < mounts->count && next->kind == MOUNT_SEAL &&
	       strcmp(next->path, m->path) == 0;
}

static bool can_be_left(const struct mounts *mounts)
{
	if (!kernel_at_least(5, 12) || mounts->count == 0 || mounts->items[0].kind == MOUNT_EMPTY)
		return false;
	for (size_t i = 0; i < mounts->count; i++) {
		const struct mount *m = &mounts->items[i];

		if (m->kind == MOUNT_EMPTY && !is_sealed(mounts, i))
			return false;
		if (!is_ours(mounts, i) && m->kind != MOUNT_LINK && i > 0 &&
		    is_covered(mounts, m->path))
			return false;
	}
	return true;
}

static int bind(int source, int target, bool read_only)
{
	char *failing;

	return bwrap_bind_mount_fd(source, target, BIND_RECURSIVE | (read_only ? BIND_READONLY : 0),
	                           &failing) == 0
	               ? 0
	               : -1;
}

static int show(int old, const struct mount *m, int target)
{
	cleanup_close int source =
	        path_open_beneath(old, (m->source ? m->source : m->path) + 1, O_PATH | O_NOFOLLOW);
	struct stat st;

	if (source < 0 || fstat(source, &st) < 0)
		return -1;
	if (st.st_dev != m->dev || st.st_ino != m->ino) {
		errno = ESTALE;
		return -1;
	}
	return bind(source, target, m->kind == MOUNT_READ);
}

/* All that are closed to everybody alike are one: nothing is ever in them. */
static int hide(int new, const struct mount *m, int target)
{
	static int empty = -1;
	static unsigned perms;
	char name[64], mode[16];

	if (empty >= 0 && perms == m->perms)
		return bind(empty, target, true);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", target);
	snprintf(mode, sizeof(mode), "mode=%04o", m->perms);
	if (mount("tmpfs", name, "tmpfs", MS_NOSUID | MS_NODEV, mode) < 0)
		return -1;
	if (empty >= 0)
		close(empty);
	perms = m->perms;
	empty = path_open_beneath(new, m->path + 1, O_PATH | O_NOFOLLOW);
	return empty < 0 ? -1 : bind(-1, empty, true);
}

/* What is closed in the copy of a cache may be missing there. */
static int open_place(int new, const char *path, bool make)
{
	int fd = path_open_beneath(new, path + 1, O_PATH | O_NOFOLLOW);
	cleanup_free char *parent = NULL;
	cleanup_close int above = -1;

	if (fd >= 0 || !make || errno != ENOENT)
		return fd;
	parent = path_parent(path);
	above = open_place(new, parent, true);
	if (above < 0 || (mkdirat(above, strrchr(path, '/') + 1, 0755) < 0 && errno != EEXIST))
		return -1;
	return path_open_beneath(new, path + 1, O_PATH | O_NOFOLLOW);
}

static int mount_one(int old, int new, const struct mount *m)
{
	cleanup_close int target = open_place(new, m->path, m->kind == MOUNT_EMPTY);

	if (target < 0)
		return -1;
	/* What hides is sealed from the beginning. */
	if (m->kind == MOUNT_SEAL)
		return 0;
	return m->kind == MOUNT_EMPTY ? hide(new, m, target) : show(old, m, target);
}

void mount_rest_later(const struct mounts *mounts)
{
	ours = true;
	later = can_be_left(mounts) ? mounts : NULL;
}

bool mount_is_left(size_t number)
{
	return later && is_ours(later, number);
}

/* These words are known to attempt.c: something has changed. */
_Noreturn static void cannot(const char *path)
{
	dprintf(STDERR_FILENO, "bwrap: Can't open source %s: %s\n", path, strerror(errno));
	_exit(1);
}

static void make_rest(const struct mounts *mounts)
{
	cleanup_close int old = open("/oldroot", O_PATH | O_DIRECTORY | O_CLOEXEC);
	cleanup_close int new = open("/newroot", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (old < 0 || new < 0)
		cannot("/");
	for (size_t i = 0; i < mounts->count; i++)
		if (is_ours(mounts, i) && mount_one(old, new, &mounts->items[i]) < 0)
			cannot(mounts->items[i].path);
}

/*
 * The old root goes with what it is mounted on, a moment later; bubblewrap ends if that
 * fails.  A umount() of its own would wait for all processors once more.
 */
int bwrap_umount2(const char *path, int flags)
{
	if (!ours || strcmp(path, "oldroot") != 0)
		return umount2(path, flags);
	if (later)
		make_rest(later);
	return 0;
}
