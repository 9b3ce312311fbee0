#include "kernelfs.h"

#include "cleanup.h"
#include "path.h"

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

/* mountinfo writes blanks, tabs, newlines and backslashes as \ooo. */
static void unescape(char *s)
{
	char *out = s;

	while (*s) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' &&
		    s[3] >= '0' && s[3] <= '7') {
			*out++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
			s += 4;
		} else {
			*out++ = *s++;
		}
	}
	*out = '\0';
}

/* 36 35 98:0 /root /mount/point options [optional...] - type source options */
static char *parse_line(char *line, char **type)
{
	char *field = line, *point;

	for (int i = 0; i < 4; i++) {
		field = strchr(field, ' ');
		if (!field)
			return NULL;
		field++;
	}
	point = field;
	*type = strstr(point, " - ");
	if (!*type)
		return NULL;
	*type += 3;
	(*type)[strcspn(*type, " ")] = '\0';
	point[strcspn(point, " ")] = '\0';
	unescape(point);
	return point;
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
		char *type, *point = parse_line(line, &type);

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
