#include "obstacle.h"

#include "base/cleanup.h"
#include "kernel_value.h"
#include "linux/mount_table.h"
#include "userns.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool other_proc(const struct circumstances *here)
{
	return here->other_proc;
}

static bool no_namespaces(const struct circumstances *here)
{
	return here->max_namespaces == 0;
}

/* Debian's switch does not concern root. */
static bool not_for_users(const struct circumstances *here)
{
	return here->unprivileged == 0 && !here->root;
}

static bool apparmor(const struct circumstances *here)
{
	return here->capless || (here->apparmor && !here->filtered);
}

static bool limit_reached(const struct circumstances *here)
{
	return here->why == ENOSPC;
}

static bool unknown_to_kernel(const struct circumstances *here)
{
	return !here->filtered && (here->why == ENOSYS || here->why == EINVAL);
}

static bool changed_root(const struct circumstances *here)
{
	return here->changed_root && here->why == EPERM;
}

static bool is_container(const struct circumstances *here, const char *run)
{
	return here->filtered && here->container.run && strcmp(here->container.run, run) == 0;
}

static bool inside(const struct circumstances *here)
{
	return here->inside && here->filtered;
}

static bool in_docker(const struct circumstances *here)
{
	return is_container(here, "docker");
}

static bool in_podman(const struct circumstances *here)
{
	return is_container(here, "podman");
}

static bool in_container(const struct circumstances *here)
{
	return here->filtered && here->container.name;
}

static bool filtered(const struct circumstances *here)
{
	return here->filtered;
}

static bool otherwise(const struct circumstances *here)
{
	(void)here;
	return true;
}

#define UNCONFINED                                                                                 \
	" run --security-opt seccomp=unconfined --security-opt apparmor=unconfined "               \
	"--security-opt systempaths=unconfined IMAGE COMMAND"

/* In the order in which the kernel, and those between it and us, would stop us. */
static const struct {
	bool (*holds)(const struct circumstances *here);
	struct obstacle obstacle;
} obstacles[] = {
        {other_proc,
         {"the /proc here is not of this process namespace",
          "mount one that is (unshare --mount-proc), or give the container around it an unmasked "
          "/proc",
          NULL, false}},
        {no_namespaces,
         {"user.max_user_namespaces is 0", "sysctl user.max_user_namespaces=10000",
          "sysctl user.max_user_namespaces=10000", true}},
        {not_for_users,
         {"kernel.unprivileged_userns_clone is 0", "sysctl kernel.unprivileged_userns_clone=1",
          "sysctl kernel.unprivileged_userns_clone=1", true}},
        {apparmor,
         {"AppArmor withholds the capabilities of unprivileged user namespaces",
          "load the AppArmor profile in share/sbx/apparmor, or sysctl "
          "kernel.apparmor_restrict_unprivileged_userns=0",
          "sysctl kernel.apparmor_restrict_unprivileged_userns=0", true}},
        {limit_reached,
         {"the limit on user namespaces is reached",
          "raise user.max_user_namespaces, or allow nested namespaces in the outer sandbox",
          "sysctl user.max_user_namespaces=100000", true}},
        {unknown_to_kernel,
         {"the kernel has no user namespaces",
          "use a kernel with CONFIG_USER_NS (WSL1 has none: use WSL2)", NULL, false}},
        {changed_root,
         {"the kernel makes no user namespaces in a chroot",
          "enter that root with pivot_root(), as systemd-nspawn does, or use -s "
          "external-sandbox",
          "systemd-nspawn -D ROOT COMMAND", true}},
        {inside,
         {"the sandbox around this one refuses user namespaces",
          "start the outer sbx-run with -c sbx.nested=true, if its policy protects no name in a "
          "writable directory",
          "sbx-run -s read-only -c sbx.nested=true -- COMMAND", false}},
        {in_docker,
         {"the container's system call filter refuses user namespaces",
          "start the container with --security-opt seccomp=unconfined, or say that it is "
          "the sandbox: -s external-sandbox",
          "docker" UNCONFINED, false}},
        {in_podman,
         {"the container's system call filter refuses user namespaces",
          "start the container with --security-opt seccomp=unconfined, or say that it is "
          "the sandbox: -s external-sandbox",
          "podman" UNCONFINED, false}},
        {in_container,
         {"the container's system call filter refuses user namespaces",
          "give the container another seccomp profile (securityContext.seccompProfile.type: "
          "Unconfined), or say that it is the sandbox: -s external-sandbox",
          "sbx-run -s external-sandbox -- COMMAND", false}},
        {filtered,
         {"a system call filter around this process refuses user namespaces",
          "allow unshare() in that filter (docker run --security-opt seccomp=unconfined), or use "
          "-s external-sandbox where something else holds the command",
          NULL, false}},
        {otherwise,
         {"creating user namespaces is not permitted here",
          "ask the administrator of this machine, or use -s external-sandbox where something else holds "
          "the command",
          NULL, false}},
};

void obstacle_find(const struct circumstances *here, struct obstacle *obstacle)
{
	size_t i = 0;

	while (!obstacles[i].holds(here))
		i++;
	*obstacle = obstacles[i].obstacle;
}

struct container container_look(void)
{
	static const struct container known[] = {
	        {"docker", "/.dockerenv", "docker"},
	        {"podman", "/run/.containerenv", "podman"},
	        {"systemd-nspawn or the like", "/run/systemd/container", NULL},
	        {"kubernetes", "/var/run/secrets/kubernetes.io", NULL},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (access(known[i].sign, F_OK) == 0)
			return known[i];
	return (struct container){0};
}

/* "Seccomp:	2": a filter that we did not install. */
static bool is_filtered(void)
{
	char status[4096];
	const char *line;

	if (!kernel_text("/proc/self/status", status, sizeof(status)))
		return false;
	line = strstr(status, "\nSeccomp:\t");
	return line && line[strlen("\nSeccomp:\t")] == '2';
}

/* What is mounted outside a changed root is not listed, and it is rarely a mount itself. */
static bool is_changed_root(void)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	cleanup_free char *line = NULL;
	bool found = !file;
	size_t size = 0;

	while (!found && getline(&line, &size, file) > 0) {
		char *type, *point = mountinfo_point(line, &type);

		found = point && strcmp(point, "/") == 0;
	}
	if (file)
		fclose(file);
	return !found;
}

void obstacle_look(const struct machine *machine, struct obstacle *obstacle)
{
	const struct circumstances here = {
	        .max_namespaces = kernel_number("/proc/sys/user/max_user_namespaces", -1),
	        .unprivileged = kernel_number("/proc/sys/kernel/unprivileged_userns_clone", -1),
	        .root = geteuid() == 0,
	        .capless = machine->userns_capless,
	        .apparmor = userns_restricted_by_apparmor(),
	        .inside = getenv("SBX_SANDBOX") != NULL,
	        .filtered = is_filtered(),
	        .changed_root = is_changed_root(),
	        .other_proc = machine->other_proc,
	        .why = machine->userns_errno,
	        .container = container_look(),
	};

	obstacle_find(&here, obstacle);
}
