#include "linkpin.h"

#include "cleanup.h"
#include "memory.h"
#include "path.h"
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <linux/nsfs.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static pid_t child_of(pid_t parent)
{
	cleanup_free char *path = xasprintf("/proc/%d/task/%d/children", parent, parent);
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

static int pin(const struct mount *mount)
{
	cleanup_close int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	cleanup_close int link =
	        root < 0 ? -1 : path_open_beneath(root, mount->path + 1, O_PATH | O_NOFOLLOW);
	cleanup_close int copy = -1;
	struct stat st;

	if (link < 0 || fstat(link, &st) < 0)
		return -1;
	if (!S_ISLNK(st.st_mode) || st.st_dev != mount->dev || st.st_ino != mount->ino) {
		errno = ESTALE;
		return -1;
	}
	copy = (int)syscall(SYS_open_tree, link, "",
	                    OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH);
	if (copy < 0)
		return -1;
	return (int)syscall(SYS_move_mount, copy, "", link, "",
	                    MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH);
}

static int pin_all(const struct mounts *mounts, pid_t inside)
{
	if (enter(inside) < 0)
		return 1;
	for (size_t i = 0; i < mounts->count; i++)
		if (mounts->items[i].kind == MOUNT_LINK && pin(&mounts->items[i]) < 0)
			return 2;
	return 0;
}

int linkpin_apply(const struct mounts *mounts, pid_t bwrap, struct error *err)
{
	pid_t inside = child_of(bwrap);
	pid_t child;

	if (inside < 0)
		return error_system(err, "finding the sandbox's first process");
	/* In a process of its own: there is no way back out of a user namespace. */
	child = fork();
	if (child < 0)
		return error_system(err, "fork");
	if (child == 0)
		_exit(pin_all(mounts, inside));
	switch (spawn_wait(child)) {
	case 0:
		return 0;
	case 1:
		return error_set(err, EXIT_SYSTEM, "link",
		                 "could not enter the sandbox to protect a link");
	default:
		return error_set(
		        err, EXIT_SYSTEM, "link",
		        "could not protect a name that is a symbolic link; replace the link "
		        "by a directory or a gitdir file");
	}
}
