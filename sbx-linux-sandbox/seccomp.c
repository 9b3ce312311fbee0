#include "seccomp.h"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

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
