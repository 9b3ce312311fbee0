/*
 * Every way to make, change or replace a file.
 */
#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

static long write_to(int fd)
{
	if (fd < 0)
		return -1;
	long wrote = write(fd, "try\n", 4);
	int saved = errno;
	close(fd);
	errno = saved;
	return wrote;
}

static long try_open(char **argv)
{
	return write_to(open(argv[0], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
}

static long try_append(char **argv)
{
	return write_to(open(argv[0], O_WRONLY | O_APPEND | O_CLOEXEC));
}

/* open FD PATH: below a directory that was open before */
static long try_openat(char **argv)
{
	return write_to(
	        openat(atoi(argv[0]), argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
}

static long try_write_fd(char **argv)
{
	return write(atoi(argv[0]), "try\n", 4);
}

static long try_read(char **argv)
{
	char buffer[4096];
	int fd = open(argv[0], O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	return read(fd, buffer, sizeof(buffer));
}

/* Writes back what is there: the right to write, without a change. */
static long try_write_same(char **argv)
{
	char buffer[4096];
	int fd = open(argv[0], O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ssize_t length = read(fd, buffer, sizeof(buffer));
	if (length <= 0)
		return length;
	return pwrite(fd, buffer, (size_t)length, 0);
}

static long try_list(char **argv)
{
	return open(argv[0], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Changes through a mapping reach the file without any write call. */
static long try_mmap(char **argv)
{
	int fd = open(argv[0], O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -1;
	char *map = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return -1;
	*map = '!';
	return msync(map, 1, MS_SYNC);
}

static long try_mkdir(char **argv)
{
	return mkdir(argv[0], 0777);
}

static long try_rename(char **argv)
{
	return rename(argv[0], argv[1]);
}

static long try_exchange(char **argv)
{
	return syscall(SYS_renameat2, AT_FDCWD, argv[0], AT_FDCWD, argv[1], RENAME_EXCHANGE);
}

static long try_link(char **argv)
{
	return link(argv[0], argv[1]);
}

static long try_symlink(char **argv)
{
	return symlink(argv[0], argv[1]);
}

static long try_unlink(char **argv)
{
	return unlink(argv[0]);
}

static long try_rmdir(char **argv)
{
	return rmdir(argv[0]);
}

static long try_truncate(char **argv)
{
	return truncate(argv[0], 1);
}

/* tmpfile DIR PATH: a file without a name gets one */
static long try_tmpfile(char **argv)
{
	int fd = open(argv[0], O_TMPFILE | O_WRONLY | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, "try\n", 4) != 4)
		return -1;
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, path, AT_FDCWD, argv[1], AT_SYMLINK_FOLLOW);
}

/* chmod MODE PATH */
static long try_chmod(char **argv)
{
	return chmod(argv[1], (mode_t)strtol(argv[0], NULL, 8));
}

static long try_fchmod(char **argv)
{
	int fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -1 : fchmod(fd, (mode_t)strtol(argv[0], NULL, 8));
}

static long try_fchmodat2(char **argv)
{
	return syscall(452, AT_FDCWD, argv[1], strtol(argv[0], NULL, 8), 0);
}

/* create-mode MODE PATH: the mode comes with the creation */
static long try_create_mode(char **argv)
{
	umask(0);
	return open(argv[1], O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
	            (mode_t)strtol(argv[0], NULL, 8));
}

static long try_chown(char **argv)
{
	return lchown(argv[0], getuid(), getgid());
}

static long try_utimes(char **argv)
{
	return utimensat(AT_FDCWD, argv[0], NULL, 0);
}

static long try_setxattr(char **argv)
{
	return setxattr(argv[0], "user.try", "x", 1, 0);
}

/* mknod char|block|fifo PATH */
static long try_mknod(char **argv)
{
	static const struct word kinds[] = {
	        {"char", S_IFCHR}, {"block", S_IFBLK}, {"fifo", S_IFIFO}, {NULL, 0}};
	return mknod(argv[1], (mode_t)word_value(kinds, argv[0]) | 0666, makedev(1, 3));
}

/* FS_IOC_SETFLAGS: an immutable file would outlive the run. */
static long try_immutable(char **argv)
{
	int flags = FS_IMMUTABLE_FL;
	int fd = open(argv[0], O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -1 : ioctl(fd, FS_IOC_SETFLAGS, &flags);
}

const struct attempt file_attempts[] = {
        {"open", 1, try_open},
        {"append", 1, try_append},
        {"openat", 2, try_openat},
        {"write-fd", 1, try_write_fd},
        {"read", 1, try_read},
        {"write-same", 1, try_write_same},
        {"list", 1, try_list},
        {"mmap", 1, try_mmap},
        {"mkdir", 1, try_mkdir},
        {"rename", 2, try_rename},
        {"exchange", 2, try_exchange},
        {"link", 2, try_link},
        {"symlink", 2, try_symlink},
        {"unlink", 1, try_unlink},
        {"rmdir", 1, try_rmdir},
        {"truncate", 1, try_truncate},
        {"tmpfile", 2, try_tmpfile},
        {"chmod", 2, try_chmod},
        {"fchmod", 2, try_fchmod},
        {"fchmodat2", 2, try_fchmodat2},
        {"create-mode", 2, try_create_mode},
        {"chown", 1, try_chown},
        {"utimes", 1, try_utimes},
        {"setxattr", 1, try_setxattr},
        {"mknod", 2, try_mknod},
        {"immutable", 1, try_immutable},
        {NULL, 0, NULL},
};
