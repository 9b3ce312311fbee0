#include "inner/lock_down.h"

#include "inner/landlock.h"
#include "outer/reopened_files.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int drop_privileges(bool bounded, struct error *err)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {{0}, {0}};

	/* bubblewrap has emptied the bounding set; without it, we do. */
	for (int cap = 0; !bounded && prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
		/* Not permitted without CAP_SETPCAP; then no_new_privs has to do. */
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0 && errno != EPERM)
			return error_system(err, "dropping capabilities");
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 && errno != EINVAL)
		return error_system(err, "dropping capabilities");
	if (syscall(SYS_capset, &header, none) < 0)
		return error_system(err, "dropping capabilities");
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return error_system(err, "no_new_privs");
	return 0;
}

/*
 * The caller's session keyring is not for the command.  Calls on keys are
 * refused by the filter as well, so a full quota is no reason to fail.
 */
static void leave_keyring(void)
{
	if (syscall(SYS_keyctl, 1 /* KEYCTL_JOIN_SESSION_KEYRING */, NULL) < 0)
		errno = 0;
}

int install_filter(const struct plan *plan, struct error *err)
{
	const struct seccomp_choice choice = seccomp_unwatched(&plan->filter);

	return seccomp_install(&choice, err);
}

int lock_down(struct inner *inner, struct error *err)
{
	struct plan *plan = &inner->plan;
	int abi;

	leave_keyring();
	/* /proc/1 and its fds, exe and memory are not for processes inside. */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return error_system(err, "making the inner stage unreadable");
	if (drop_privileges(!plan->filter.alone, err) < 0)
		return -1;
	/* Before Landlock, which would count them among the files that the command opens. */
	if (!plan->filter.alone && reopen(plan->reopen, inner->control, err) < 0)
		return -1;
	abi = landlock_apply(&plan->permissions, plan->filter.brokered ? &plan->ground : NULL,
	                     !plan->filter.alone, !plan->filter.nested, err);
	if (abi < 0)
		return -1;
	if (abi == 0 && plan->filter.alone)
		return error_set(err, EXIT_UNAVAILABLE, "no-landlock",
		                 "this kernel has no Landlock");
	/* The answer of an earlier filter would hide the calls from an observer. */
	return plan->filter.watch == WATCH_NONE ? install_filter(plan, err) : 0;
}
