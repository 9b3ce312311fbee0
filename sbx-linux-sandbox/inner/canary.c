#include "inner/canary.h"

#include "base/cleanup.h"
#include "fs/path.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>

/* The machine's device files: a root caller owns them. */
static int verify_devices(struct error *err)
{
	static const char *const devices[] = {"/dev/null",   "/dev/zero",    "/dev/full",
	                                      "/dev/random", "/dev/urandom", "/dev/tty",
	                                      "/dev/console"};

	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		struct statvfs fs;

		if (statvfs(devices[i], &fs) < 0) {
			if (errno == ENOENT)
				continue;
			return error_system(err, "checking \"%s\"", devices[i]);
		}
		if (!(fs.f_flag & ST_RDONLY))
			return error_set(err, EXIT_SYSTEM, "canary",
			                 "\"%s\" is not mounted read-only", devices[i]);
	}
	return 0;
}

/* Blanks in a path are written as \\040, so that no path can look like this. */
static bool takes_part(const char *table, size_t size)
{
	return memmem(table, size, " master:", 8) || memmem(table, size, " shared:", 8);
}

/* What is mounted outside during the run must not appear inside, where it would be writable. */
static int verify_propagation(struct error *err)
{
	cleanup_close int fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	char table[32768];
	size_t kept = 0, all;
	ssize_t n;

	/* Where /proc is hidden nobody can look. */
	if (fd < 0)
		return errno == ENOENT ? 0 : error_system(err, "reading the mounts");
	while ((n = read(fd, table + kept, sizeof(table) - kept)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_system(err, "reading the mounts");
		all = kept + (size_t)n;
		if (takes_part(table, all))
			return error_set(err, EXIT_SYSTEM, "canary",
			                 "mounts made outside would appear in the sandbox");
		/* The word may lie across the border. */
		kept = all < 8 ? all : 8;
		memmove(table, table + all - kept, kept);
	}
	return 0;
}

static bool is_overlay(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == OVERLAYFS_SUPER_MAGIC;
}

int verify_mounts(const struct plan *plan, struct error *err)
{
	cleanup_close int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (root < 0)
		return error_system(err, "opening /");
	for (size_t i = 0; i < plan->mount_count; i++) {
		const struct expectation *expected = &plan->mounts[i];
		cleanup_close int fd =
		        path_open_beneath(root, expected->path + 1, O_PATH | O_NOFOLLOW);
		struct stat st;

		if (fd < 0 || fstat(fd, &st) < 0)
			return error_system(err, "checking \"%s\"", expected->path);
		if (expected->ino == 0 && !is_overlay(fd))
			return error_set(err, EXIT_SYSTEM, "canary",
			                 "\"%s\" is not a copy: writing there would reach the host",
			                 expected->path);
		if (expected->ino != 0 &&
		    (st.st_dev != expected->dev || st.st_ino != expected->ino))
			return error_set(err, EXIT_SYSTEM, "race",
			                 "\"%s\" was replaced while the sandbox was being set up",
			                 expected->path);
		if (expected->writable || S_ISLNK(st.st_mode))
			continue;
		if (!mount_is_read_only(fd))
			return error_set(err, EXIT_SYSTEM, "canary",
			                 "\"%s\" is not mounted read-only", expected->path);
	}
	return verify_devices(err) < 0 ? -1 : verify_propagation(err);
}

static int broken(struct error *err, const char *what)
{
	return error_set(err, EXIT_SYSTEM, "canary",
	                 "the sandbox does not hold: %s is possible inside; nothing was run", what);
}

/* A file that has no name vanishes with its fd; an open without O_TRUNC changes nothing. */
static bool can_write(const char *path)
{
	cleanup_close int dir = open(path, O_TMPFILE | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600);
	cleanup_close int file = -1;

	if (dir >= 0)
		return true;
	if (errno != ENOTDIR)
		return false;
	file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	return file >= 0;
}

static bool can_read(const char *path)
{
	cleanup_close int fd =
	        open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

	return fd >= 0;
}

static int try_files(const struct plan *plan, struct error *err)
{
	for (size_t i = 0; i < plan->permissions.count; i++) {
		const struct entry *entry = &plan->permissions.entries[i];

		if (entry->access != ACCESS_WRITE && can_write(entry->path))
			return error_set(err, EXIT_SYSTEM, "canary",
			                 "the sandbox does not hold: \"%s\" is writable inside; "
			                 "nothing was run",
			                 entry->path);
		if (entry->access == ACCESS_NONE && entry->path[1] && can_read(entry->path))
			return error_set(err, EXIT_SYSTEM, "canary",
			                 "the sandbox does not hold: \"%s\" is readable inside; "
			                 "nothing was run",
			                 entry->path);
	}
	if (can_write("/proc/sys/kernel/core_pattern"))
		return broken(err, "writing /proc/sys");
	return 0;
}

static bool can_make_socket(int family, int type)
{
	cleanup_close int fd = socket(family, type | SOCK_CLOEXEC, 0);

	return fd >= 0;
}

/* Without the observer's answer this fails differently: EACCES, ECONNREFUSED, ... */
static bool can_connect(int type)
{
	const struct sockaddr_in address = {.sin_family = AF_INET,
	                                    .sin_port = htons(9),
	                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	cleanup_close int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	return fd >= 0 && (connect(fd, (const struct sockaddr *)&address, sizeof(address)) == 0 ||
	                   errno != EPERM);
}

/* A datagram socket is connected without anybody's knowing, if there is a way at all. */
static bool has_way_out(void)
{
	const struct sockaddr_in four = {.sin_family = AF_INET,
	                                 .sin_port = htons(9),
	                                 .sin_addr.s_addr = htonl(0xc0000201)}; /* 192.0.2.1 */
	const struct sockaddr_in6 six = {
	        .sin6_family = AF_INET6,
	        .sin6_port = htons(9),
	        .sin6_addr = {{{0x20, 0x01, 0x0d, 0xb8}}}}; /* 2001:db8:: */
	cleanup_close int a = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	cleanup_close int b = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	return (a >= 0 && connect(a, (const struct sockaddr *)&four, sizeof(four)) == 0) ||
	       (b >= 0 && connect(b, (const struct sockaddr *)&six, sizeof(six)) == 0);
}

static int try_network(const struct plan *plan, struct error *err)
{
	if ((plan->permissions.network == NETWORK_LOOPBACK ||
	     plan->permissions.network == NETWORK_HOSTS) &&
	    has_way_out())
		return broken(err, "a way out of the private network");
	if (plan->filter.net == NET_OFF_TOLD && plan->filter.watch >= WATCH_FILES) {
		if (can_connect(SOCK_STREAM) || can_connect(SOCK_DGRAM))
			return broken(err, "a connection");
	} else if (plan->permissions.network == NETWORK_OFF &&
	           (can_make_socket(AF_INET, SOCK_STREAM) ||
	            can_make_socket(AF_INET6, SOCK_DGRAM))) {
		return broken(err, "an internet socket");
	}
	if (can_make_socket(AF_UNIX, SOCK_DGRAM) || can_make_socket(AF_VSOCK, SOCK_STREAM) ||
	    can_make_socket(AF_ALG, SOCK_SEQPACKET))
		return broken(err, "a socket of a family that is not allowed");
	return 0;
}

/*
 * Without a filter each of these fails differently: EBADF, EFAULT, ESRCH, ...
 * The filter of a container around us may refuse in words of its own.
 */
static bool refused(long result)
{
	return result < 0 && (errno == EPERM || errno == EACCES || errno == ENOSYS);
}

static int try_calls(const struct plan *plan, struct error *err)
{
	if (!refused(ioctl(-1, TIOCSTI, "")))
		return broken(err, "typing into the terminal");
	if (!refused(syscall(SYS_io_uring_setup, 0, NULL)))
		return broken(err, "io_uring");
	if (!plan->filter.debugged && !refused(ptrace(PTRACE_CONT, 0, NULL, NULL)))
		return broken(err, "ptrace");
	if (!refused(syscall(SYS_keyctl, -1)))
		return broken(err, "using keys");
	if (!plan->filter.nested && !refused(unshare(CLONE_NEWUSER)))
		return broken(err, "a new user namespace");
	if (!plan->filter.nested && !refused(syscall(SYS_move_mount, -1, "", -1, "", 0)))
		return broken(err, "mounting");
	return 0;
}

static int try_privilege(struct error *err)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {{0}, {0}};

	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
		return broken(err, "gaining privileges");
	if (syscall(SYS_capget, &header, data) < 0)
		return error_system(err, "reading capabilities");
	for (int i = 0; i < 2; i++)
		if (data[i].effective | data[i].permitted | data[i].inheritable)
			return broken(err, "using capabilities");
	return 0;
}

int canary(const struct plan *plan, struct error *err)
{
	if (try_privilege(err) < 0 || try_calls(plan, err) < 0 || try_network(plan, err) < 0 ||
	    try_files(plan, err) < 0)
		return -1;
	/*
	 * What the observer sees from here on is the command's doing.  A call that no
	 * container around us refuses before it is asked.
	 */
	if (plan->filter.watch != WATCH_NONE &&
	    (ioctl(-1, TIOCSTI, (void *)(uintptr_t)plan->mark) == 0 || errno != EPERM))
		return broken(err, "typing into the terminal");
	return 0;
}
