#include "machine.h"

#include "base/memory.h"
#include "document/platform.h"
#include "linux/fresh_proc.h"
#include "linux/landlock_fit.h"
#include "linux/which_bwrap.h"
#include "process/own_proc.h"
#include "system_bwrap.h"
#include "userns.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/seccomp.h>
#include <sys/syscall.h>
#endif

#ifdef __linux__
static bool action_available(unsigned action)
{
	return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

/* The helper judges it again, by the policy of its command. */
static bool has_current_bwrap(void)
{
	const struct could_write nobody = {0};
	struct bwrap bwrap;
	bool found = which_bwrap(&nobody, true, &bwrap);

	bwrap_close(&bwrap);
	return found;
}

static void look_linux(struct machine *machine, bool aside)
{
	int own_proc;

	/* Before the namespace: there the caller's rights are gone. */
	machine->root = geteuid() == 0;
	machine->bwrap_system = access(SYSTEM_BWRAP, X_OK) == 0;
	machine->bwrap_current = has_current_bwrap();
	machine->seccomp = action_available(SECCOMP_RET_ERRNO);
	machine->notify = action_available(SECCOMP_RET_USER_NOTIF);
	machine->landlock_abi = landlock_abi();
	machine->outer_proc = fresh_proc_refused();
	own_proc = proc_look();
	machine->unknown = own_proc < 0 ? errno : 0;
	machine->other_proc = own_proc <= 0;
	if (machine->other_proc) {
		machine->userns_errno = ESRCH;
		return;
	}
	machine->userns = userns_try(&machine->userns_errno, &machine->userns_capless, aside);
	if (!machine->userns && machine->bwrap_system)
		machine->bwrap_userns = system_bwrap_works();
}
#else
static void look_linux(struct machine *machine, bool aside)
{
	(void)machine, (void)aside;
}
#endif

void machine_look(struct machine *machine, const char *platform, bool aside)
{
	*machine = (struct machine){.platform = platform};
	machine->foreign = strcmp(platform, platform_own()) != 0;
	if (machine->foreign) {
		machine->userns = machine->seccomp = machine->sandbox_exec = true;
		return;
	}
	if (strcmp(platform, "linux") == 0)
		look_linux(machine, aside);
	else if (strcmp(platform, "macos") == 0)
		machine->sandbox_exec = access("/usr/bin/sandbox-exec", X_OK) == 0;
}

json_t *machine_capabilities(const struct machine *machine)
{
	if (strcmp(machine->platform, "macos") == 0)
		return xjson(json_pack("{s:b,s:b}", "sandbox_exec", machine->sandbox_exec,
		                       "assumed", machine->foreign));
	if (strcmp(machine->platform, "windows") == 0 || platform_is_engine(machine->platform))
		return xjson(json_pack("{s:b}", "assumed", machine->foreign));
	return xjson(json_pack(
	        "{s:b,s:b,s:i,s:b,s:b,s:s,s:b}", "userns", machine->userns || machine->bwrap_userns,
	        "fresh_proc", !machine->outer_proc, "landlock_abi", machine->landlock_abi,
	        "seccomp", machine->seccomp, "notify", machine->notify, "bwrap",
	        machine->bwrap_current || machine->bwrap_userns ? "system" : "vendored", "assumed",
	        machine->foreign));
}
