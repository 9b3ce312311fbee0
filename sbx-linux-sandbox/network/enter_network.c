#include "network/enter_network.h"

#include "base/cleanup.h"
#include "network/loopback.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void loopback_setup(void); /* bubblewrap's, which ends the program where it fails */

static int write_file(const char *path, const char *text)
{
	cleanup_close int fd = open(path, O_WRONLY | O_CLOEXEC);
	size_t len = strlen(text);

	return fd >= 0 && write(fd, text, len) == (ssize_t)len ? 0 : -1;
}

/* Ourselves and nobody else, as bubblewrap has it. */
static int map_ids(uid_t uid, gid_t gid)
{
	char users[32], groups[32];

	snprintf(users, sizeof(users), "%u %u 1", uid, uid);
	snprintf(groups, sizeof(groups), "%u %u 1", gid, gid);
	if (write_file("/proc/self/setgroups", "deny") < 0 ||
	    write_file("/proc/self/uid_map", users) < 0)
		return -1;
	return write_file("/proc/self/gid_map", groups);
}

static int make_network(void)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();

	if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0 || map_ids(uid, gid) < 0)
		return -1;
	loopback_setup();
	loopback_addresses();
	return 0;
}

/* In a namespace of its own a user has all of them; bubblewrap takes that for a mistake. */
static int drop_capabilities(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	const struct __user_cap_data_struct none[2] = {{0}};

	return geteuid() == 0 ? 0 : (int)syscall(SYS_capset, &header, none);
}

int enter_network(const struct shared_network *network)
{
	if (network->net < 0)
		return make_network() < 0 ? -1 : drop_capabilities();
	if (setns(network->user, CLONE_NEWUSER) < 0 || setns(network->net, CLONE_NEWNET) < 0)
		return -1;
	return drop_capabilities();
}
