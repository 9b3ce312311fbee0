#include "userns.h"

#ifdef __linux__

#include "base/error.h"
#include "kernel_value.h"
#include "process/spawn.h"

#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WITHHELD = 256 };

bool userns_restricted_by_apparmor(void)
{
	return kernel_number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", 0) > 0;
}

/*
 * 0, an errno, or an errno + WITHHELD.  Ubuntu's AppArmor lets the namespace
 * be made and refuses its use, so it has to be used to know.  By a call that no
 * container's filter refuses: sethostname() would be refused by Podman's, and
 * look like AppArmor where everything works.
 */
static int make_and_use(void)
{
	if (unshare(CLONE_NEWUSER) < 0)
		return errno;
	/* Of no use to anybody here, so that nothing is lost by dropping it. */
	return prctl(PR_CAPBSET_DROP, CAP_WAKE_ALARM, 0, 0, 0) < 0 ? errno + WITHHELD : 0;
}

/*
 * A namespace without capabilities is a trap: from inside it even a bwrap
 * that AppArmor allows would fail.  Where that can happen, try in a child.
 */
static int make_and_use_in_child(void)
{
	int ends[2], result = EIO;
	struct error err = {0};
	pid_t child;

	if (pipe_open(ends, &err) < 0)
		return errno;
	child = fork();
	if (child == 0) {
		result = make_and_use();
		_exit(write(ends[1], &result, sizeof(result)) == sizeof(result) ? 0 : 1);
	}
	close(ends[1]);
	if (child < 0 || read(ends[0], &result, sizeof(result)) != sizeof(result))
		result = EIO;
	close(ends[0]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return result;
}

bool userns_try(int *why, bool *capless, bool aside)
{
	int result =
	        aside || userns_restricted_by_apparmor() ? make_and_use_in_child() : make_and_use();

	*capless = result >= WITHHELD;
	*why = result % WITHHELD;
	return result == 0;
}

#else

bool userns_restricted_by_apparmor(void)
{
	return false;
}

bool userns_try(int *why, bool *capless, bool aside)
{
	(void)aside;
	*why = 0;
	*capless = false;
	return false;
}

#endif
