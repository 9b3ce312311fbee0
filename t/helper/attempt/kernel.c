/*
 * Interfaces of the kernel that no ordinary program needs, and the other ways
 * to enter it.
 */
#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <linux/filter.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static long try_io_uring(char **argv)
{
	char parameters[120] = {0};
	(void)argv;
	return syscall(SYS_io_uring_setup, 4, parameters);
}

static long try_bpf(char **argv)
{
	/* BPF_MAP_CREATE of an array: what an unprivileged program may ask first */
	unsigned attributes[32] = {2, 4, 4, 1};
	(void)argv;
	return syscall(SYS_bpf, 0, attributes, sizeof(attributes));
}

static long try_perf(char **argv)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
	                               .size = sizeof(attr),
	                               .config = PERF_COUNT_SW_CPU_CLOCK,
	                               .exclude_kernel = 1};
	(void)argv;
	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static long try_userfaultfd(char **argv)
{
	(void)argv;
	return syscall(SYS_userfaultfd, 1 /* UFFD_USER_MODE_ONLY */);
}

struct handle {
	struct file_handle head;
	char bytes[MAX_HANDLE_SZ];
};

static long try_name_to_handle(char **argv)
{
	struct handle handle = {.head = {.handle_bytes = MAX_HANDLE_SZ}};
	int id;
	return name_to_handle_at(AT_FDCWD, argv[0], &handle.head, &id, 0);
}

static long try_open_by_handle(char **argv)
{
	struct handle handle = {.head = {.handle_bytes = MAX_HANDLE_SZ}};
	int id;
	if (name_to_handle_at(AT_FDCWD, argv[0], &handle.head, &id, 0) < 0)
		handle.head.handle_bytes = 8;
	int mount = open(argv[0], O_RDONLY | O_CLOEXEC);
	return open_by_handle_at(mount, &handle.head, O_RDONLY);
}

static long try_mount(char **argv)
{
	return mount("none", argv[0], "tmpfs", 0, NULL);
}

static long try_bind(char **argv)
{
	return mount(argv[0], argv[1], NULL, MS_BIND, NULL);
}

static long try_remount(char **argv)
{
	return mount(NULL, argv[0], NULL, MS_REMOUNT | MS_BIND, NULL);
}

static long try_umount2(char **argv)
{
	return umount2(argv[0], MNT_DETACH);
}

static long try_pivot_root(char **argv)
{
	return syscall(SYS_pivot_root, argv[0], argv[0]);
}

static long try_chroot(char **argv)
{
	return chroot(argv[0]);
}

static long try_open_tree(char **argv)
{
	return syscall(SYS_open_tree, AT_FDCWD, argv[0], 1 /* OPEN_TREE_CLONE */ | O_CLOEXEC);
}

static long try_move_mount(char **argv)
{
	return syscall(SYS_move_mount, AT_FDCWD, argv[0], AT_FDCWD, argv[0], 0);
}

static long try_fsopen(char **argv)
{
	(void)argv;
	return syscall(SYS_fsopen, "tmpfs", 0);
}

static long try_fsmount(char **argv)
{
	(void)argv;
	return syscall(SYS_fsmount, 0, 0, 0);
}

static long try_fspick(char **argv)
{
	return syscall(SYS_fspick, AT_FDCWD, argv[0], 0);
}

static long try_mount_setattr(char **argv)
{
	unsigned long long attributes[4] = {0, 1 /* MOUNT_ATTR_RDONLY */, 0, 0};
	return syscall(SYS_mount_setattr, AT_FDCWD, argv[0], 0, attributes, sizeof(attributes));
}

static long try_keyctl(char **argv)
{
	(void)argv;
	return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0);
}

/* add_key NAME VALUE */
static long try_add_key(char **argv)
{
	return syscall(SYS_add_key, "user", argv[0], argv[1], strlen(argv[1]),
	               KEY_SPEC_SESSION_KEYRING);
}

static long try_request_key(char **argv)
{
	return syscall(SYS_request_key, "user", argv[0], NULL, 0);
}

/* A key of the caller's session, printed. */
static long try_read_key(char **argv)
{
	char value[256] = {0};
	long key = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", argv[0], 0);
	if (key < 0)
		return -1;
	long length = syscall(SYS_keyctl, KEYCTL_READ, key, value, sizeof(value) - 1);
	if (length >= 0)
		printf("value %s\n", value);
	return length;
}

/* keyring COMMAND...: a new session keyring for what follows */
static long try_keyring(char **argv)
{
	if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) < 0)
		return -1;
	execvp(argv[0], argv);
	return -1;
}

#ifdef __x86_64__
/* The same kernel function by the number that the x32 ABI gives it. */
static long x32_socket(char **argv)
{
	(void)argv;
	return syscall(0x40000000 | SYS_socket, AF_INET, SOCK_STREAM, 0);
}

static long try_x32(char **argv)
{
	return in_child(x32_socket, argv);
}

static long int80(long number, long a, long b, long c)
{
	long result;
	__asm__ volatile("int $0x80"
	                 : "=a"(result)
	                 : "a"(number), "b"(a), "c"(b), "d"(c)
	                 : "memory", "r8", "r9", "r10", "r11");
	if (result < 0 && result > -4096) {
		errno = (int)-result;
		return -1;
	}
	return result;
}

static long int80_socket(char **argv)
{
	(void)argv;
	return int80(359, AF_INET, SOCK_STREAM, 0);
}

static long int80_getpid(char **argv)
{
	(void)argv;
	return int80(20, 0, 0, 0);
}

static long try_int80(char **argv)
{
	return in_child(int80_socket, argv);
}

static long try_int80_getpid(char **argv)
{
	return in_child(int80_getpid, argv);
}
#endif

/*
 * refuse NUMBER ERRNO COMMAND...: runs the command where one system call is
 * missing, to force the path that is taken on another kernel.
 */
static long try_refuse(char **argv)
{
	struct sock_filter code[] = {
	        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
	        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)atoi(argv[0]), 0, 1),
	        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)atoi(argv[1])),
	        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = 4, .filter = code};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
		return -1;
	execvp(argv[2], argv + 2);
	return -1;
}

/*
 * docker COMMAND...: runs the command as in a container with the default
 * filter of Docker and Kubernetes: no namespaces, no mounts, no descriptors
 * and keys of others.
 */
static long try_docker(char **argv)
{
	static const int refused[] = {
	        SYS_unshare,     SYS_setns,       SYS_mount,      SYS_umount2,
	        SYS_pivot_root,  SYS_pidfd_getfd, SYS_keyctl,     SYS_add_key,
	        SYS_request_key, SYS_open_tree,   SYS_move_mount, SYS_fsopen,
	        SYS_fsconfig,    SYS_fsmount,     SYS_fspick,     SYS_mount_setattr,
	};
	enum { NAMESPACES = 0x7e020000 };
	struct sock_filter code[2 * sizeof(refused) / sizeof(refused[0]) + 8] = {
	        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
	        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
	        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
	};
	unsigned n = 3;
	for (unsigned i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
		                                         (unsigned)refused[i], 0, 1);
		code[n++] =
		        (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	}
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
	                                         offsetof(struct seccomp_data, args[0]));
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = {.len = (unsigned short)n, .filter = code};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
		return -1;
	execvp(argv[0], argv);
	return -1;
}

/* unlistened COMMAND...: runs the command where nobody can listen to system calls. */
static long try_unlistened(char **argv)
{
	struct sock_filter code[] = {
	        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
	        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 3),
	        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
	        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, SECCOMP_FILTER_FLAG_NEW_LISTENER, 0, 1),
	        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = 6, .filter = code};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
		return -1;
	execvp(argv[0], argv);
	return -1;
}

/* listened COMMAND...: runs the command where somebody listens to system calls already. */
static long try_listened(char **argv)
{
	struct sock_filter code[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog program = {.len = 1, .filter = code};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
	                  &program);
	if (fd < 0 || fcntl((int)fd, F_SETFD, 0) < 0)
		return -1;
	execvp(argv[0], argv);
	return -1;
}

static long try_openat2(char **argv)
{
	unsigned long long how[3] = {O_RDONLY | O_CLOEXEC, 0, 0};
	return syscall(SYS_openat2, AT_FDCWD, argv[0], how, sizeof(how));
}

/* Prints the Landlock ABI, 0 without; a prerequisite and no attempt. */
static long try_landlock_abi(char **argv)
{
	long abi = syscall(444, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
	(void)argv;
	/* The first version is of no use to us. */
	printf("%ld\n", abi < 2 ? 0 : abi);
	exit(0);
}

/* Can this kernel notify a supervisor, with synchronous wake-up? */
static long try_notify(char **argv)
{
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = {.len = 1, .filter = &allow};
	(void)argv;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
	               &program);
}

const struct attempt kernel_attempts[] = {
        {"io_uring_setup", 0, try_io_uring},
        {"bpf", 0, try_bpf},
        {"perf_event_open", 0, try_perf},
        {"userfaultfd", 0, try_userfaultfd},
        {"name_to_handle_at", 1, try_name_to_handle},
        {"open_by_handle_at", 1, try_open_by_handle},
        {"mount", 1, try_mount},
        {"bind", 2, try_bind},
        {"remount", 1, try_remount},
        {"umount2", 1, try_umount2},
        {"pivot_root", 1, try_pivot_root},
        {"chroot", 1, try_chroot},
        {"open_tree", 1, try_open_tree},
        {"move_mount", 1, try_move_mount},
        {"fsopen", 0, try_fsopen},
        {"fsmount", 0, try_fsmount},
        {"fspick", 1, try_fspick},
        {"mount_setattr", 1, try_mount_setattr},
        {"keyctl", 0, try_keyctl},
        {"add_key", 2, try_add_key},
        {"request_key", 1, try_request_key},
        {"read_key", 1, try_read_key},
        {"keyring", 1, try_keyring},
#ifdef __x86_64__
        {"x32", 0, try_x32},
        {"int80", 0, try_int80},
        {"int80-getpid", 0, try_int80_getpid},
#endif
        {"refuse", 3, try_refuse},
        {"docker", 1, try_docker},
        {"listened", 1, try_listened},
        {"unlistened", 1, try_unlistened},
        {"openat2", 1, try_openat2},
        {"landlock-abi", 0, try_landlock_abi},
        {"notify", 0, try_notify},
        {NULL, 0, NULL},
};
