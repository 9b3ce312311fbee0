#include "filter/choose_filter.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

int seccomp_install_watched(const struct seccomp_choice *choice)
{
	const struct sock_fprog *filter = &seccomp_filters[seccomp_index(choice)];
	unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
	long fd;

	if (filter->len == 0) {
		errno = EINVAL;
		return -1;
	}
	/* A signal handler must not make an open() fail with EINTR; before Linux 5.19 it may. */
	fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	             flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, filter);
	if (fd < 0 && errno == EINVAL)
		fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, filter);
	return (int)fd;
}

int seccomp_install(const struct seccomp_choice *choice, struct error *err)
{
	const struct sock_fprog *filter = &seccomp_filters[seccomp_index(choice)];

	/* A filter without instructions would be none. */
	if (filter->len == 0)
		return error_set(err, EXIT_SYSTEM, "system", "the system call filter is missing");
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, filter) < 0)
		return error_system(err, "installing the system call filter");
	return 0;
}
