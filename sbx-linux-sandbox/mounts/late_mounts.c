#include "mounts/late_mounts.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"
#include "network/loopback.h"
#include "process/spawn.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <linux/nsfs.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif

pid_t first_inside(pid_t bwrap)
{
	cleanup_free char *path = xasprintf("/proc/%d/task/%d/children", bwrap, bwrap);
	FILE *file = fopen(path, "re");
	int child = -1;

	if (!file)
		return -1;
	if (fscanf(file, "%d", &child) != 1)
		child = -1;
	fclose(file);
	return child;
}

/* The mount namespace belongs to a user namespace that is ours by birth. */
static int enter(pid_t inside)
{
	cleanup_free char *path = xasprintf("/proc/%d/ns/mnt", inside);
	cleanup_close int mounts = open(path, O_RDONLY | O_CLOEXEC);
	cleanup_close int user = mounts < 0 ? -1 : ioctl(mounts, NS_GET_USERNS);

	if (user < 0 || setns(user, CLONE_NEWUSER) < 0 || setns(mounts, CLONE_NEWNS) < 0)
		return -1;
	return 0;
}

/* Where that is the host's, what was entered gives no right to it. */
static void set_up_network(int network)
{
	if (network >= 0 && setns(network, CLONE_NEWNET) == 0)
		loopback_addresses();
}

/* A link cannot be written; anything else is to be read-only with what is mounted in it. */
static int copy_of(int fd, bool link)
{
	struct mount_attr attr = {.attr_set = MOUNT_ATTR_RDONLY};
	unsigned flags = AT_EMPTY_PATH | (link ? 0 : AT_RECURSIVE);
	cleanup_close int copy =
	        (int)syscall(SYS_open_tree, fd, "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | flags);

	if (copy < 0 ||
	    (!link && syscall(SYS_mount_setattr, copy, "", flags, &attr, sizeof(attr)) < 0))
		return -1;
	return keep_fd(&copy);
}

static int pin(const struct mount *mount)
{
	cleanup_close int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	cleanup_close int link =
	        root < 0 ? -1 : path_open_beneath(root, mount->path + 1, O_PATH | O_NOFOLLOW);
	cleanup_close int copy = -1;
	struct stat st;

	if (link < 0 || fstat(link, &st) < 0)
		return -1;
	/* A copy has numbers of its own. */
	if (!mount->copied && (st.st_dev != mount->dev || st.st_ino != mount->ino)) {
		errno = ESTALE;
		return -1;
	}
	copy = copy_of(link, S_ISLNK(st.st_mode));
	if (copy < 0)
		return -1;
	return (int)syscall(SYS_move_mount, copy, "", link, "",
	                    MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH);
}

static bool is_gone(void)
{
	return errno == ESTALE || errno == ENOENT || errno == ENOTDIR || errno == ELOOP;
}

static int pin_all(const struct mounts *mounts)
{
	for (size_t i = 0; i < mounts->count; i++) {
		const struct mount *mount = &mounts->items[i];

		if (mount->kind == MOUNT_LINK && pin(mount) < 0 && !(mount->passing && is_gone()))
			return -1;
	}
	return 0;
}

/*
 * Before Linux 5.12 a mount takes all of its flags at once, and by its name:
 * /proc is of the processes inside, and has none for us.
 */
static int remount_read_only(const char *name)
{
	static const struct {
		unsigned long seen, flag;
	} flags[] = {
	        {ST_NOSUID, MS_NOSUID},         {ST_NODEV, MS_NODEV},
	        {ST_NOEXEC, MS_NOEXEC},         {ST_NOATIME, MS_NOATIME},
	        {ST_NODIRATIME, MS_NODIRATIME}, {ST_RELATIME, MS_RELATIME},
	};
	cleanup_free char *path = xasprintf("/dev/%s", name);
	unsigned long all = MS_REMOUNT | MS_BIND | MS_RDONLY;
	struct statvfs fs;

	if (statvfs(path, &fs) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (fs.f_flag & flags[i].seen)
			all |= flags[i].flag;
	return (int)syscall(SYS_mount, "none", path, NULL, all, NULL);
}

static int seal_device(int dev, const char *name)
{
	struct mount_attr attr = {.attr_set = MOUNT_ATTR_RDONLY};
	cleanup_close int fd = openat(dev, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -1;
	if (!S_ISCHR(st.st_mode) ||
	    syscall(SYS_mount_setattr, fd, "", AT_EMPTY_PATH, &attr, sizeof(attr)) == 0)
		return 0;
	return remount_read_only(name);
}

static int seal_devices(void)
{
	DIR *directory = opendir("/dev");
	const struct dirent *entry;
	int result = directory ? 0 : -1;

	while (result == 0 && (errno = 0, entry = readdir(directory)) != NULL)
		result = seal_device(dirfd(directory), entry->d_name);
	if (result == 0 && errno)
		result = -1;
	if (directory)
		closedir(directory);
	return result;
}

enum outcome { DONE, NOT_ENTERED, NOT_PRIVATE, NOT_PINNED, NOT_SEALED };

static enum outcome finish(const struct mounts *mounts, bool foreign, pid_t inside)
{
	cleanup_free char *path = xasprintf("/proc/%d/ns/net", inside);
	cleanup_close int network = foreign ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (enter(inside) < 0)
		return NOT_ENTERED;
	set_up_network(network);
	if (foreign &&
	    syscall(SYS_mount, NULL, "/", NULL, MS_SILENT | MS_REC | MS_PRIVATE, NULL) < 0)
		return NOT_PRIVATE;
	if (pin_all(mounts) < 0)
		return NOT_PINNED;
	return foreign && seal_devices() < 0 ? NOT_SEALED : DONE;
}

int finish_mounts(const struct mounts *mounts, bool foreign, pid_t bwrap, struct error *err)
{
	pid_t inside = first_inside(bwrap);
	pid_t child;

	if (inside < 0)
		return error_system(err, "finding the sandbox's first process");
	/* In a process of its own: there is no way back out of a user namespace. */
	child = fork();
	if (child < 0)
		return error_system(err, "fork");
	if (child == 0)
		_exit(finish(mounts, foreign, inside));
	switch (spawn_wait(child)) {
	case DONE:
		return 0;
	case NOT_ENTERED:
		return error_set(err, EXIT_SYSTEM, "mounts",
		                 "could not enter the sandbox to finish its mounts");
	case NOT_PRIVATE:
		return error_set(err, EXIT_SYSTEM, "mounts",
		                 "could not keep the mounts of the host out of the sandbox");
	case NOT_PINNED:
		return error_set(
		        err, EXIT_SYSTEM, "link",
		        "could not protect a name that is a symbolic link or a temporary of "
		        "others; replace the link by a directory or a gitdir file, or use --tmp "
		        "private");
	default:
		return error_set(err, EXIT_SYSTEM, "devices",
		                 "could not protect the device files; -c sbx.bwrap=\"vendored\" "
		                 "needs no help for that");
	}
}
