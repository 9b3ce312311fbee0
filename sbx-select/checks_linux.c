/*
 * Which questions does --probe ask of a Linux machine?
 */
#include "probe.h"

#include "kernel_value.h"
#include "limits/lost_limits.h"
#include "linux/kernel_release.h"
#include "obstacle.h"
#include "proc_mount.h"
#include "system_bwrap.h"
#include "userns.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void look_kernel(const struct machine *machine, struct finding *finding)
{
	char release[128];

	(void)machine;
	if (!kernel_text("/proc/sys/kernel/osrelease", release, sizeof(release)))
		snprintf(release, sizeof(release), "unknown release");
	release[strcspn(release, "\n")] = '\0';
	if (kernel_at_least(5, 19))
		finding_set(finding, FINDING_OK, NULL, "%s", release);
	else
		finding_set(finding, FINDING_NOTE, "use Linux 5.19 or later",
		            "%s has no Landlock that can be used: mounts and seccomp hold alone",
		            release);
}

static void look_wsl(const struct machine *machine, struct finding *finding)
{
	char version[256];

	(void)machine;
	if (!kernel_text("/proc/version", version, sizeof(version)) || !strstr(version, "icrosoft"))
		return;
	/* WSL1 is a translation layer that calls itself 4.4; WSL2 is a kernel. */
	if (strstr(version, "WSL2") || kernel_at_least(4, 19))
		finding_set(finding, FINDING_OK, NULL, "WSL2");
	else
		finding_set(finding, FINDING_FAIL, "wsl --set-version DISTRIBUTION 2",
		            "WSL1 has no namespaces and no seccomp");
}

static bool namespaces_work(const struct machine *machine)
{
	return machine->userns || machine->bwrap_userns;
}

/* Docker's filter refuses user namespaces; Podman's does not. */
static void look_container(const struct machine *machine, struct finding *finding)
{
	struct container container = container_look();
	struct obstacle obstacle;

	if (!container.name)
		return;
	if (namespaces_work(machine)) {
		finding_set(finding, FINDING_OK, NULL,
		            "%s (%s); its filter lets namespaces be made", container.name,
		            container.sign);
		return;
	}
	obstacle_look(machine, &obstacle);
	finding_set(finding, FINDING_NOTE, obstacle.cure, "%s (%s); %s", container.name,
	            container.sign, obstacle.why);
}

static void look_userns(const struct machine *machine, struct finding *finding)
{
	struct obstacle obstacle;

	if (machine->userns) {
		finding_set(finding, FINDING_OK, NULL, "%s", "");
	} else if (machine->bwrap_userns) {
		finding_set(finding, FINDING_OK, NULL, "through %s", SYSTEM_BWRAP);
	} else {
		obstacle_look(machine, &obstacle);
		finding_set(finding, FINDING_FAIL, obstacle.cure, "%s (%s)", obstacle.why,
		            strerror(machine->userns_errno));
	}
}

static void look_apparmor(const struct machine *machine, struct finding *finding)
{
	if (userns_restricted_by_apparmor())
		finding_set(finding, namespaces_work(machine) ? FINDING_NOTE : FINDING_FAIL,
		            "load the AppArmor profile in share/sbx/apparmor, or sysctl "
		            "kernel.apparmor_restrict_unprivileged_userns=0",
		            "user namespaces of unprofiled programs get no capabilities");
	else
		finding_set(finding, FINDING_OK, NULL, "does not restrict user namespaces");
}

static void look_max_userns(const struct machine *machine, struct finding *finding)
{
	long limit = kernel_number("/proc/sys/user/max_user_namespaces", -1);

	if (limit == 0 && !namespaces_work(machine))
		finding_set(finding, FINDING_FAIL, "sysctl user.max_user_namespaces=10000", "0");
	else if (limit >= 0)
		finding_set(finding, FINDING_OK, NULL, "%ld", limit);
}

/* A switch of Debian's kernels; others do not have the file. */
static void look_userns_clone(const struct machine *machine, struct finding *finding)
{
	long value = kernel_number("/proc/sys/kernel/unprivileged_userns_clone", -1);

	if (value == 0 && namespaces_work(machine))
		finding_set(finding, FINDING_OK, NULL,
		            "0: only root makes user namespaces, as here");
	else if (value == 0)
		finding_set(finding, FINDING_FAIL, "sysctl kernel.unprivileged_userns_clone=1",
		            "0: only root makes user namespaces");
	else if (value > 0)
		finding_set(finding, FINDING_OK, NULL, "%ld", value);
}

static void look_proc(const struct machine *machine, struct finding *finding)
{
	int why;

	/* Only in a namespace that we can make ourselves. */
	if (!machine->userns)
		return;
	why = proc_mount_try();
	if (why == 0)
		finding_set(finding, FINDING_OK, NULL, "%s", "");
	else
		finding_set(
		        finding, FINDING_NOTE,
		        "give the container an unmasked /proc (docker run --security-opt "
		        "systempaths=unconfined)",
		        "%s: the outer /proc is used, read-only, and shows the processes outside",
		        strerror(why));
}

static void look_seccomp(const struct machine *machine, struct finding *finding)
{
	if (machine->seccomp)
		finding_set(finding, FINDING_OK, NULL, "%s", "");
	else
		finding_set(finding, FINDING_FAIL, "use a kernel with CONFIG_SECCOMP_FILTER",
		            "the kernel has none");
}

static void look_notify(const struct machine *machine, struct finding *finding)
{
	if (machine->notify && kernel_at_least(6, 6))
		finding_set(finding, FINDING_OK, NULL, "with synchronous wake-up");
	else if (machine->notify && kernel_at_least(5, 14))
		finding_set(finding, FINDING_NOTE,
		            "use Linux 6.6 or later, or sbx-run -c sbx.observe=on",
		            "without synchronous wake-up it costs about 60 us a call, so denials "
		            "are observed only by request");
	else if (machine->notify)
		finding_set(finding, FINDING_NOTE, "use Linux 6.6 or later (5.14 by request)",
		            "too old to observe denials: they are guessed from exit codes and "
		            "messages");
	else
		finding_set(finding, FINDING_NOTE, "use Linux 5.0 or later",
		            "none: denials are guessed from exit codes and messages");
}

/* What --limit would be held by. */
static void look_limits(const struct machine *machine, struct finding *finding)
{
	const struct limits some = {.most = {1, 1, 1}};
	unsigned lost = lost_limits(&some, true, machine->root);

	if (lost == 0)
		finding_set(finding, FINDING_OK, NULL, "a cgroup of the run's own can be made");
	else
		finding_set(finding, FINDING_NOTE,
		            "systemd-run --user --scope sbx-select --probe says whether a scope "
		            "helps; root can make one",
		            "--limit is approximate: no cgroup can be made here%s",
		            lost & (1U << LIMIT_MEMORY) ? "" : " for all of them");
}

/* Root keeps no more than its own uid inside: what is another user's it cannot write. */
static void look_owner(const struct machine *machine, struct finding *finding)
{
	struct stat st;

	(void)machine;
	if (geteuid() != 0 || stat(".", &st) < 0 || st.st_uid == 0 || (st.st_mode & S_IWOTH))
		return;
	finding_set(finding, FINDING_NOTE, "chown it, or run sbx-run as that user",
	            "it belongs to user %ju, so that root cannot write here in a sandbox",
	            (uintmax_t)st.st_uid);
}

/* What each ABI added; without it, what Landlock does not hold. */
static const struct {
	int abi;
	const char *kernel, *costs;
} landlock_levels[] = {
        {3, "6.2", "truncate(): Landlock alone cannot keep files read-only"},
        {4, "6.7", "TCP ports"},
        {5, "6.10", "ioctl() on devices"},
        {6, "6.12", "signals and abstract sockets to processes outside"},
        {9, "with ABI 9", "connect() to pathname sockets"},
};

static void look_landlock(const struct machine *machine, struct finding *finding)
{
	size_t used, levels = sizeof(landlock_levels) / sizeof(landlock_levels[0]);
	bool first = true;

	if (machine->landlock_abi == 0) {
		finding_set(finding, FINDING_NOTE,
		            "use Linux 5.19 or later with landlock in its lsm= list",
		            "none that can be used: mounts and seccomp hold alone");
		return;
	}
	finding_set(finding, FINDING_OK, NULL, "ABI %d", machine->landlock_abi);
	for (size_t i = 0; i < levels; i++) {
		if (machine->landlock_abi >= landlock_levels[i].abi)
			continue;
		finding->grade = FINDING_NOTE;
		finding->cure = "a later kernel";
		used = strlen(finding->detail);
		snprintf(finding->detail + used, sizeof(finding->detail) - used, "%s%s (Linux %s)",
		         first ? "; it does not cover: " : ", ", landlock_levels[i].costs,
		         landlock_levels[i].kernel);
		first = false;
	}
}

/* Options that make the system's bwrap as good as ours, and what for. */
static const struct {
	const char *name, *purpose;
} bwrap_options[] = {
        {"--bind-fd", "mount sources pinned by descriptor"},
        {"--argv0", "the name the inner stage is started by"},
        {"--disable-userns", "no further user namespaces inside"},
        {"--perms", "permissions of masks"},
};

static bool names(const char *help, const char *option)
{
	size_t len = strlen(option);

	for (const char *at = help; (at = strstr(at, option)) != NULL; at += len)
		if (strchr(" \n", at[len]))
			return true;
	return false;
}

static void look_bwrap(const struct machine *machine, struct finding *finding)
{
	char help[16384];
	size_t used;

	if (!machine->bwrap_system) {
		finding_set(finding, FINDING_OK, NULL, "the vendored one; no %s", SYSTEM_BWRAP);
		return;
	}
	if (!system_bwrap_help(help, sizeof(help))) {
		finding_set(finding, FINDING_OK, NULL, "the vendored one; %s --help fails",
		            SYSTEM_BWRAP);
		return;
	}
	finding_set(finding, FINDING_OK, NULL, "%s", SYSTEM_BWRAP);
	for (size_t i = 0; i < sizeof(bwrap_options) / sizeof(bwrap_options[0]); i++) {
		used = strlen(finding->detail);
		snprintf(finding->detail + used, sizeof(finding->detail) - used, ", %s %s",
		         names(help, bwrap_options[i].name) ? "with" : "without",
		         bwrap_options[i].name);
	}
	used = strlen(finding->detail);
	snprintf(finding->detail + used, sizeof(finding->detail) - used, "; and the vendored one");
}

const struct check linux_checks[] = {
        {"kernel", look_kernel},
        {"Windows subsystem", look_wsl},
        {"container", look_container},
        {"user namespaces", look_userns},
        {"AppArmor", look_apparmor},
        {"user.max_user_namespaces", look_max_userns},
        {"kernel.unprivileged_userns_clone", look_userns_clone},
        {"fresh /proc", look_proc},
        {"seccomp filters", look_seccomp},
        {"seccomp notification", look_notify},
        {"Landlock", look_landlock},
        {"bubblewrap", look_bwrap},
        {"limits", look_limits},
        {"this directory", look_owner},
        {0},
};
