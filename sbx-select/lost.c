#include "lost.h"

#include "cleanup.h"
#include "kernel_value.h"
#include "memory.h"
#include "surroundings.h"
#include "userns.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

void lost_add(json_t *list, const char *guarantee, const char *why, const char *cure)
{
	json_array_append_new(list, xjson(json_pack("{s:s,s:s,s:s}", "guarantee", guarantee, "why",
	                                            why, "cure", cure)));
}

static bool always(const struct permissions *permissions)
{
	(void)permissions;
	return true;
}

/* With the network off, the system call filter refuses every address. */
static bool sockets_open(const struct permissions *permissions)
{
	return permissions->network != NETWORK_OFF;
}

static bool hides_files(const struct permissions *permissions)
{
	return permissions_resolve(permissions, "/", NULL) == ACCESS_NONE;
}

/* Where nothing is writable the helper refuses the calls that change metadata. */
static bool keeps_files(const struct permissions *permissions)
{
	bool writes = false;

	for (size_t i = 0; i < permissions->count; i++)
		writes |= permissions->entries[i].access == ACCESS_WRITE;
	return writes && permissions_resolve(permissions, "/", NULL) != ACCESS_WRITE &&
	       !surroundings_read_only(permissions);
}

/* Landlock alone, by what it leaves open below each ABI (0: at every one). */
static const struct {
	const char *guarantee;
	int abi;
	bool (*asked)(const struct permissions *permissions);
	const char *why;
} landlock_leaves[] = {
        {"process-isolation", 0, always,
         "no PID namespace: processes of the same user can be seen, though not traced"},
        {"ipc-isolation", 0, always,
         "no IPC namespace: System V IPC and POSIX message queues are shared"},
        {"file-metadata", 0, keeps_files,
         "chmod, chown, times and extended attributes outside the writable roots are held by "
         "file ownership only"},
        {"hidden-names", 0, hides_files,
         "names, sizes and times of files without read access can be seen with stat()"},
        {"signals", 6, always, "processes of the same user outside can be signalled"},
        {"abstract-sockets", 6, sockets_open, "abstract Unix sockets outside can be reached"},
        {"unix-sockets", 9, sockets_open, "connect() to pathname sockets is not covered"},
};

const char *userns_obstacle(const struct machine *machine, const char **cure)
{
	/* In the order in which the kernel would stop us. */
	if (kernel_number("/proc/sys/user/max_user_namespaces", 1) == 0) {
		*cure = "sysctl user.max_user_namespaces=10000";
		return "user.max_user_namespaces is 0";
	}
	if (kernel_number("/proc/sys/kernel/unprivileged_userns_clone", 1) == 0) {
		*cure = "sysctl kernel.unprivileged_userns_clone=1";
		return "kernel.unprivileged_userns_clone is 0";
	}
	if (machine->userns_capless || userns_restricted_by_apparmor()) {
		*cure = "load the AppArmor profile in share/sbx/apparmor, or sysctl "
		        "kernel.apparmor_restrict_unprivileged_userns=0";
		return "AppArmor withholds the capabilities of unprivileged user namespaces";
	}
	if (machine->userns_errno == ENOSPC) {
		*cure = "raise user.max_user_namespaces, or allow nested namespaces in the outer "
		        "sandbox";
		return "the limit on user namespaces is reached";
	}
	if (machine->userns_errno == ENOSYS || machine->userns_errno == EINVAL) {
		*cure = "use a kernel with CONFIG_USER_NS (WSL1 has none: use WSL2)";
		return "the kernel has no user namespaces";
	}
	*cure = "in a container, allow unshare() in its seccomp profile (docker run "
	        "--security-opt seccomp=unconfined) or use -s external-sandbox; inside "
	        "sbx-run, start the outer one with -c sbx.nested=true, if its policy protects "
	        "no name in a writable directory";
	return "creating user namespaces is not permitted here";
}

json_t *lost_with_landlock(const struct machine *machine, const struct permissions *permissions)
{
	json_t *list = xjson(json_array());
	const char *cure;

	userns_obstacle(machine, &cure);
	for (size_t i = 0; i < sizeof(landlock_leaves) / sizeof(landlock_leaves[0]); i++) {
		int abi = landlock_leaves[i].abi;

		if ((abi == 0 || machine->landlock_abi < abi) &&
		    landlock_leaves[i].asked(permissions))
			lost_add(list, landlock_leaves[i].guarantee, landlock_leaves[i].why, cure);
	}
	return list;
}

json_t *lost_on_linux(const struct machine *machine, const struct error *fit)
{
	json_t *list = xjson(json_array());
	const char *cure;
	const char *obstacle = userns_obstacle(machine, &cure);

	if (!machine->seccomp) {
		lost_add(list, "system-call-filter", "the kernel has no seccomp filters",
		         "use a kernel with CONFIG_SECCOMP_FILTER");
	} else {
		cleanup_free char *why = xasprintf("%s; and %s", obstacle, fit->message);

		/* The message may quote a path that is not UTF-8; the word does not. */
		json_t *text = json_string(why);

		lost_add(list, fit->code, text ? why : obstacle, cure);
		json_decref(text);
	}
	return list;
}
