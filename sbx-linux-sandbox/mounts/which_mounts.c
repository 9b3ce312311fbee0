#include "mounts/which_mounts.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"
#include "linux/kernel_release.h"
#include "mounts/kernel_mounts.h"
#include "mounts/name_files.h"
#include "policy/slash_tmp.h"
#include "tmp/mount_points.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct planner {
	const struct permissions *given;
	const struct stubs *stubs;
	struct permissions all; /* given, plus what mounts need to hold */
	struct mounts *mounts;
	const struct private_tmp *tmp; /* NULL: the host's */
	int root;
	/* Masks whose contents are still being laid out, outermost first. */
	const char **open_masks;
	size_t open_count;
};

static enum access parent_access(const struct permissions *permissions, const char *path)
{
	cleanup_free char *parent = path_parent(path);

	return permissions_resolve(permissions, parent, NULL);
}

/* What is made at this path inside is not the host's. */
static bool is_private(const struct planner *planner, const char *path)
{
	return planner->tmp && tmp_decides(planner->given, planner->tmp->at, path);
}

/*
 * A read-only mount at /ws/a/.git is worth nothing if /ws/a can be renamed
 * and built anew.  A directory that is a mount point cannot be renamed, so
 * each directory between the writable root and the protected path is bound
 * onto itself: to the plan, one more write entry.
 */
static void pin_ancestors(struct planner *planner)
{
	const struct permissions *given = planner->given;
	cleanup_free char *last = NULL;

	for (size_t i = 0; i < given->count; i++) {
		const struct entry *entry = &given->entries[i];
		cleanup_free char *at = NULL;

		if (entry->access == ACCESS_WRITE || entry->path[1] == '\0')
			continue;
		at = path_parent(entry->path);
		/* Neighbours share their ancestors. */
		if (last && strcmp(last, at) == 0)
			continue;
		free(last);
		last = xstrdup(at);
		/* In the private /tmp nothing is the host's, whatever is done to its names. */
		while (at[1] != '\0' && permissions_resolve(given, at, NULL) == ACCESS_WRITE &&
		       !is_private(planner, at)) {
			char *up = path_parent(at);

			permissions_add(&planner->all, at, ACCESS_WRITE);
			free(at);
			at = up;
		}
	}
}

/* 1: opened, 0: nothing there, -1: must not be used. */
static int open_source(struct planner *planner, const char *path, int *fd, struct stat *st,
                       struct error *err)
{
	*fd = path_open_beneath(planner->root, path + 1, O_PATH | O_NOFOLLOW);
	if (*fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (*fd < 0 && errno == ELOOP)
		return error_set(
		        err, EXIT_INPUT, "bad-policy",
		        "\"%s\": goes through a symbolic link; the policy needs the real path",
		        path);
	if (*fd < 0)
		return error_system(err, "opening \"%s\"", path);
	if (fstat(*fd, st) < 0) {
		close(*fd);
		return error_system(err, "looking at \"%s\"", path);
	}
	return 1;
}

/* Takes the fd over. */
static void hide(struct planner *planner, size_t i, int fd, const struct stat *st)
{
	const char *path = planner->all.entries[i].path;

	if (!S_ISDIR(st->st_mode)) {
		mounts_append_source(planner->mounts, MOUNT_HIDE_FILE, path, fd, st);
		return;
	}
	/* Searchable only when something inside is reopened. */
	mounts_append_empty(planner->mounts, path, permissions_reopen(&planner->all, i) ? 0111 : 0);
	mount_set_source(&planner->mounts->items[planner->mounts->count - 1], fd, st);
	planner->open_masks = xrealloc_array(planner->open_masks, planner->open_count + 1,
	                                     sizeof(*planner->open_masks));
	planner->open_masks[planner->open_count++] = path;
}

/* A mask becomes read-only as soon as everything inside it is in place. */
static void seal_masks(struct planner *planner, const char *next)
{
	while (planner->open_count > 0) {
		const char *mask = planner->open_masks[planner->open_count - 1];

		if (next && path_contains(mask, next))
			return;
		mounts_append(planner->mounts, MOUNT_SEAL, mask);
		planner->open_count--;
	}
}

/* In memory, for this run alone: a directory of a disk cannot be bounded by whoever is no root. */
static void plan_bounded_tmp(struct planner *planner)
{
	const struct private_tmp *tmp = planner->tmp;
	struct mount *mount = mounts_append(planner->mounts, MOUNT_EMPTY, tmp->at);

	mount->perms = 0700;
	mount->most = tmp->most;
	for (size_t i = 0; i < tmp->directory_count; i++)
		mounts_append(planner->mounts, MOUNT_DIRECTORY, tmp->directories[i])->perms = 0700;
}

static int plan_private_tmp(struct planner *planner, struct error *err)
{
	const struct private_tmp *tmp = planner->tmp;
	cleanup_close int fd = fcntl(tmp->fd, F_DUPFD_CLOEXEC, 3);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return error_system(err, "looking at \"%s\"", tmp->path);
	if (tmp->most) {
		plan_bounded_tmp(planner);
		return 0;
	}
	mounts_append_source(planner->mounts, MOUNT_WRITE, tmp->at, keep_fd(&fd), &st);
	planner->mounts->items[planner->mounts->count - 1].source = xstrdup(tmp->path);
	return 0;
}

/*
 * Something of the host's at its own place in the private /tmp; st is NULL where
 * the host has nothing: what the policy closes is then an empty directory.
 */
static int plan_in_private(struct planner *planner, const struct entry *entry,
                           const struct stat *st, struct error *err)
{
	if ((!st && entry->access == ACCESS_WRITE) || (st && S_ISLNK(st->st_mode)))
		return 0;
	if (mount_point_make(planner->tmp, entry->path, !st || S_ISDIR(st->st_mode), err) < 0)
		return -1;
	if (!st) {
		mounts_append_empty(planner->mounts, entry->path,
		                    entry->access == ACCESS_READ ? 0555 : 0);
		mounts_append(planner->mounts, MOUNT_SEAL, entry->path);
	}
	return st != NULL;
}

/*
 * Where even the directory of a protected name is missing, the stub stands for
 * the directory: writable, its owner could make the name in it.
 */
static enum mount_kind kind_of_write(const struct planner *planner, const char *path,
                                     const struct stat *st)
{
	if (stubs_contain(planner->stubs, st))
		return MOUNT_READ;
	return path_contains("/dev", path) ? MOUNT_DEVICE : MOUNT_WRITE;
}

/* Takes the fd over where the mount needs it. */
static int plan_source(struct planner *planner, size_t i, enum access around, int *fd,
                       const struct stat *st, struct error *err)
{
	const struct entry *entry = &planner->all.entries[i];

	if (S_ISLNK(st->st_mode)) {
		if (entry->access == ACCESS_WRITE)
			return error_set(
			        err, EXIT_INPUT, "bad-policy",
			        "\"%s\": is a symbolic link; a writable root needs the real path",
			        entry->path);
		/* What it points to has an entry of its own; here the name is kept. */
		if (around == ACCESS_WRITE)
			mounts_append_source(planner->mounts, MOUNT_LINK, entry->path, keep_fd(fd),
			                     st);
		return 0;
	}
	switch (entry->access) {
	case ACCESS_WRITE:
		mounts_append_source(planner->mounts, kind_of_write(planner, entry->path, st),
		                     entry->path, keep_fd(fd), st);
		return 0;
	case ACCESS_READ:
		if (around != ACCESS_READ)
			mounts_append_source(planner->mounts, MOUNT_READ, entry->path, keep_fd(fd),
			                     st);
		return 0;
	case ACCESS_NONE:
		/* On the way to what is reopened, a directory would be made that can be listed. */
		if (around != ACCESS_NONE || permissions_reopen(&planner->all, i))
			hide(planner, i, keep_fd(fd), st);
		return 0;
	}
	return error_set(err, EXIT_INPUT, "bad-policy", "\"%s\": unknown access", entry->path);
}

static int plan_entry(struct planner *planner, size_t i, struct error *err)
{
	const struct entry *entry = &planner->all.entries[i];
	enum access around = parent_access(&planner->all, entry->path);
	cleanup_free char *parent = path_parent(entry->path);
	size_t count = planner->mounts->count;
	cleanup_close int fd = -1;
	struct stat st;
	bool island;
	int got;

	if (planner->tmp && strcmp(entry->path, planner->tmp->at) == 0)
		return plan_private_tmp(planner, err);
	/* What mounts need to hold, they need for the host's files only. */
	if (is_private(planner, entry->path))
		return 0;
	island = is_private(planner, parent);
	got = open_source(planner, entry->path, &fd, &st, err);
	if (got >= 0 && island)
		got = plan_in_private(planner, entry, got ? &st : NULL, err);
	if (got <= 0)
		return got;
	got = plan_source(planner, i, around, &fd, &st, err);
	/* An island is mounted on a name in the private /tmp, which the host's cannot undo. */
	if (planner->mounts->count > count && !island)
		planner->mounts->items[count].around = around;
	return got;
}

/* What of /proc is the machine's, not a process's: root may write there. */
static const char *const machine_switches[] = {
        "/proc/sys",  "/proc/sysrq-trigger", "/proc/irq",    "/proc/bus",
        "/proc/fs",   "/proc/acpi",          "/proc/scsi",   "/proc/driver",
        "/proc/mtrr", "/proc/tty",           "/proc/asound", "/proc/latency_stats",
};

static int plan_machine_switches(struct planner *planner, struct error *err)
{
	for (size_t i = 0; i < sizeof(machine_switches) / sizeof(machine_switches[0]); i++) {
		struct stat st;
		int fd, got = open_source(planner, machine_switches[i], &fd, &st, err);

		if (got < 0)
			return -1;
		if (got > 0)
			mounts_append_source(planner->mounts, MOUNT_READ, machine_switches[i], fd,
			                     &st);
	}
	return 0;
}

static int plan_proc(struct planner *planner, const struct mounts_options *options,
                     struct error *err)
{
	if (!options->no_proc) {
		mounts_append(planner->mounts, MOUNT_PROC, "/proc");
		if (options->open_proc)
			return plan_machine_switches(planner, err);
		/* Root keeps its uid inside: sysctls would be writable for it. */
		mounts_append(planner->mounts, MOUNT_SEAL, "/proc");
	} else if (options->hide_proc) {
		mounts_append_empty(planner->mounts, "/proc", 0555);
		mounts_append(planner->mounts, MOUNT_SEAL, "/proc");
	}
	return 0;
}

static int plan_root(struct planner *planner, struct error *err)
{
	const struct entry *root = permissions_find(&planner->all, "/");
	struct stat st;
	int fd;

	if (!root || root->access == ACCESS_NONE) {
		mounts_append_empty(planner->mounts, "/", 0755);
		return 0;
	}
	fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_system(err, "opening /");
	mounts_append_source(planner->mounts,
	                     root->access == ACCESS_WRITE ? MOUNT_WRITE : MOUNT_READ, "/", fd, &st);
	return 0;
}

/*
 * An empty root needs the top-level links of a merged /usr: programs name
 * their loader as /lib64/..., which is a link on most systems.
 */
static int plan_root_links(struct planner *planner, struct error *err)
{
	DIR *dir = opendir("/");
	const struct dirent *found;

	if (!dir)
		return error_system(err, "reading /");
	while ((found = readdir(dir)) != NULL) {
		cleanup_free char *path = xasprintf("/%s", found->d_name);
		cleanup_free char *real = NULL;
		char target[4096];
		ssize_t len;

		len = found->d_type == DT_LNK ? readlink(path, target, sizeof(target) - 1) : -1;
		if (len < 0 || permissions_find(&planner->all, path))
			continue;
		target[len] = '\0';
		real = realpath(path, NULL);
		if (real && permissions_show(&planner->all, real))
			mounts_append(planner->mounts, MOUNT_SYMLINK, path)->target =
			        xstrdup(target);
	}
	closedir(dir);
	return 0;
}

/*
 * bubblewrap makes the name that it mounts on: one that was removed meanwhile
 * would be there again, in the host's directory, for ever.  late_mounts.c makes
 * none, but needs Linux 5.12 for what is no link.
 */
static enum mount_kind kind_of_passing(const struct stat *st)
{
	return S_ISLNK(st->st_mode) || kernel_at_least(5, 12) ? MOUNT_LINK : MOUNT_READ;
}

/* Each lies in a place that is mounted by now, and has nothing mounted in it. */
static int plan_passing(struct planner *planner, char *const *passing, struct error *err)
{
	for (; passing && *passing; passing++) {
		cleanup_close int fd = -1;
		struct stat st;
		int got = open_source(planner, *passing, &fd, &st, err);

		if (got < 0)
			return -1;
		if (got == 0)
			continue;
		mounts_append_source(planner->mounts, kind_of_passing(&st), *passing, keep_fd(&fd),
		                     &st);
		planner->mounts->items[planner->mounts->count - 1].passing = true;
	}
	return 0;
}

int mounts_plan(const struct permissions *permissions, const struct mounts_options *options,
                struct mounts *mounts, struct error *err)
{
	struct planner planner = {.given = permissions,
	                          .stubs = options->stubs,
	                          .mounts = mounts,
	                          .tmp = options->tmp};
	cleanup_close int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int result = -1;

	memset(mounts, 0, sizeof(*mounts));
	if (root < 0)
		return error_system(err, "opening /");
	planner.root = root;
	for (size_t i = 0; i < permissions->count; i++)
		permissions_add(&planner.all, permissions->entries[i].path,
		                permissions->entries[i].access);
	planner.all.network = permissions->network;
	pin_ancestors(&planner);
	/* Last: what is pinned would be writable again. */
	if (kernelfs_protect(&planner.all, err) < 0)
		goto out;

	if (plan_root(&planner, err) < 0)
		goto out;
	if (mounts->items[0].kind == MOUNT_EMPTY && plan_root_links(&planner, err) < 0)
		goto out;
	mounts_append(mounts, MOUNT_DEV, "/dev");
	if (plan_proc(&planner, options, err) < 0)
		goto out;
	for (size_t i = 0; i < planner.all.count; i++) {
		const char *path = planner.all.entries[i].path;

		seal_masks(&planner, path);
		if (path[1] != '\0' && plan_entry(&planner, i, err) < 0)
			goto out;
	}
	seal_masks(&planner, NULL);
	if (plan_passing(&planner, options->passing, err) < 0)
		goto out;
	if (permissions->network == NETWORK_HOSTS && plan_name_files(permissions, mounts, err) < 0)
		goto out;
	if (mounts->items[0].kind == MOUNT_EMPTY)
		mounts_append(mounts, MOUNT_SEAL, "/");
	result = 0;
out:
	free(planner.open_masks);
	permissions_free(&planner.all);
	if (result < 0)
		mounts_free(mounts);
	return result;
}
