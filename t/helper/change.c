/*
 * change OWN NAME [CALL]: tries every call that changes files on a name, by
 * several spellings; OWN is a directory to work in, which is writable.  Prints
 * each call that succeeded at least once.  With CALL, that one alone; "change
 * list" prints them all.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/fs.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

static char own[PATH_MAX], scratch[PATH_MAX];

/* A file of our own, new every time. */
static const char *mine(void)
{
	static unsigned number;
	static char path[PATH_MAX + 32];
	snprintf(path, sizeof(path), "%s/mine-%d-%u", own, getpid(), number++);
	close(open(path, O_CREAT | O_RDWR, 0644));
	return path;
}

static const char *free_name(void)
{
	snprintf(scratch, sizeof(scratch), "%s", mine());
	unlink(scratch);
	return scratch;
}

static long spoil(int fd)
{
	if (fd < 0)
		return -1;
	long done = write(fd, "evil", 4);
	close(fd);
	return done;
}

static int reader(int at, const char *p)
{
	return openat(at, p, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

static long by_fd_path(int at, const char *p, const char *form, int flags)
{
	int fd = reader(at, p);
	if (fd < 0)
		return -1;
	char path[64];
	snprintf(path, sizeof(path), "%s/%d", form, fd);
	long done = spoil(open(path, flags));
	close(fd);
	return done;
}

#define CALL(name, expression)                                                                     \
	static long name(int at, const char *p)                                                    \
	{                                                                                          \
		(void)at;                                                                          \
		(void)p;                                                                           \
		return (expression);                                                               \
	}
/* On an open file that can only be read. */
#define FD_CALL(name, expression)                                                                  \
	static long name(int at, const char *p)                                                    \
	{                                                                                          \
		int fd = reader(at, p);                                                            \
		if (fd < 0)                                                                        \
			return -1;                                                                 \
		long done = (expression);                                                          \
		close(fd);                                                                         \
		return done;                                                                       \
	}
/* By a path that the working directory leads to. */
#define ABSOLUTE(call) (at == AT_FDCWD ? (long)(call) : -1)

static const struct timespec times[2] = {{.tv_sec = 5}, {.tv_sec = 5}};
static const struct timeval vals[2] = {{.tv_sec = 6}, {.tv_sec = 6}};
static const struct utimbuf buf = {7, 7};

CALL(open_write, spoil(openat(at, p, O_WRONLY | O_NONBLOCK)))
CALL(open_append, spoil(openat(at, p, O_RDWR | O_APPEND | O_NONBLOCK)))
CALL(open_truncate, spoil(openat(at, p, O_WRONLY | O_TRUNC | O_NONBLOCK)))
CALL(open_read_truncate, openat(at, p, O_RDONLY | O_TRUNC | O_NONBLOCK))
CALL(open_create, spoil(openat(at, p, O_WRONLY | O_CREAT | O_NONBLOCK, 0644)))
CALL(open_exclusive, spoil(openat(at, p, O_WRONLY | O_CREAT | O_EXCL, 0644)))
CALL(open_both_bits, openat(at, p, O_ACCMODE | O_TRUNC | O_NONBLOCK))
CALL(open_by_creat, ABSOLUTE(spoil(creat(p, 0644))))
CALL(open_again_proc, by_fd_path(at, p, "/proc/self/fd", O_WRONLY))
CALL(open_again_dev, by_fd_path(at, p, "/dev/fd", O_WRONLY | O_TRUNC))
CALL(open_again_thread, by_fd_path(at, p, "/proc/thread-self/fd", O_RDWR))
CALL(open_temporary, openat(at, p, O_TMPFILE | O_WRONLY, 0644))
CALL(make_directory, mkdirat(at, p, 0755))
CALL(make_pipe, mknodat(at, p, S_IFIFO | 0644, 0))
CALL(make_node, mknodat(at, p, S_IFREG | 0644, 0))
CALL(make_symlink, symlinkat("/etc", at, p))
CALL(link_onto, linkat(AT_FDCWD, mine(), at, p, 0))
CALL(remove_file, unlinkat(at, p, 0))
CALL(remove_directory, unlinkat(at, p, AT_REMOVEDIR))
CALL(rename_away, renameat(at, p, AT_FDCWD, free_name()))
CALL(rename_onto, renameat(AT_FDCWD, mine(), at, p))
CALL(rename_exchange, syscall(SYS_renameat2, at, p, AT_FDCWD, mine(), RENAME_EXCHANGE))
CALL(rename_exchange_onto, syscall(SYS_renameat2, AT_FDCWD, mine(), at, p, RENAME_EXCHANGE))
CALL(rename_noreplace, syscall(SYS_renameat2, AT_FDCWD, mine(), at, p, RENAME_NOREPLACE))
CALL(truncate_path, ABSOLUTE(truncate(p, 1)))
CALL(mode_path, fchmodat(at, p, 0711, 0))
CALL(mode_newer, syscall(452, at, p, 0712, 0))
CALL(owner_path, fchownat(at, p, getuid(), getgid(), 0))
CALL(owner_link, fchownat(at, p, getuid(), getgid(), AT_SYMLINK_NOFOLLOW))
CALL(times_path, utimensat(at, p, times, 0))
CALL(times_link, utimensat(at, p, times, AT_SYMLINK_NOFOLLOW))
CALL(times_now, utimensat(at, p, NULL, 0))
CALL(times_vals, ABSOLUTE(utimes(p, vals)))
CALL(times_buf, ABSOLUTE(utime(p, &buf)))
CALL(attribute_path, ABSOLUTE(setxattr(p, "user.a", "b", 1, 0)))
CALL(attribute_link, ABSOLUTE(lsetxattr(p, "user.b", "b", 1, 0)))
CALL(attribute_removed, ABSOLUTE(removexattr(p, "user.there")))
CALL(attribute_link_removed, ABSOLUTE(lremovexattr(p, "user.there")))
FD_CALL(mode_fd, fchmod(fd, 0713))
FD_CALL(owner_fd, fchown(fd, getuid(), getgid()))
FD_CALL(owner_empty, fchownat(fd, "", getuid(), getgid(), AT_EMPTY_PATH))
FD_CALL(times_fd, futimens(fd, times))
FD_CALL(times_fd_now, futimens(fd, NULL))
FD_CALL(attribute_fd, fsetxattr(fd, "user.c", "d", 1, 0))
FD_CALL(attribute_fd_removed, fremovexattr(fd, "user.there"))
FD_CALL(link_fd_away, linkat(fd, "", AT_FDCWD, free_name(), AT_EMPTY_PATH) < 0
                              ? -1
                              : spoil(open(scratch, O_WRONLY)))

static long link_away(int at, const char *p)
{
	if (linkat(at, p, AT_FDCWD, free_name(), 0) < 0)
		return -1;
	return spoil(open(scratch, O_WRONLY | O_TRUNC));
}

static long link_proc_away(int at, const char *p)
{
	int fd = reader(at, p);
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd < 0 || linkat(AT_FDCWD, path, AT_FDCWD, free_name(), AT_SYMLINK_FOLLOW) < 0)
		return -1;
	return spoil(open(scratch, O_WRONLY | O_TRUNC));
}

static long link_temporary(int at, const char *p)
{
	int fd = open(own, O_TMPFILE | O_RDWR, 0644);
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	long done = fd < 0 ? -1 : linkat(AT_FDCWD, path, at, p, AT_SYMLINK_FOLLOW);
	close(fd);
	return done;
}

/* Through a link of ours. */
static long through_link(int at, const char *p)
{
	char target[2 * PATH_MAX] = "";
	if (p[0] != '/' && at == AT_FDCWD && getcwd(target, PATH_MAX))
		strcat(target, "/");
	strcat(target, p);
	if (at != AT_FDCWD || symlink(target, free_name()) < 0)
		return -1;
	long done = spoil(open(scratch, O_WRONLY | O_TRUNC | O_CREAT | O_NONBLOCK, 0644));
	unlink(scratch);
	return done;
}

static long parent_moved(int at, const char *p)
{
	char copy[PATH_MAX];
	snprintf(copy, sizeof(copy), "%s", p);
	return at == AT_FDCWD ? rename(dirname(copy), free_name()) : -1;
}

static long bind_socket(int at, const char *p)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (at != AT_FDCWD || strlen(p) >= sizeof(address.sun_path) || fd < 0)
		return -1;
	strcpy(address.sun_path, p);
	long done = bind(fd, (struct sockaddr *)&address, sizeof(address));
	close(fd);
	return done;
}

static long flags_fd(int at, const char *p)
{
	int fd = reader(at, p), flags = 0x40; /* no dump */
	long done = fd < 0 ? -1 : ioctl(fd, FS_IOC_SETFLAGS, &flags);
	close(fd);
	return done;
}

static long open_handle(int at, const char *p)
{
	struct {
		struct file_handle head;
		unsigned char room[128];
	} handle = {.head = {.handle_bytes = 128}};
	int mount, root = open("/", O_RDONLY);
	if (name_to_handle_at(at, p, &handle.head, &mount, 0) < 0)
		return -1;
	return spoil(open_by_handle_at(root, &handle.head, O_WRONLY));
}

#define ROW(name)                                                                                  \
	{                                                                                          \
#name, name                                                                        \
	}
static const struct {
	const char *name;
	long (*call)(int at, const char *p);
} calls[] = {
        ROW(open_write),
        ROW(open_append),
        ROW(open_truncate),
        ROW(open_read_truncate),
        ROW(open_create),
        ROW(open_exclusive),
        ROW(open_both_bits),
        ROW(open_by_creat),
        ROW(open_again_proc),
        ROW(open_again_dev),
        ROW(open_again_thread),
        ROW(open_temporary),
        ROW(open_handle),
        ROW(through_link),
        ROW(truncate_path),
        ROW(mode_path),
        ROW(mode_newer),
        ROW(mode_fd),
        ROW(owner_path),
        ROW(owner_link),
        ROW(owner_fd),
        ROW(owner_empty),
        ROW(times_path),
        ROW(times_link),
        ROW(times_now),
        ROW(times_vals),
        ROW(times_buf),
        ROW(times_fd),
        ROW(times_fd_now),
        ROW(attribute_path),
        ROW(attribute_link),
        ROW(attribute_fd),
        ROW(attribute_removed),
        ROW(attribute_link_removed),
        ROW(attribute_fd_removed),
        ROW(flags_fd),
        ROW(make_directory),
        ROW(make_pipe),
        ROW(make_node),
        ROW(make_symlink),
        ROW(bind_socket),
        ROW(link_onto),
        ROW(link_temporary),
        ROW(link_away),
        ROW(link_fd_away),
        ROW(link_proc_away),
        ROW(rename_noreplace),
        ROW(rename_exchange),
        ROW(rename_exchange_onto),
        ROW(rename_onto),
        ROW(rename_away),
        ROW(parent_moved),
        ROW(remove_file),
        ROW(remove_directory),
};

/* Other ways to say the same name; false when there are no more. */
static int spelled(int which, const char *name, char spelling[2 * PATH_MAX], int *at)
{
	char copy[PATH_MAX], *last;

	snprintf(copy, sizeof(copy), "%s", name);
	last = strrchr(copy, '/');
	*last++ = '\0';
	*at = AT_FDCWD;
	switch (which) {
	case 0:
		return snprintf(spelling, 2 * PATH_MAX, "%s", name);
	case 1:
		*at = open(copy, O_RDONLY | O_DIRECTORY);
		return snprintf(spelling, 2 * PATH_MAX, "%s", last);
	case 2:
		return chdir(copy) == 0 ? snprintf(spelling, 2 * PATH_MAX, "%s", last) : -1;
	case 3:
		return chdir(copy) == 0
		               ? snprintf(spelling, 2 * PATH_MAX, "/proc/self/cwd/%s", last)
		               : -1;
	case 4:
		return snprintf(spelling, 2 * PATH_MAX, "%s/../%s/./%s", copy,
		                strrchr(copy, '/') + 1, last);
	case 5:
		return snprintf(spelling, 2 * PATH_MAX, "//proc/self/root/%s", name);
	default:
		return 0;
	}
}

int main(int argc, char **argv)
{
	char spelling[2 * PATH_MAX];
	int at, ok;

	umask(022);
	for (size_t i = 0; argc == 2 && i < sizeof(calls) / sizeof(calls[0]); i++)
		puts(calls[i].name);
	if (argc < 3)
		return argc == 2 ? 0 : 2;
	snprintf(own, sizeof(own), "%s", argv[1]);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		int succeeded = 0;

		if (argc == 4 && strcmp(argv[3], calls[i].name) != 0)
			continue;
		for (int s = 0; (ok = spelled(s, argv[2], spelling, &at)) != 0; s++) {
			succeeded |= ok > 0 && calls[i].call(at, spelling) >= 0;
			if (at >= 0)
				close(at);
			if (chdir("/") < 0)
				return 1;
		}
		if (succeeded)
			puts(calls[i].name);
	}
	return 0;
}
