#include "mounts/kernel_mounts.h"

#include "base/cleanup.h"
#include "fs/path.h"
#include "linux/mount_table.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *const kernel_types[] = {
        "proc",     "sysfs",       "cgroup",     "cgroup2", "debugfs", "tracefs",  "securityfs",
        "configfs", "efivarfs",    "pstore",     "bpf",     "fusectl", "mqueue",   "selinuxfs",
        "smackfs",  "binfmt_misc", "rpc_pipefs", "nfsd",    "resctrl", "devtmpfs",
};

static bool is_kernel_type(const char *type)
{
	for (size_t i = 0; i < sizeof(kernel_types) / sizeof(kernel_types[0]); i++)
		if (strcmp(kernel_types[i], type) == 0)
			return true;
	return false;
}

int kernelfs_protect(struct permissions *permissions, struct error *err)
{
	cleanup_free char *line = NULL;
	FILE *file = fopen("/proc/self/mountinfo", "re");
	size_t size = 0;
	int result = 0;

	if (!file)
		return error_system(err, "reading /proc/self/mountinfo");
	while (getline(&line, &size, file) > 0) {
		char *type, *point = mountinfo_point(line, &type);

		if (!point) {
			result = error_set(err, EXIT_SYSTEM, "system",
			                   "/proc/self/mountinfo: unknown form");
			break;
		}
		/* /dev and /proc are replaced whole. */
		if (!is_kernel_type(type) || path_contains("/dev", point) || !path_is_normal(point))
			continue;
		for (size_t i = 0; i < permissions->count; i++) {
			const struct entry *entry = &permissions->entries[i];

			if (entry->access == ACCESS_WRITE && (path_contains(entry->path, point) ||
			                                      path_contains(point, entry->path))) {
				permissions_force(permissions, point, ACCESS_READ);
				break;
			}
		}
	}
	if (ferror(file))
		result = error_system(err, "reading /proc/self/mountinfo");
	fclose(file);
	return result;
}
