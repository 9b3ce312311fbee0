/*
 * Which system calls are refused, when, and why?
 */
#include "filter.h"

#include "observer/watched_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/btrfs.h>
#include <linux/fs.h>
#include <linux/fscrypt.h>
#include <linux/fsverity.h>
#include <linux/msdos_fs.h>
#include <linux/ioprio.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define O_TMPFILE_BIT    020000000
#define F_SET_DELEGATION 1040 /* the same for directories, newer than most headers */

/*
 * One line per call.  EPERM is what a program without the privilege would
 * get anyway; ENOSYS makes libraries fall back to an older call.
 */
static const struct rule rules[] = {
        /* Looking into or steering other processes. */
        {"ptrace", 0, UNLESS_DEBUGGED, EPERM, {{0}}},
        {"process_vm_readv", 0, UNLESS_DEBUGGED, EPERM, {{0}}},
        {"process_vm_writev", 0, UNLESS_DEBUGGED, EPERM, {{0}}},
        {"process_madvise", 0, ALWAYS, EPERM, {{0}}},
        {"pidfd_getfd", 0, ALWAYS, EPERM, {{0}}},
        {"kcmp", 0, UNLESS_DEBUGGED, EPERM, {{0}}},
        {"process_mrelease", 0, ALWAYS, EPERM, {{0}}},
        /*
         * Without a process namespace the others of the same user have numbers
         * here too: only the caller's own, which is 0.  A limit of processor
         * time is a way to kill; a group may be one that was joined.
         */
        {"prlimit64", 0, ALONE, EPERM, {{0, IS_NOT, 0}, {2, IS_NOT, 0}}},
        {"setpriority", 0, ALONE, EPERM, {{0, IS_NOT, PRIO_PROCESS}}},
        {"setpriority", 0, ALONE, EPERM, {{1, IS_NOT, 0}}},
        {"ioprio_set", 0, ALONE, EPERM, {{0, IS_NOT, IOPRIO_WHO_PROCESS}}},
        {"ioprio_set", 0, ALONE, EPERM, {{1, IS_NOT, 0}}},
        {"sched_setaffinity", 0, ALONE, EPERM, {{0, IS_NOT, 0}}},
        {"sched_setscheduler", 0, ALONE, EPERM, {{0, IS_NOT, 0}}},
        {"sched_setparam", 0, ALONE, EPERM, {{0, IS_NOT, 0}}},
        {"sched_setattr", 0, ALONE, EPERM, {{0, IS_NOT, 0}}},
        {"migrate_pages", 0, ALONE, EPERM, {{0, IS_NOT, 0}}},
        {"move_pages", 0, ALONE, EPERM, {{0, IS_NOT, 0}}},
        /* A lease on a file makes everybody outside wait who opens it for writing. */
        {"fcntl", 0, ALWAYS, EPERM, {{1, LOW_IS, F_SETLEASE}}},
        {"fcntl", 0, ALWAYS, EPERM, {{1, LOW_IS, F_SET_DELEGATION}}},
        /* Work done by the kernel on behalf of a ring is not seen by a filter. */
        {"io_uring_setup", 0, ALWAYS, EPERM, {{0}}},
        {"io_uring_enter", 0, ALWAYS, EPERM, {{0}}},
        {"io_uring_register", 0, ALWAYS, EPERM, {{0}}},
        /* Keys are per user, not per sandbox. */
        {"keyctl", 0, ALWAYS, EPERM, {{0}}},
        {"add_key", 0, ALWAYS, EPERM, {{0}}},
        {"request_key", 0, ALWAYS, EPERM, {{0}}},
        /* ... and so are those of an encrypted directory, which is locked without them. */
        {"ioctl", 0, ALWAYS, EPERM, {{1, LOW_IS, FS_IOC_ADD_ENCRYPTION_KEY}}},
        {"ioctl", 0, ALWAYS, EPERM, {{1, LOW_IS, FS_IOC_REMOVE_ENCRYPTION_KEY}}},
        {"ioctl", 0, ALWAYS, EPERM, {{1, LOW_IS, FS_IOC_REMOVE_ENCRYPTION_KEY_ALL_USERS}}},
        /* Large kernel surfaces that no build needs. */
        {"bpf", 0, ALWAYS, EPERM, {{0}}},
        {"perf_event_open", 0, ALWAYS, EPERM, {{0}}},
        {"userfaultfd", 0, ALWAYS, EPERM, {{0}}},
        {"fanotify_init", 0, ALWAYS, EPERM, {{0}}},
        {"lookup_dcookie", 0, ALWAYS, EPERM, {{0}}},
        /* Opens by inode, past every mount. */
        {"open_by_handle_at", 0, ALWAYS, EPERM, {{0}}},
        /* Mounts, by the old and the new interface. */
        {"mount", 0, UNLESS_NESTED, EPERM, {{0}}},
        {"umount2", 0, UNLESS_NESTED, EPERM, {{0}}},
        {"pivot_root", 0, UNLESS_NESTED, EPERM, {{0}}},
        {"chroot", 0, UNLESS_NESTED, EPERM, {{0}}},
        {"open_tree", 0, UNLESS_NESTED, EPERM, {{0}}},
        {"open_tree_attr", NR_open_tree_attr, UNLESS_NESTED, EPERM, {{0}}},
        {"move_mount", 0, UNLESS_NESTED, EPERM, {{0}}},
        {"fsopen", 0, UNLESS_NESTED, EPERM, {{0}}},
        {"fsconfig", 0, UNLESS_NESTED, EPERM, {{0}}},
        {"fsmount", 0, UNLESS_NESTED, EPERM, {{0}}},
        {"fspick", 0, UNLESS_NESTED, EPERM, {{0}}},
        {"mount_setattr", 0, UNLESS_NESTED, EPERM, {{0}}},
        /* Namespaces.  A filter cannot look into clone3's structure. */
        {"clone3", 0, UNLESS_NESTED, ENOSYS, {{0}}},
        {"setns", 0, UNLESS_NESTED, EPERM, {{0}}},
        {"clone", 0, UNLESS_NESTED, EPERM, {{0, BITS, CLONE_NEWUSER}}},
        {"clone", 0, UNLESS_NESTED, EPERM, {{0, BITS, CLONE_NEWNS}}},
        {"clone", 0, UNLESS_NESTED, EPERM, {{0, BITS, CLONE_NEWNET}}},
        {"clone", 0, UNLESS_NESTED, EPERM, {{0, BITS, CLONE_NEWPID}}},
        {"clone", 0, UNLESS_NESTED, EPERM, {{0, BITS, CLONE_NEWIPC}}},
        {"clone", 0, UNLESS_NESTED, EPERM, {{0, BITS, CLONE_NEWUTS}}},
        {"clone", 0, UNLESS_NESTED, EPERM, {{0, BITS, CLONE_NEWCGROUP}}},
        {"unshare", 0, UNLESS_NESTED, EPERM, {{0, BITS, CLONE_NEWUSER}}},
        {"unshare", 0, UNLESS_NESTED, EPERM, {{0, BITS, CLONE_NEWNS}}},
        {"unshare", 0, UNLESS_NESTED, EPERM, {{0, BITS, CLONE_NEWNET}}},
        {"unshare", 0, UNLESS_NESTED, EPERM, {{0, BITS, CLONE_NEWPID}}},
        {"unshare", 0, UNLESS_NESTED, EPERM, {{0, BITS, CLONE_NEWIPC}}},
        {"unshare", 0, UNLESS_NESTED, EPERM, {{0, BITS, CLONE_NEWUTS}}},
        {"unshare", 0, UNLESS_NESTED, EPERM, {{0, BITS, CLONE_NEWCGROUP}}},
        {"unshare", 0, UNLESS_NESTED, EPERM, {{0, BITS, CLONE_NEWTIME}}},
        /*
         * A snapshot is a copy of a whole tree, with what the policy hides in
         * it, and is made where no mount and no Landlock looks.
         */
        {"ioctl", 0, ALWAYS, EPERM, {{1, LOW_IS, BTRFS_IOC_SUBVOL_CREATE}}},
        {"ioctl", 0, ALWAYS, EPERM, {{1, LOW_IS, BTRFS_IOC_SUBVOL_CREATE_V2}}},
        {"ioctl", 0, ALWAYS, EPERM, {{1, LOW_IS, BTRFS_IOC_SNAP_CREATE}}},
        {"ioctl", 0, ALWAYS, EPERM, {{1, LOW_IS, BTRFS_IOC_SNAP_CREATE_V2}}},
        {"ioctl", 0, ALWAYS, EPERM, {{1, LOW_IS, BTRFS_IOC_SNAP_DESTROY}}},
        {"ioctl", 0, ALWAYS, EPERM, {{1, LOW_IS, BTRFS_IOC_SNAP_DESTROY_V2}}},
        {"ioctl", 0, ALWAYS, EPERM, {{1, LOW_IS, BTRFS_IOC_SUBVOL_SETFLAGS}}},
        {"ioctl", 0, ALWAYS, EPERM, {{1, LOW_IS, BTRFS_IOC_SET_RECEIVED_SUBVOL}}},
        /* Typing into the user's terminal, pasting on its console. */
        {"ioctl", 0, ALWAYS, EPERM, {{1, LOW_IS, TIOCSTI}}},
        {"ioctl", 0, ALWAYS, EPERM, {{1, LOW_IS, TIOCLINUX}}},
        /* Keeping others out of it, and making it something else, for good. */
        {"ioctl", 0, ALWAYS, EPERM, {{1, LOW_IS, TIOCEXCL}}},
        {"ioctl", 0, ALWAYS, EPERM, {{1, LOW_IS, TIOCSETD}}},
        /*
         * A set-user-id file made inside would carry the caller's identity to
         * whoever runs it outside.  The mode in openat2's structure cannot be
         * seen, so callers are sent to openat.
         */
        {"fchmodat2", NR_fchmodat2, BROKERED, ENOSYS, {{0}}},
        {"chmod", 0, ALWAYS, EPERM, {{1, BITS, S_ISUID}}},
        {"fchmod", 0, ALWAYS, EPERM, {{1, BITS, S_ISUID}}},
        {"fchmodat", 0, ALWAYS, EPERM, {{2, BITS, S_ISUID}}},
        {"fchmodat2", NR_fchmodat2, ALWAYS, EPERM, {{2, BITS, S_ISUID}}},
        {"creat", 0, ALWAYS, EPERM, {{1, BITS, S_ISUID}}},
        {"open", 0, ALWAYS, EPERM, {{1, BITS, O_CREAT}, {2, BITS, S_ISUID}}},
        {"open", 0, ALWAYS, EPERM, {{1, BITS, O_TMPFILE_BIT}, {2, BITS, S_ISUID}}},
        {"openat", 0, ALWAYS, EPERM, {{2, BITS, O_CREAT}, {3, BITS, S_ISUID}}},
        {"openat", 0, ALWAYS, EPERM, {{2, BITS, O_TMPFILE_BIT}, {3, BITS, S_ISUID}}},
        {"openat2", 0, ALWAYS, ENOSYS, {{0}}},
        {"mknod", 0, ALWAYS, EPERM, {{1, BITS, S_ISUID}}},
        {"mknodat", 0, ALWAYS, EPERM, {{2, BITS, S_ISUID}}},
        /* Group root is worth as much; for others it is their own group. */
        {"chmod", 0, ROOT_ONLY, EPERM, {{1, BITS, S_ISGID}}},
        {"fchmod", 0, ROOT_ONLY, EPERM, {{1, BITS, S_ISGID}}},
        {"fchmodat", 0, ROOT_ONLY, EPERM, {{2, BITS, S_ISGID}}},
        {"fchmodat2", NR_fchmodat2, ROOT_ONLY, EPERM, {{2, BITS, S_ISGID}}},
        {"creat", 0, ROOT_ONLY, EPERM, {{1, BITS, S_ISGID}}},
        {"open", 0, ROOT_ONLY, EPERM, {{1, BITS, O_CREAT}, {2, BITS, S_ISGID}}},
        {"open", 0, ROOT_ONLY, EPERM, {{1, BITS, O_TMPFILE_BIT}, {2, BITS, S_ISGID}}},
        {"openat", 0, ROOT_ONLY, EPERM, {{2, BITS, O_CREAT}, {3, BITS, S_ISGID}}},
        {"openat", 0, ROOT_ONLY, EPERM, {{2, BITS, O_TMPFILE_BIT}, {3, BITS, S_ISGID}}},
        {"mknod", 0, ROOT_ONLY, EPERM, {{1, BITS, S_ISGID}}},
        {"mknodat", 0, ROOT_ONLY, EPERM, {{2, BITS, S_ISGID}}},
        /* Landlock does not know modes, owners, times and attributes. */
        {"chmod", 0, NO_WRITES, EPERM, {{0}}},
        {"fchmod", 0, NO_WRITES, EPERM, {{0}}},
        {"fchmodat", 0, NO_WRITES, EPERM, {{0}}},
        {"fchmodat2", NR_fchmodat2, NO_WRITES, EPERM, {{0}}},
        {"chown", 0, NO_WRITES, EPERM, {{0}}},
        {"lchown", 0, NO_WRITES, EPERM, {{0}}},
        {"fchown", 0, NO_WRITES, EPERM, {{0}}},
        {"fchownat", 0, NO_WRITES, EPERM, {{0}}},
        {"utime", 0, NO_WRITES, EPERM, {{0}}},
        {"utimes", 0, NO_WRITES, EPERM, {{0}}},
        {"futimesat", 0, NO_WRITES, EPERM, {{0}}},
        {"utimensat", 0, NO_WRITES, EPERM, {{0}}},
        {"setxattr", 0, NO_WRITES, EPERM, {{0}}},
        {"lsetxattr", 0, NO_WRITES, EPERM, {{0}}},
        {"fsetxattr", 0, NO_WRITES, EPERM, {{0}}},
        {"setxattrat", NR_setxattrat, NO_WRITES, EPERM, {{0}}},
        {"removexattr", 0, NO_WRITES, EPERM, {{0}}},
        {"lremovexattr", 0, NO_WRITES, EPERM, {{0}}},
        {"fremovexattr", 0, NO_WRITES, EPERM, {{0}}},
        {"removexattrat", NR_removexattrat, NO_WRITES, EPERM, {{0}}},
        {"file_setattr", NR_file_setattr, NO_WRITES, EPERM, {{0}}},
        /* Nor what is done to a file or directory that is open for reading. */
        {"ioctl", 0, NO_WRITES, EPERM, {{1, LOW_IS, FS_IOC_SETFLAGS}}},
        {"ioctl", 0, NO_WRITES, EPERM, {{1, LOW_IS, FS_IOC_FSSETXATTR}}},
        {"ioctl", 0, NO_WRITES, EPERM, {{1, LOW_IS, FS_IOC_SETVERSION}}},
        {"ioctl", 0, NO_WRITES, EPERM, {{1, LOW_IS, FS_IOC_ENABLE_VERITY}}},
        {"ioctl", 0, NO_WRITES, EPERM, {{1, LOW_IS, FS_IOC_SET_ENCRYPTION_POLICY}}},
        {"ioctl", 0, NO_WRITES, EPERM, {{1, LOW_IS, FAT_IOCTL_SET_ATTRIBUTES}}},
        /*
         * The broker makes these calls in their older forms only.  Attributes
         * of a file that is open for reading it cannot be asked about: an
         * ioctl() goes by the descriptor alone.
         */
        {"setxattrat", NR_setxattrat, BROKERED, ENOSYS, {{0}}},
        {"removexattrat", NR_removexattrat, BROKERED, ENOSYS, {{0}}},
        {"file_setattr", NR_file_setattr, BROKERED, ENOSYS, {{0}}},
        {"ioctl", 0, BROKERED, EPERM, {{1, LOW_IS, FS_IOC_SETFLAGS}}},
        {"ioctl", 0, BROKERED, EPERM, {{1, LOW_IS, FS_IOC_FSSETXATTR}}},
        {"ioctl", 0, BROKERED, EPERM, {{1, LOW_IS, FS_IOC_SETVERSION}}},
        {"ioctl", 0, BROKERED, EPERM, {{1, LOW_IS, FS_IOC_ENABLE_VERITY}}},
        {"ioctl", 0, BROKERED, EPERM, {{1, LOW_IS, FS_IOC_SET_ENCRYPTION_POLICY}}},
        {"ioctl", 0, BROKERED, EPERM, {{1, LOW_IS, FAT_IOCTL_SET_ATTRIBUTES}}},
        /*
         * Nobody could read the arguments of a process that must not be
         * looked into.  Nobody inside may look anyway, so it is told yes.
         */
        {"prctl", 0, BROKERED, 0, {{0, LOW_IS, PR_SET_DUMPABLE}, {1, IS, 0}}},
        /* The machine's own switches; no capability is left for them anyway. */
        {"reboot", 0, ALWAYS, EPERM, {{0}}},
        {"kexec_load", 0, ALWAYS, EPERM, {{0}}},
        {"kexec_file_load", 0, ALWAYS, EPERM, {{0}}},
        {"init_module", 0, ALWAYS, EPERM, {{0}}},
        {"finit_module", 0, ALWAYS, EPERM, {{0}}},
        {"delete_module", 0, ALWAYS, EPERM, {{0}}},
        {"swapon", 0, ALWAYS, EPERM, {{0}}},
        {"swapoff", 0, ALWAYS, EPERM, {{0}}},
        {"acct", 0, ALWAYS, EPERM, {{0}}},
        {"quotactl", 0, ALWAYS, EPERM, {{0}}},
        {"quotactl_fd", 0, ALWAYS, EPERM, {{0}}},
        {"syslog", 0, ALWAYS, EPERM, {{0}}},
        {"settimeofday", 0, ALWAYS, EPERM, {{0}}},
        {"clock_settime", 0, ALWAYS, EPERM, {{0}}},
        {"iopl", 0, ALWAYS, EPERM, {{0}}},
        {"ioperm", 0, ALWAYS, EPERM, {{0}}},
        /*
         * Sockets are allowed by family, never denied by family: a new one
         * (AF_VSOCK was one) must not be a way out of a network namespace.
         *
         * Without a network: unix sockets without addresses, that is
         * socketpair() with connected types.  A datagram socket could name a
         * receiver in sendmsg(), where a filter cannot see it.
         */
        {"socket", 0, OFF_UNTOLD, EPERM, {{0, IS_NOT, AF_UNIX}}},
        {"connect", 0, OFF_UNWATCHED, EPERM, {{0}}},
        {"bind", 0, OFF_UNWATCHED, EPERM, {{0}}},
        {"listen", 0, OFF_UNWATCHED, EPERM, {{0}}},
        {"accept", 0, OFF_UNWATCHED, EPERM, {{0}}},
        {"accept4", 0, OFF_UNWATCHED, EPERM, {{0}}},
        {"sendto", 0, OFF, EPERM, {{4, IS_NOT, 0}}},
        {"sendmmsg", 0, OFF, EPERM, {{0}}},
        {"socket", 0, ALWAYS, EPERM, {{0, LOW_IS, AF_UNIX}, {1, TYPE_IS, 0}}},
        {"socket", 0, ALWAYS, EPERM, {{0, LOW_IS, AF_UNIX}, {1, TYPE_IS, SOCK_DGRAM}}},
        {"socket",
         0,
         ALWAYS,
         EPERM,
         {{0, LOW_IS, AF_UNIX}, {1, TYPE_IS, SOCK_RAW}}}, /* means datagram */
        {"socket", 0, ALWAYS, EPERM, {{0, LOW_IS, AF_UNIX}, {1, TYPE_IS, SOCK_RDM}}},
        {"socket", 0, ALWAYS, EPERM, {{0, LOW_IS, AF_UNIX}, {1, TYPE_IS, SOCK_DCCP}}},
        {"socket", 0, ALWAYS, EPERM, {{0, LOW_IS, AF_UNIX}, {1, TYPE_IS, SOCK_PACKET}}},
        /*
         * With a network: internet sockets and the routing table.  Unix
         * sockets by path lead to the daemons next door (docker, D-Bus,
         * ssh-agent), whatever the network mode.
         */
        {"socket", 0, INTERNET, EPERM, {{0, BELOW, AF_UNIX}}},
        {"socket", 0, INTERNET_UNWATCHED, EPERM, {{0, LOW_IS, AF_UNIX}}},
        {"socket", 0, INTERNET, EPERM, {{0, IS, 3}}},
        {"socket", 0, INTERNET, EPERM, {{0, IS, 4}}},
        {"socket", 0, INTERNET, EPERM, {{0, IS, 5}}},
        {"socket", 0, INTERNET, EPERM, {{0, IS, 6}}},
        {"socket", 0, INTERNET, EPERM, {{0, IS, 7}}},
        {"socket", 0, INTERNET, EPERM, {{0, IS, 8}}},
        {"socket", 0, INTERNET, EPERM, {{0, IS, 9}}},
        {"socket", 0, INTERNET, EPERM, {{0, IS, 11}}},
        {"socket", 0, INTERNET, EPERM, {{0, IS, 12}}},
        {"socket", 0, INTERNET, EPERM, {{0, IS, 13}}},
        {"socket", 0, INTERNET, EPERM, {{0, IS, 14}}},
        {"socket", 0, INTERNET, EPERM, {{0, IS, 15}}},
        {"socket", 0, INTERNET, EPERM, {{0, IS, AF_NETLINK}, {2, IS_NOT, NETLINK_ROUTE}}},
        {"socket", 0, INTERNET, EPERM, {{0, ABOVE, AF_NETLINK}}},
        /*
         * Ways to connect besides connect(): with the first bytes, which a
         * kernel need not allow, and those of SCTP, which is also what
         * a sequence of packets is by default.
         */
        {"sendto", 0, ON_WATCHED, EOPNOTSUPP, {{3, BITS, MSG_FASTOPEN}}},
        {"sendmsg", 0, ON_WATCHED, EOPNOTSUPP, {{2, BITS, MSG_FASTOPEN}}},
        {"sendmmsg", 0, ON_WATCHED, EOPNOTSUPP, {{3, BITS, MSG_FASTOPEN}}},
        /* connect() would say yes, and the first write connect: to whoever listens by then. */
        {"setsockopt",
         0,
         ON_WATCHED,
         EOPNOTSUPP,
         {{1, LOW_IS, IPPROTO_TCP}, {2, LOW_IS, TCP_FASTOPEN_CONNECT}}},
        {"socket", 0, ON_WATCHED, EPROTONOSUPPORT, {{0, IS, AF_INET}, {2, LOW_IS, IPPROTO_SCTP}}},
        {"socket", 0, ON_WATCHED, EPROTONOSUPPORT, {{0, IS, AF_INET6}, {2, LOW_IS, IPPROTO_SCTP}}},
        {"socket",
         0,
         ON_WATCHED,
         EPROTONOSUPPORT,
         {{0, IS, AF_INET}, {1, TYPE_IS, SOCK_SEQPACKET}}},
        {"socket",
         0,
         ON_WATCHED,
         EPROTONOSUPPORT,
         {{0, IS, AF_INET6}, {1, TYPE_IS, SOCK_SEQPACKET}}},
        /* A pair has no address; datagram pairs could be given one later. */
        {"socketpair", 0, ALWAYS, EPERM, {{0, IS_NOT, AF_UNIX}}},
        {"socketpair", 0, ALWAYS, EPERM, {{1, TYPE_IS, 0}}},
        {"socketpair", 0, ALWAYS, EPERM, {{1, TYPE_IS, SOCK_DGRAM}}},
        {"socketpair", 0, ALWAYS, EPERM, {{1, TYPE_IS, SOCK_RAW}}},
        {"socketpair", 0, ALWAYS, EPERM, {{1, TYPE_IS, SOCK_RDM}}},
        {"socketpair", 0, ALWAYS, EPERM, {{1, TYPE_IS, SOCK_DCCP}}},
        {"socketpair", 0, ALWAYS, EPERM, {{1, TYPE_IS, SOCK_PACKET}}},
};

static struct scmp_arg_cmp comparison(unsigned argument, enum test test, unsigned long value)
{
	switch (test) {
	case BITS:
		return SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, value, value);
	case LOW_IS:
		return SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, 0xffffffffUL, value);
	case TYPE_IS:
		return SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, 0xfUL, value);
	case IS:
		return SCMP_CMP64(argument, SCMP_CMP_EQ, value, 0);
	case IS_NOT:
		return SCMP_CMP64(argument, SCMP_CMP_NE, value, 0);
	case BELOW:
		return SCMP_CMP64(argument, SCMP_CMP_LT, value, 0);
	case ABOVE:
	case ANY:
		break;
	}
	return SCMP_CMP64(argument, SCMP_CMP_GT, value, 0);
}

/*
 * Not the other way round: the second half of an x86-64 filter is about x32,
 * which only libseccomp for x86-64 writes.
 */
int filter_target(const char *name, uint32_t *arch)
{
	static const struct {
		const char *name;
		uint32_t arch;
	} known[] = {{"x86_64", SCMP_ARCH_X86_64}, {"arm64", SCMP_ARCH_AARCH64}};

	*arch = 0;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].name, name) == 0)
			*arch = known[i].arch;
	return *arch == seccomp_arch_native() || *arch == SCMP_ARCH_AARCH64 ? 0 : -1;
}

/* From here on a call has the same number everywhere. */
#define FIRST_COMMON 424

/* Negative: not a call of the target. */
static int number_by_name(uint32_t arch, const char *name, int number)
{
	int found = seccomp_syscall_resolve_name_arch(arch, name);

	return found == __NR_SCMP_ERROR && number >= FIRST_COMMON ? number : found;
}

static int number_of(uint32_t arch, const struct rule *rule)
{
	return number_by_name(arch, rule->name, rule->number);
}

/*
 * Where the observer looks on, it is told of what is refused and gives the
 * same answer; a call that only exists to be fallen back from is not worth it.
 */
static uint32_t action(const struct rule *rule, const struct seccomp_choice *choice)
{
	bool pair = strcmp(rule->name, "socketpair") == 0;

	/* The observer makes pairs of datagram sockets in its own way. */
	return choice->watch >= (pair ? WATCH_SOCKETS : WATCH_FILES) && rule->answer == EPERM
	               ? SCMP_ACT_NOTIFY
	               : SCMP_ACT_ERRNO((unsigned)rule->answer);
}

static int add_rule(scmp_filter_ctx context, uint32_t arch, const struct rule *rule, uint32_t what)
{
	struct scmp_arg_cmp args[2];
	unsigned count = 0;

	/* Not a call of this architecture (open, chmod on arm64): nothing to refuse. */
	if (number_of(arch, rule) < 0)
		return 0;
	while (count < 2 && rule->tests[count].test != ANY) {
		args[count] = comparison(rule->tests[count].argument, rule->tests[count].test,
		                         rule->tests[count].value);
		count++;
	}
	return seccomp_rule_add_array(context, what, number_of(arch, rule), count, args);
}

/* Everything but a plain open for reading. */
static int watch_writes(scmp_filter_ctx context, const struct call *call, int number)
{
	static const struct {
		unsigned long mask, value;
	} flags[] = {
	        {O_ACCMODE, O_WRONLY}, {O_ACCMODE, O_RDWR}, {O_ACCMODE, O_ACCMODE},
	        {O_CREAT, O_CREAT},    {O_TRUNC, O_TRUNC},
	};
	int failed = 0;

	for (size_t i = 0; !failed && i < sizeof(flags) / sizeof(flags[0]); i++) {
		struct scmp_arg_cmp arg = SCMP_CMP64((unsigned)call->flags, SCMP_CMP_MASKED_EQ,
		                                     flags[i].mask, flags[i].value);

		failed = seccomp_rule_add_array(context, SCMP_ACT_NOTIFY, number, 1, &arg);
	}
	return failed;
}

static int watch_unless_zero(scmp_filter_ctx context, int number, unsigned argument)
{
	struct scmp_arg_cmp arg = SCMP_CMP64(argument, SCMP_CMP_NE, 0, 0);

	return seccomp_rule_add_array(context, SCMP_ACT_NOTIFY, number, 1, &arg);
}

/* The types that no rule refuses. */
static int watch_unix_sockets(scmp_filter_ctx context, int number)
{
	static const unsigned long types[] = {SOCK_STREAM, SOCK_SEQPACKET};
	int failed = 0;

	for (size_t i = 0; !failed && i < 2; i++) {
		struct scmp_arg_cmp args[] = {comparison(0, LOW_IS, AF_UNIX),
		                              comparison(1, TYPE_IS, types[i])};

		failed = seccomp_rule_add_array(context, SCMP_ACT_NOTIFY, number, 2, args);
	}
	return failed;
}

static int watch(scmp_filter_ctx context, uint32_t arch, const struct call *call,
                 const struct seccomp_choice *choice)
{
	bool local = choice->net == NET_OFF_TOLD || choice->net == NET_LOOPBACK;
	int number = number_by_name(arch, call->name, call->number);

	if (number < 0)
		return 0;
	if (call->act != ACT_SOCKET && call->act != ACT_CONNECT && choice->watch < WATCH_FILES)
		return 0;
	/* Calls that the broker does not know, because programs do without, have a rule. */
	if (choice->brokered && call->number >= NR_fchmodat2)
		return 0;
	switch (call->act) {
	case ACT_SOCKET:
		return choice->alone ? watch_unix_sockets(context, number) : 0;
	case ACT_OPEN:
		if (choice->watch < WATCH_READS)
			return watch_writes(context, call, number);
		break;
	case ACT_OPEN_FILE:
	case ACT_UMASK:
		if (!choice->brokered)
			return 0;
		break;
	case ACT_TIMES:
		if (choice->brokered)
			break;
		return watch_unless_zero(context, number, (unsigned)call->path);
	case ACT_SENDTO:
		return local ? watch_unless_zero(context, number, 4) : 0;
	case ACT_SENDMSG:
		if (!local)
			return 0;
		break;
	default:
		break;
	}
	return seccomp_rule_add_array(context, SCMP_ACT_NOTIFY, number, 0, NULL);
}

int filter_compile(const struct seccomp_choice *choice, uint32_t arch, int fd)
{
	scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
	int failed = context ? 0 : -ENOMEM;

	if (!failed)
		failed = seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	/* A tree instead of a list: the kernel tries every call once at installation. */
	if (!failed)
		failed = seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	for (size_t i = 0; !failed && i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rule_applies(&rules[i], choice))
			failed = add_rule(context, arch, &rules[i], action(&rules[i], choice));
	for (size_t i = 0; !failed && choice->watch > WATCH_NONE && i < call_count; i++)
		failed = watch(context, arch, &calls[i], choice);
	if (!failed)
		failed = seccomp_export_bpf(context, fd);
	seccomp_release(context);
	return failed;
}

void filter_print_rules(uint32_t arch)
{
	printf("const struct rule seccomp_rules[] = {\n");
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const struct rule *r = &rules[i];

		if (number_of(arch, r) >= 0)
			printf("\t{\"%s\", %d, %d, %d, {{%u, %d, %luU}, {%u, %d, %luU}}},\n",
			       r->name, number_of(arch, r), r->when, r->answer,
			       r->tests[0].argument, r->tests[0].test, r->tests[0].value,
			       r->tests[1].argument, r->tests[1].test, r->tests[1].value);
	}
	printf("};\nconst size_t seccomp_rule_count = sizeof(seccomp_rules) / sizeof(seccomp_rules[0]);\n");
}

static void print_comparison(unsigned argument, enum test test, unsigned long value)
{
	static const char *const ops[] = {
	        [SCMP_CMP_NE] = "NE",
	        [SCMP_CMP_LT] = "LT",
	        [SCMP_CMP_EQ] = "EQ",
	        [SCMP_CMP_GT] = "GT",
	        [SCMP_CMP_MASKED_EQ] = "MASKED_EQ",
	};
	struct scmp_arg_cmp made = comparison(argument, test, value);

	printf("{\\\"index\\\":%u,\\\"value\\\":%llu,\\\"valueTwo\\\":%llu,"
	       "\\\"op\\\":\\\"SCMP_CMP_%s\\\"}",
	       made.arg, (unsigned long long)made.datum_a, (unsigned long long)made.datum_b,
	       ops[made.op]);
}

static void print_json_rule(const struct rule *rule)
{
	printf("{\\\"names\\\":[\\\"%s\\\"],\\\"action\\\":\\\"SCMP_ACT_ERRNO\\\","
	       "\\\"errnoRet\\\":%d",
	       rule->name, rule->answer);
	for (size_t i = 0; i < 2 && rule->tests[i].test != ANY; i++) {
		printf(i == 0 ? ",\\\"args\\\":[" : ",");
		print_comparison(rule->tests[i].argument, rule->tests[i].test,
		                 rule->tests[i].value);
	}
	printf(rule->tests[0].test == ANY ? "}" : "]}");
}

void filter_print_json(const struct seccomp_choice *choice, uint32_t arch)
{
	const char *comma = "";

	printf("{\\\"defaultAction\\\":\\\"SCMP_ACT_ALLOW\\\",\\\"architectures\\\":"
	       "[\\\"SCMP_ARCH_%s\\\"],\\\"syscalls\\\":[",
	       arch == SCMP_ARCH_AARCH64 ? "AARCH64" : "X86_64");
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (!rule_applies(&rules[i], choice) || number_of(arch, &rules[i]) < 0)
			continue;
		printf("%s", comma);
		print_json_rule(&rules[i]);
		comma = ",";
	}
	printf("]}");
}
