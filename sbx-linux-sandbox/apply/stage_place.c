#include "apply/stage_place.h"

#include "apply/stage.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/fd_path.h"
#include "fs/path.h"
#include "linux/kernel_statx.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files of one project of a quota are not renamed into another's directories. */
static unsigned project(const char *path)
{
	cleanup_close int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct fsxattr about;

	return fd >= 0 && ioctl(fd, FS_IOC_FSGETXATTR, &about) == 0 ? about.fsx_projid : 0;
}

/* From one to the other is a rename; two mounts of one file system are two. */
static bool is_one_tree(const char *a, const char *b)
{
	unsigned wanted = KERNEL_STATX_TYPE | KERNEL_STATX_MOUNT_ID;
	struct kernel_statx x, y;

	return kernel_statx(AT_FDCWD, a, wanted, &x) == 0 &&
	       kernel_statx(AT_FDCWD, b, wanted, &y) == 0 && (x.mask & KERNEL_STATX_MOUNT_ID) &&
	       x.mount_id == y.mount_id && x.devices[2] == y.devices[2] &&
	       x.devices[3] == y.devices[3] && project(a) == project(b);
}

static bool is_own(const char *path)
{
	cleanup_close int fd = open_without_links(path);
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	       faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) == 0;
}

/* Never "/", which is no place for a file that a kill would leave. */
static char *highest_above(const char *root)
{
	cleanup_free char *parent = path_parent(root);
	char *higher;

	if (parent[1] == '\0' || !is_one_tree(parent, root))
		return NULL;
	higher = highest_above(parent);
	if (!higher && is_own(parent))
		higher = xstrdup(parent);
	return higher;
}

char *stage_place(int kept, const char *root)
{
	char name[PATH_MAX];
	char *found;

	if (fd_name(kept, name) == 0 && is_one_tree(name, root))
		return xstrdup(name);
	found = highest_above(root);
	return found ? found : xstrdup(root);
}
