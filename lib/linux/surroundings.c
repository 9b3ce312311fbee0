#include "linux/surroundings.h"

#include "base/cleanup.h"
#include "fs/path.h"

#ifdef __linux__

#include "base/memory.h"
#include "linux/kernel_statx.h"
#include "linux/mount_table.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static bool read_only(const char *path)
{
	struct statvfs fs;

	return statvfs(path, &fs) == 0 && (fs.f_flag & ST_RDONLY) != 0;
}

static bool mount_root(const struct kernel_statx *stx)
{
	return (stx->attributes_mask & stx->attributes & KERNEL_STATX_IS_MOUNT_ROOT) != 0;
}

enum pinned {
	LOOSE,   /* something on the way can be renamed or replaced */
	PINNED,  /* nothing can, and the path exists */
	ABSENT,  /* nothing can, and the path cannot come into being */
	IS_LINK, /* the path is a link that cannot be replaced */
};

/*
 * Follows path from top down.  A name is pinned when it is a mount point
 * (rename and unlink answer EBUSY) or when its directory is read-only.
 */
static enum pinned pinned_below(const char *top, const char *path)
{
	cleanup_free char *at = xstrdup(path);
	size_t start = strlen(top) == 1 ? 1 : strlen(top) + 1;

	for (size_t end = start;; end++) {
		cleanup_free char *parent = NULL;
		struct kernel_statx stx;
		bool fixed;

		end += strcspn(at + end, "/");
		at[end] = '\0';
		parent = path_parent(at);
		fixed = read_only(parent);
		if (kernel_statx(AT_FDCWD, at, KERNEL_STATX_TYPE, &stx) < 0)
			return fixed && errno == ENOENT ? ABSENT : LOOSE;
		if (!fixed && !mount_root(&stx))
			return LOOSE;
		if (S_ISLNK(stx.mode))
			return path[end] == '\0' ? IS_LINK : LOOSE;
		if (path[end] == '\0')
			return PINNED;
		at[end] = '/';
	}
}

/*
 * Every mount below root is writable by the policy anyway, or closed: read-only
 * for "read", not there at all for "none".  except, NULL-terminated, are
 * directories that do not count.
 */
static bool mounts_hold(const struct permissions *permissions, const struct entry *root,
                        const char *const *except)
{
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	cleanup_free char *line = NULL;
	size_t room = 0;
	bool holds = mounts != NULL;

	while (holds && getline(&line, &room, mounts) > 0) {
		char *type;
		const char *point = mountinfo_point(line, &type);
		bool counts = point && strcmp(point, root->path) != 0 && path_is_normal(point) &&
		              path_contains(root->path, point);

		for (size_t i = 0; counts && except[i]; i++)
			counts = !path_contains(except[i], point);
		if (!point)
			holds = false;
		else if (counts)
			holds = permissions_resolve(permissions, point, NULL) == ACCESS_WRITE ||
			        (root->access == ACCESS_READ && read_only(point));
	}
	if (mounts) {
		holds = holds && feof(mounts);
		fclose(mounts);
	}
	return holds;
}

/* No mount below the carve-out reopens what the policy keeps closed. */
static bool submounts_hold(const struct permissions *permissions, const struct entry *entry)
{
	return mounts_hold(permissions, entry, (const char *const[]){NULL});
}

bool surroundings_read_only(const struct permissions *permissions)
{
	/* What is there belongs to the kernel or to root, or is private. */
	static const char *const except[] = {"/dev", "/proc", "/sys", NULL};
	char path[] = "/";
	const struct entry root = {.path = path, .access = ACCESS_READ};

	return read_only("/") && mounts_hold(permissions, &root, except);
}

static bool empty_directory(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *item;
	bool empty = dir != NULL;

	while (empty && (item = readdir(dir)) != NULL)
		empty = strcmp(item->d_name, ".") == 0 || strcmp(item->d_name, "..") == 0;
	if (dir)
		closedir(dir);
	return empty;
}

/* A mask: an empty directory, an empty file, /dev/null, or what we may not open. */
static bool shows_nothing(const char *path)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return false;
	if (access(path, R_OK) < 0 && errno == EACCES && access(path, X_OK) < 0 && errno == EACCES)
		return true;
	return S_ISDIR(st.st_mode)   ? empty_directory(path)
	       : S_ISREG(st.st_mode) ? st.st_size == 0
	                             : S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3);
}

bool surroundings_hold(const struct permissions *permissions, const char *top,
                       const struct entry *entry)
{
	switch (top ? pinned_below(top, entry->path) : PINNED) {
	case ABSENT:
		/* Nobody here can make it; somebody outside could, for us to read. */
		return entry->access == ACCESS_READ;
	case IS_LINK:
		/* The link is what is protected; its target has its own entry. */
		return entry->access == ACCESS_READ;
	case PINNED:
		return read_only(entry->path) && submounts_hold(permissions, entry) &&
		       (entry->access == ACCESS_READ || shows_nothing(entry->path));
	case LOOSE:
		break;
	}
	return false;
}

bool surroundings_have_only_loopback(void)
{
	FILE *devices = fopen("/proc/self/net/dev", "re");
	cleanup_free char *line = NULL;
	size_t room = 0;
	bool only = devices != NULL, found = false;

	/* Two lines of headings, then "  name: figures". */
	for (int i = 0; only && getline(&line, &room, devices) > 0; i++) {
		const char *name = line + strspn(line, " ");

		if (i < 2)
			continue;
		only = strncmp(name, "lo:", 3) == 0;
		found = true;
	}
	if (devices)
		fclose(devices);
	return only && found;
}

bool sockets_can_be_taken(void)
{
	cleanup_close int process = (int)syscall(SYS_pidfd_open, getpid(), 0);
	cleanup_close int fd =
	        process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, process, 0);

	return fd >= 0;
}

#else

bool surroundings_hold(const struct permissions *permissions, const char *top,
                       const struct entry *entry)
{
	(void)permissions, (void)top, (void)entry;
	return false;
}

bool surroundings_read_only(const struct permissions *permissions)
{
	(void)permissions;
	return false;
}

bool surroundings_have_only_loopback(void)
{
	return false;
}

bool sockets_can_be_taken(void)
{
	return false;
}

#endif

int nested_fits(const struct permissions *permissions, struct error *err)
{
	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		cleanup_free char *parent = path_parent(entry->path);

		if (entry->access == ACCESS_WRITE || entry->path[1] == '\0' ||
		    permissions_resolve(permissions, parent, NULL) != ACCESS_WRITE)
			continue;
		return error_set(err, EXIT_UNAVAILABLE, "nested",
		                 "sbx.nested: \"%s\" is protected in a writable directory, which "
		                 "cannot be enforced when the command may make user namespaces: "
		                 "use sbx.nested with a read-only policy, or leave it out",
		                 entry->path);
	}
	return 0;
}
