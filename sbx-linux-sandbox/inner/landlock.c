#include "inner/landlock.h"

#include "base/cleanup.h"
#include "fs/path.h"
#include "linux/landlock_fit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>

/* The headers of the build machine may be older than the kernel. */
#define FS_REFER        (1ULL << 13) /* ABI 2 */
#define FS_TRUNCATE     (1ULL << 14) /* ABI 3 */
#define FS_IOCTL_DEV    (1ULL << 15) /* ABI 5 */
#define NET_BIND_TCP    (1ULL << 0)  /* ABI 4 */
#define NET_CONNECT_TCP (1ULL << 1)  /* ABI 4 */
#define SCOPE_ABSTRACT  (1ULL << 0)  /* ABI 6 */
#define SCOPE_SIGNAL    (1ULL << 1)  /* ABI 6 */

#define FS_READ                                                                                    \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define FS_FILE                                                                                    \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |                               \
	 LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE | FS_IOCTL_DEV)

/* What a git of the host would follow, or wait for; git itself makes none in its own files. */
#define FS_FOLLOWED                                                                                \
	((uint64_t)(LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_MAKE_FIFO |                   \
	            LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK))

struct ruleset_attr {
	uint64_t fs, net, scoped;
};

/* By ABI: the file-system rights that exist. */
static uint64_t fs_rights(int abi)
{
	uint64_t rights = ((1ULL << 13) - 1) | FS_REFER;

	if (abi >= 3)
		rights |= FS_TRUNCATE;
	if (abi >= 5)
		rights |= FS_IOCTL_DEV;
	return rights;
}

/*
 * Paths of a policy have no link in them.  One that has since been put there leads to
 * a place that nobody allowed; what is not there cannot be used: neither has a rule.
 */
static int allow(int ruleset, const char *path, uint64_t rights, struct error *err)
{
	cleanup_close int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	cleanup_close int fd =
	        root < 0 ? -1 : path_open_beneath(root, path + 1, O_PATH | O_NOFOLLOW);
	struct landlock_path_beneath_attr rule = {.allowed_access = rights};
	struct stat st;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP))
		return 0;
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_system(err, "Landlock: \"%s\"", path);
	if (!S_ISDIR(st.st_mode))
		rule.allowed_access &= FS_FILE;
	if (S_ISLNK(st.st_mode))
		return 0;
	rule.parent_fd = fd;
	if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) < 0)
		return error_system(err, "Landlock: \"%s\"", path);
	return 0;
}

/* Of a shared /dev: what every program may use. */
static const char *const common_devices[] = {
        "/dev/null",    "/dev/zero", "/dev/full", "/dev/random",
        "/dev/urandom", "/dev/tty",  "/dev/ptmx", "/dev/pts",
};

static uint64_t rights_of(const struct entry *entry)
{
	if (entry->access != ACCESS_WRITE)
		return FS_READ;
	/* Outside of every writable root, the right to make links in it is nowhere else. */
	return path_has(entry->path, ".git") ? ~FS_FOLLOWED : ~0ULL;
}

static int allow_files(int ruleset, const struct permissions *permissions, bool private_dev,
                       uint64_t all, struct error *err)
{
	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];

		if (entry->access != ACCESS_NONE &&
		    allow(ruleset, entry->path, rights_of(entry) & all, err) < 0)
			return -1;
	}
	if (private_dev)
		return allow(ruleset, "/dev", all, err) < 0 ||
		                       allow(ruleset, "/dev/mqueue", all, err) < 0 ||
		                       allow(ruleset, "/proc", all & FS_READ, err) < 0
		               ? -1
		               : 0;
	for (size_t i = 0; i < sizeof(common_devices) / sizeof(common_devices[0]); i++)
		if (allow(ruleset, common_devices[i], all & (FS_FILE | FS_READ), err) < 0)
			return -1;
	return 0;
}

int landlock_apply(const struct permissions *permissions, const struct permissions *ground,
                   bool private_dev, bool files, struct error *err)
{
	int abi = landlock_abi();
	struct ruleset_attr attr = {0};
	cleanup_close int ruleset = -1;
	size_t size;

	if (abi == 0)
		return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : error_system(err, "Landlock");
	if (files)
		attr.fs = fs_rights(abi);
	if (abi >= 4 && permissions->network == NETWORK_OFF)
		attr.net = NET_BIND_TCP | NET_CONNECT_TCP;
	if (abi >= 6)
		attr.scoped = SCOPE_ABSTRACT | SCOPE_SIGNAL;
	if (!attr.fs && !attr.net && !attr.scoped)
		return 0;
	size = abi >= 6 ? sizeof(attr) : abi >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
	ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, size, 0);
	if (ruleset < 0)
		return error_system(err, "Landlock: making a ruleset");
	if (files &&
	    allow_files(ruleset, ground ? ground : permissions, private_dev, attr.fs, err) < 0)
		return -1;
	if (syscall(SYS_landlock_restrict_self, ruleset, 0) < 0)
		return error_system(err, "Landlock: restricting");
	return abi;
}
