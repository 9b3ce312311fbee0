/*
 * How is an open file reached by a call that takes a path?
 *
 * One opened with O_PATH can be neither read nor changed by its number; its name
 * in /proc leads to that very file, whatever its other names have become.
 */
#ifndef SBX_FS_FD_PATH_H
#define SBX_FS_FD_PATH_H

#include <limits.h>
#include <sys/types.h>

#define FD_PATH_MAX 32

/* "/proc/self/fd/N" */
const char *fd_path(int fd, char path[FD_PATH_MAX]);

/* What it is called; 0, or -errno and "". */
int fd_name(int fd, char name[PATH_MAX]);

/* Its mode; -1 with errno. */
int fd_chmod(int fd, mode_t mode);

#endif
