/*
 * The one function of libcap that bubblewrap calls, so that the library need
 * not be there: capabilities by name, for its --cap-add and --cap-drop.
 */
#include <errno.h>
#include <linux/capability.h>
#include <strings.h>
#include <sys/capability.h>

/* By number; the kernel's list only grows at its end. */
static const char *const names[] = {
        "chown",
        "dac_override",
        "dac_read_search",
        "fowner",
        "fsetid",
        "kill",
        "setgid",
        "setuid",
        "setpcap",
        "linux_immutable",
        "net_bind_service",
        "net_broadcast",
        "net_admin",
        "net_raw",
        "ipc_lock",
        "ipc_owner",
        "sys_module",
        "sys_rawio",
        "sys_chroot",
        "sys_ptrace",
        "sys_pacct",
        "sys_admin",
        "sys_boot",
        "sys_nice",
        "sys_resource",
        "sys_time",
        "sys_tty_config",
        "mknod",
        "lease",
        "audit_write",
        "audit_control",
        "setfcap",
        "mac_override",
        "mac_admin",
        "syslog",
        "wake_alarm",
        "block_suspend",
        "audit_read",
        "perfmon",
        "bpf",
        "checkpoint_restore",
};

int cap_from_name(const char *name, cap_value_t *value)
{
	if (strncasecmp(name, "cap_", 4) == 0)
		for (int i = 0; i < (int)(sizeof(names) / sizeof(names[0])); i++)
			if (strcasecmp(name + 4, names[i]) == 0) {
				*value = i;
				return 0;
			}
	errno = EINVAL;
	return -1;
}
