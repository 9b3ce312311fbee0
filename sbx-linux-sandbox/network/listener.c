#include "network/listener.h"

#include "base/cleanup.h"
#include "fs/fd_path.h"
#include "fs/same_file.h"
#include "process/descendants.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define LISTEN 10 /* TCP_LISTEN; unix sockets count the same way */

static bool ask(int netlink)
{
	struct {
		struct nlmsghdr header;
		struct unix_diag_req body;
	} request = {
	        .header = {.nlmsg_len = sizeof(request),
	                   .nlmsg_type = SOCK_DIAG_BY_FAMILY,
	                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
	        .body = {.sdiag_family = AF_UNIX,
	                 .udiag_states = 1U << LISTEN,
	                 .udiag_show = UDIAG_SHOW_VFS},
	};
	const struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};

	return sendto(netlink, &request, sizeof(request), 0, (const struct sockaddr *)&kernel,
	              sizeof(kernel)) == (ssize_t)sizeof(request);
}

/* The kernel numbers devices its own way, and says half of the file's number. */
static bool is_bound_to(struct nlmsghdr *header, const struct stat *file)
{
	char *message = (char *)header;
	size_t at = NLMSG_LENGTH(sizeof(struct unix_diag_msg));

	/* Lengths are rounded up to the next part, which need not be there. */
	while (at + sizeof(struct rtattr) <= header->nlmsg_len) {
		struct rtattr *attribute = (void *)(message + at);
		const struct unix_diag_vfs *vfs = RTA_DATA(attribute);

		if (attribute->rta_len < sizeof(*attribute) ||
		    attribute->rta_len > header->nlmsg_len - at)
			return false;
		if (attribute->rta_type == UNIX_DIAG_VFS && RTA_PAYLOAD(attribute) >= sizeof(*vfs))
			return vfs->udiag_vfs_ino == (uint32_t)file->st_ino &&
			       vfs->udiag_vfs_dev >> 20 == major(file->st_dev) &&
			       (vfs->udiag_vfs_dev & 0xfffffU) == minor(file->st_dev);
		at += RTA_ALIGN(attribute->rta_len);
	}
	return false;
}

/* True when the answer is at its end; *found keeps what was found. */
static bool search(char *answer, size_t len, const struct stat *file, unsigned long *found)
{
	size_t at = 0;

	while (at + sizeof(struct nlmsghdr) <= len) {
		struct nlmsghdr *header = (void *)(answer + at);

		if (header->nlmsg_len < sizeof(*header) || header->nlmsg_len > len - at)
			return false;
		if (header->nlmsg_type == NLMSG_DONE || header->nlmsg_type == NLMSG_ERROR)
			return true;
		if (header->nlmsg_type == SOCK_DIAG_BY_FAMILY &&
		    header->nlmsg_len >= NLMSG_LENGTH(sizeof(struct unix_diag_msg)) &&
		    is_bound_to(header, file))
			*found = ((const struct unix_diag_msg *)NLMSG_DATA(header))->udiag_ino;
		at += NLMSG_ALIGN(header->nlmsg_len);
	}
	return false;
}

unsigned long listener_find(int netlink, const struct stat *file)
{
	/* One question at a time: the answers come in parts. */
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	_Alignas(struct nlmsghdr) char answer[32768];
	unsigned long found = 0;
	bool asked;
	ssize_t n;

	pthread_mutex_lock(&lock);
	asked = ask(netlink);
	while (asked) {
		n = recv(netlink, answer, sizeof(answer), 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 || search(answer, (size_t)n, file, &found))
			break;
	}
	pthread_mutex_unlock(&lock);
	return found;
}

static bool holds(int process, const char *link)
{
	cleanup_close int fds = openat(process, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = fds < 0 ? NULL : fdopendir(fds);
	const struct dirent *entry;
	bool found = false;

	if (!directory)
		return false;
	while (!found && (entry = readdir(directory)) != NULL) {
		char target[64];
		ssize_t n = readlinkat(fds, entry->d_name, target, sizeof(target) - 1);

		if (n > 0) {
			target[n] = '\0';
			found = strcmp(target, link) == 0;
		}
	}
	closedir(directory);
	fds = -1;
	return found;
}

/* A process of the sandbox has it open. */
static bool is_held_by(unsigned long socket, bool (*inside)(int process, const void *of),
                       const void *of)
{
	DIR *processes = opendir("/proc");
	const struct dirent *entry;
	bool found = false;
	char link[64];

	snprintf(link, sizeof(link), "socket:[%lu]", socket);
	while (!found && processes && (entry = readdir(processes)) != NULL) {
		cleanup_close int process = -1;

		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		process = openat(dirfd(processes), entry->d_name, O_PATH | O_DIRECTORY | O_CLOEXEC);
		found = process >= 0 && inside(process, of) && holds(process, link);
	}
	if (processes)
		closedir(processes);
	return found;
}

static bool is_beside(int process, const void *namespace)
{
	struct stat its;

	return fstatat(process, "ns/pid", &its, 0) == 0 && same_file(&its, namespace);
}

bool listener_is_held_beside(pid_t pid, unsigned long socket)
{
	struct stat namespace;
	char name[64];

	snprintf(name, sizeof(name), "/proc/%d/ns/pid", (int)pid);
	return stat(name, &namespace) == 0 && is_held_by(socket, is_beside, &namespace);
}

static bool is_below(int process, const void *tree)
{
	char name[PATH_MAX];

	return fd_name(process, name) == 0 &&
	       is_descendant(tree, (pid_t)strtol(name + 6, NULL, 10));
}

bool listener_is_held_below(const struct tree *tree, unsigned long socket)
{
	return is_held_by(socket, is_below, tree);
}
