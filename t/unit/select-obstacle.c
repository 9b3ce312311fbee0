/*
 * What is in the way of user namespaces, and which line cures it?
 */
#include "../../sbx-select/obstacle.c"
#include "tap.h"

/* What the look at a real machine needs is not of interest here. */
bool userns_restricted_by_apparmor(void)
{
	return false;
}
bool kernel_text(const char *path, char *text, size_t size)
{
	(void)path, (void)text, (void)size;
	return false;
}
long kernel_number(const char *path, long otherwise)
{
	(void)path;
	return otherwise;
}

#define DOCKER                                                                                     \
	{                                                                                          \
		"docker", "/.dockerenv", "docker"                                                  \
	}
#define PODMAN                                                                                     \
	{                                                                                          \
		"podman", "/run/.containerenv", "podman"                                           \
	}
#define KUBERNETES                                                                                 \
	{                                                                                          \
		"kubernetes", "/var/run/secrets/kubernetes.io", NULL                               \
	}

static const struct {
	const char *what;
	struct circumstances here;
	const char *why, *type; /* parts of it; NULL: none */
	bool as_root;
} cases[] = {
        {"a limit of none",
         {.max_namespaces = 0, .unprivileged = -1, .why = ENOSPC},
         "max_user_namespaces is 0",
         "sysctl user.max_user_namespaces=",
         true},
        {"... also for root",
         {.max_namespaces = 0, .unprivileged = -1, .root = true, .why = ENOSPC},
         "max_user_namespaces is 0",
         "sysctl user.max_user_namespaces=",
         true},
        {"Debian's switch",
         {.max_namespaces = 9, .unprivileged = 0, .why = EPERM},
         "unprivileged_userns_clone is 0",
         "sysctl kernel.unprivileged_userns_clone=1",
         true},
        {"... which does not concern root",
         {.max_namespaces = 9,
          .unprivileged = 0,
          .root = true,
          .why = EPERM,
          .filtered = true,
          .container = DOCKER},
         "filter refuses",
         "docker run ",
         false},
        {"AppArmor, by what it withholds",
         {.max_namespaces = 9, .unprivileged = 1, .capless = true, .why = EPERM},
         "AppArmor",
         "sysctl kernel.apparmor_restrict_unprivileged_userns=0",
         true},
        {"AppArmor, by its switch",
         {.max_namespaces = 9, .unprivileged = 1, .apparmor = true, .why = EACCES},
         "AppArmor",
         "sysctl kernel.apparmor_restrict_unprivileged_userns=0",
         true},
        {"a container on such a machine is stopped by its filter first",
         {.max_namespaces = 9,
          .unprivileged = 1,
          .apparmor = true,
          .filtered = true,
          .why = EPERM,
          .container = DOCKER},
         "filter refuses",
         "docker run --security-opt seccomp=unconfined ",
         false},
        {"Podman with such a filter",
         {.max_namespaces = 9,
          .unprivileged = -1,
          .filtered = true,
          .why = EPERM,
          .container = PODMAN},
         "filter refuses",
         "podman run --security-opt seccomp=unconfined ",
         false},
        {"Kubernetes",
         {.max_namespaces = 9,
          .unprivileged = -1,
          .filtered = true,
          .why = EPERM,
          .container = KUBERNETES},
         "filter refuses",
         "sbx-run -s external-sandbox",
         false},
        {"a sandbox of ours in a container",
         {.max_namespaces = 9,
          .unprivileged = -1,
          .filtered = true,
          .inside = true,
          .why = EPERM,
          .container = DOCKER},
         "the sandbox around",
         "sbx-run -s read-only -c sbx.nested=true",
         false},
        {"a variable alone is believed in nothing",
         {.max_namespaces = 9, .unprivileged = -1, .inside = true, .why = EPERM},
         "not permitted here",
         NULL,
         false},
        {"a filter of nobody we know",
         {.max_namespaces = 9, .unprivileged = -1, .filtered = true, .why = EPERM},
         "a system call filter",
         NULL,
         false},
        {"a filter that calls it unknown",
         {.max_namespaces = 9,
          .unprivileged = -1,
          .filtered = true,
          .why = ENOSYS,
          .container = DOCKER},
         "filter refuses",
         "docker run ",
         false},
        {"all used up",
         {.max_namespaces = 9, .unprivileged = -1, .why = ENOSPC},
         "limit",
         "sysctl user.max_user_namespaces=",
         true},
        {"an old kernel",
         {.max_namespaces = -1, .unprivileged = -1, .why = EINVAL},
         "the kernel has no",
         NULL,
         false},
        {"the /proc of another process namespace",
         {.max_namespaces = 9, .unprivileged = -1, .other_proc = true, .filtered = true},
         "not of this process namespace",
         NULL,
         false},
        {"a chroot",
         {.max_namespaces = 9, .unprivileged = -1, .changed_root = true, .why = EPERM},
         "chroot",
         "systemd-nspawn",
         true},
        {"nothing that is known",
         {.max_namespaces = 9, .unprivileged = -1, .why = EPERM},
         "not permitted here",
         NULL,
         false},
};

static bool says(const char *text, const char *part)
{
	return part ? text && strstr(text, part) : !text;
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct obstacle got;

		obstacle_find(&cases[i].here, &got);
		check(says(got.why, cases[i].why), cases[i].what, got.why);
		check(says(got.type, cases[i].type) && got.as_root == cases[i].as_root,
		      "... and the line to type", got.type);
		check(got.cure && *got.cure, "... and the cure in words", got.cure);
	}
	return finish();
}
