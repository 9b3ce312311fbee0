#include "observer/watched_calls.h"

#include <sys/syscall.h>

/*
 * Calls on the content of an open file are not among them: the right to write
 * through it was decided when it was opened.
 */
const struct call calls[] = {
#ifdef SYS_open /* x86; newer architectures have only the second forms */
        {SYS_open, "open", ACT_OPEN, -1, 0, 1, -1, -1},
        {SYS_creat, "creat", ACT_CREAT, -1, 0, -1, -1, -1},
        {SYS_mkdir, "mkdir", ACT_MKDIR, -1, 0, -1, -1, -1},
        {SYS_mknod, "mknod", ACT_MAKE, -1, 0, -1, -1, -1},
        {SYS_symlink, "symlink", ACT_SYMLINK, -1, 1, -1, -1, -1},
        {SYS_link, "link", ACT_LINK, -1, 0, -1, -1, 1},
        {SYS_unlink, "unlink", ACT_REMOVE, -1, 0, -1, -1, -1},
        {SYS_rmdir, "rmdir", ACT_RMDIR, -1, 0, -1, -1, -1},
        {SYS_rename, "rename", ACT_RENAME, -1, 0, -1, -1, 1},
        {SYS_chmod, "chmod", ACT_CHANGE, -1, 0, -1, -1, -1},
        {SYS_chown, "chown", ACT_CHANGE, -1, 0, -1, -1, -1},
        {SYS_lchown, "lchown", ACT_CHANGE_LINK, -1, 0, -1, -1, -1},
        {SYS_utime, "utime", ACT_CHANGE, -1, 0, -1, -1, -1},
        {SYS_utimes, "utimes", ACT_CHANGE, -1, 0, -1, -1, -1},
        {SYS_futimesat, "futimesat", ACT_TIMES, 0, 1, -1, -1, -1},
#endif
#ifdef SYS_renameat
        {SYS_renameat, "renameat", ACT_RENAME, 0, 1, -1, 2, 3},
#endif
        {SYS_openat, "openat", ACT_OPEN, 0, 1, 2, -1, -1},
        {SYS_mkdirat, "mkdirat", ACT_MKDIR, 0, 1, -1, -1, -1},
        {SYS_mknodat, "mknodat", ACT_MAKE, 0, 1, -1, -1, -1},
        {SYS_symlinkat, "symlinkat", ACT_SYMLINK, 1, 2, -1, -1, -1},
        {SYS_linkat, "linkat", ACT_LINK, 0, 1, 4, 2, 3},
        {SYS_unlinkat, "unlinkat", ACT_REMOVE, 0, 1, 2, -1, -1},
        {SYS_renameat2, "renameat2", ACT_RENAME, 0, 1, 4, 2, 3},
        {SYS_truncate, "truncate", ACT_TRUNCATE, -1, 0, -1, -1, -1},
        {SYS_fchmodat, "fchmodat", ACT_CHANGE, 0, 1, -1, -1, -1},
        {NR_fchmodat2, "fchmodat2", ACT_CHANGE, 0, 1, 3, -1, -1},
        {SYS_fchownat, "fchownat", ACT_CHANGE, 0, 1, 4, -1, -1},
        {SYS_utimensat, "utimensat", ACT_TIMES, 0, 1, 3, -1, -1},
        {SYS_setxattr, "setxattr", ACT_ATTRIBUTE, -1, 0, -1, -1, -1},
        {SYS_lsetxattr, "lsetxattr", ACT_ATTRIBUTE_LINK, -1, 0, -1, -1, -1},
        {NR_setxattrat, "setxattrat", ACT_ATTRIBUTE, 0, 1, 2, -1, -1},
        {SYS_removexattr, "removexattr", ACT_ATTRIBUTE, -1, 0, -1, -1, -1},
        {SYS_lremovexattr, "lremovexattr", ACT_ATTRIBUTE_LINK, -1, 0, -1, -1, -1},
        {NR_removexattrat, "removexattrat", ACT_ATTRIBUTE, 0, 1, 2, -1, -1},
        {NR_file_setattr, "file_setattr", ACT_CHANGE, 0, 1, 4, -1, -1},
        {SYS_fchmod, "fchmod", ACT_OPEN_FILE, 0, -1, -1, -1, -1},
        {SYS_fchown, "fchown", ACT_OPEN_FILE, 0, -1, -1, -1, -1},
        {SYS_fsetxattr, "fsetxattr", ACT_OPEN_FILE, 0, -1, -1, -1, -1},
        {SYS_fremovexattr, "fremovexattr", ACT_OPEN_FILE, 0, -1, -1, -1, -1},
        {SYS_umask, "umask", ACT_UMASK, -1, -1, -1, -1, -1},
        {SYS_chdir, "chdir", ACT_MOVE, -1, -1, -1, -1, -1},
        {SYS_fchdir, "fchdir", ACT_MOVE, -1, -1, -1, -1, -1},
        {SYS_socket, "socket", ACT_SOCKET, -1, -1, -1, -1, -1},
        {SYS_connect, "connect", ACT_CONNECT, -1, -1, -1, -1, -1},
        {SYS_bind, "bind", ACT_BIND, -1, -1, -1, -1, -1},
        {SYS_sendto, "sendto", ACT_SENDTO, -1, -1, -1, -1, -1},
        {SYS_sendmsg, "sendmsg", ACT_SENDMSG, -1, -1, -1, -1, -1},
};

const size_t call_count = sizeof(calls) / sizeof(calls[0]);
