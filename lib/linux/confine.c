#include "linux/confine.h"

#include "base/cleanup.h"
#include "fs/path.h"

#include <errno.h>

#ifdef __linux__

#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* The headers of the build machine may be older than the kernel. */
#define FS_REFER        (1ULL << 13) /* ABI 2 */
#define FS_TRUNCATE     (1ULL << 14) /* ABI 3 */
#define NET_BIND_TCP    (1ULL << 0)  /* ABI 4 */
#define NET_CONNECT_TCP (1ULL << 1)  /* ABI 4 */

/* Everything that changes something; what can be read was judged by the sandbox. */
#define FS_CHANGES                                                                                 \
	((uint64_t)(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |                   \
	            LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |               \
	            LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |                   \
	            LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |                   \
	            LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |                 \
	            LANDLOCK_ACCESS_FS_MAKE_SYM))

/* What a patch does to files and directories; a tree has more kinds of them. */
#define FS_FILES                                                                                   \
	((uint64_t)(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |                \
	            LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |                 \
	            LANDLOCK_ACCESS_FS_MAKE_REG))

struct ruleset_attr {
	uint64_t fs, net;
};

#define FS_TREES                                                                                   \
	(FS_FILES | (uint64_t)(LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_MAKE_FIFO |        \
	                       LANDLOCK_ACCESS_FS_MAKE_SOCK | FS_REFER | FS_TRUNCATE))

static int allow(int ruleset, int directory, uint64_t access)
{
	struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = directory};

	return (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

/* No link is followed on the way. */
static int open_directory(const char *path)
{
	cleanup_close int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	return root < 0 ? -1 : path_open_beneath(root, path + 1, O_PATH | O_DIRECTORY | O_NOFOLLOW);
}

static int allow_all(int ruleset, char *const *directories, uint64_t access, struct error *err)
{
	for (; directories && *directories; directories++) {
		cleanup_close int fd = open_directory(*directories);

		if (fd >= 0 && allow(ruleset, fd, access) < 0)
			return error_system(err, "the writer of changes: \"%s\"", *directories);
	}
	return 0;
}

int confine_to(char *const *directories, char *const *emptied, int journal, enum confined_to what,
               struct error *err)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
	struct ruleset_attr attr = {.fs = FS_CHANGES | (abi >= 2 ? FS_REFER : 0) |
	                                  (abi >= 3 ? FS_TRUNCATE : 0),
	                            .net = NET_BIND_TCP | NET_CONNECT_TCP};
	uint64_t access = what == CONFINED_TO_FILES ? FS_FILES : FS_TREES & attr.fs;
	cleanup_close int ruleset = -1;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return error_system(err, "the writer of changes: no new privileges");
	if (abi < 1 && (errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM))
		return 0;
	/* The first Landlock lets nobody rename from one directory to another. */
	if (abi == 1 && what == CONFINED_TO_TREES)
		return 0;
	ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr,
	                       abi >= 4 ? sizeof(attr) : sizeof(attr.fs), 0);
	if (ruleset < 0 || (journal >= 0 && allow(ruleset, journal, access) < 0))
		return error_system(err, "the writer of changes: Landlock");
	if (allow_all(ruleset, directories, access, err) < 0 ||
	    allow_all(ruleset, emptied, LANDLOCK_ACCESS_FS_REMOVE_DIR, err) < 0)
		return -1;
	if (syscall(SYS_landlock_restrict_self, ruleset, 0) < 0)
		return error_system(err, "the writer of changes: Landlock");
	return 0;
}

#else

int confine_to(char *const *directories, char *const *emptied, int journal, enum confined_to what,
               struct error *err)
{
	(void)directories, (void)emptied, (void)journal, (void)what, (void)err;
	return 0;
}

#endif
