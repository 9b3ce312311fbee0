#include "network/listener.h"

#include "base/cleanup.h"
#include "fs/fd_path.h"
#include "fs/same_file.h"
#include "process/descendants.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/inet_diag.h>
#include <linux/magic.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#define LISTEN 10 /* TCP_LISTEN; unix sockets count the same way */

/* The answers of the kernel, one after the other. */
typedef void socket_found(const struct nlmsghdr *header, void *context);

static const void *body_of(const struct nlmsghdr *header)
{
	return (const char *)header + NLMSG_HDRLEN;
}

/* 0: it goes on; 1: that was all; -1: it cannot be known. */
static int read_answer(char *answer, size_t len, socket_found *found, void *context)
{
	size_t at = 0;

	while (at + sizeof(struct nlmsghdr) <= len) {
		struct nlmsghdr *header = (void *)(answer + at);

		if (header->nlmsg_len < sizeof(*header) || header->nlmsg_len > len - at ||
		    header->nlmsg_type == NLMSG_ERROR)
			return -1;
		if (header->nlmsg_type == NLMSG_DONE)
			return 1;
		if (header->nlmsg_type == SOCK_DIAG_BY_FAMILY)
			found(header, context);
		at += NLMSG_ALIGN(header->nlmsg_len);
	}
	return 0;
}

/* False: it cannot be known. */
static bool ask(int netlink, const struct nlmsghdr *request, socket_found *found, void *context)
{
	/* One question at a time: the answers come in parts. */
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	const struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
	_Alignas(struct nlmsghdr) char answer[32768];
	int status;
	ssize_t n;

	pthread_mutex_lock(&lock);
	status = sendto(netlink, request, request->nlmsg_len, 0, (const struct sockaddr *)&kernel,
	                sizeof(kernel)) == (ssize_t)request->nlmsg_len
	                 ? 0
	                 : -1;
	while (status == 0) {
		n = recv(netlink, answer, sizeof(answer), 0);
		if (n > 0)
			status = read_answer(answer, (size_t)n, found, context);
		else if (n == 0 || errno != EINTR)
			status = -1;
	}
	pthread_mutex_unlock(&lock);
	return status > 0;
}

/* ---- a socket file --------------------------------------------------------- */

/* The kernel numbers devices its own way, and says half of the file's number. */
static bool is_bound_to(const struct nlmsghdr *header, const struct stat *file)
{
	const char *message = (const char *)header;
	size_t at = NLMSG_LENGTH(sizeof(struct unix_diag_msg));

	/* Lengths are rounded up to the next part, which need not be there. */
	while (at + sizeof(struct rtattr) <= header->nlmsg_len) {
		const struct rtattr *attribute = (const void *)(message + at);
		const struct unix_diag_vfs *vfs =
		        (const void *)((const char *)attribute + RTA_LENGTH(0));

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

struct wanted_file {
	const struct stat *file;
	unsigned long socket;
};

static void file_found(const struct nlmsghdr *header, void *context)
{
	struct wanted_file *wanted = context;

	if (header->nlmsg_len >= NLMSG_LENGTH(sizeof(struct unix_diag_msg)) &&
	    is_bound_to(header, wanted->file))
		wanted->socket = ((const struct unix_diag_msg *)body_of(header))->udiag_ino;
}

unsigned long socket_at_file(int netlink, const struct stat *file, unsigned states)
{
	const struct {
		struct nlmsghdr header;
		struct unix_diag_req body;
	} request = {
	        .header = {.nlmsg_len = sizeof(request),
	                   .nlmsg_type = SOCK_DIAG_BY_FAMILY,
	                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
	        .body = {.sdiag_family = AF_UNIX,
	                 .udiag_states = states,
	                 .udiag_show = UDIAG_SHOW_VFS},
	};
	struct wanted_file wanted = {.file = file};

	ask(netlink, &request.header, file_found, &wanted);
	return wanted.socket;
}

unsigned long listener_find(int netlink, const struct stat *file)
{
	return socket_at_file(netlink, file, 1U << LISTEN);
}

/* ---- a port ---------------------------------------------------------------- */

struct wanted_port {
	unsigned port;
	unsigned long *sockets;
	int count;
};

static void port_found(const struct nlmsghdr *header, void *context)
{
	struct wanted_port *wanted = context;
	const struct inet_diag_msg *socket = body_of(header);

	if (header->nlmsg_len < NLMSG_LENGTH(sizeof(*socket)) ||
	    ntohs(socket->id.idiag_sport) != wanted->port)
		return;
	if (wanted->count < LISTENERS_AT_PORT)
		wanted->sockets[wanted->count] = socket->idiag_inode;
	wanted->count++;
}

int listeners_at_port(int netlink, unsigned port, unsigned long sockets[LISTENERS_AT_PORT])
{
	static const uint8_t families[] = {AF_INET, AF_INET6};
	struct {
		struct nlmsghdr header;
		struct inet_diag_req_v2 body;
	} request = {
	        .header = {.nlmsg_len = sizeof(request),
	                   .nlmsg_type = SOCK_DIAG_BY_FAMILY,
	                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
	        .body = {.sdiag_protocol = IPPROTO_TCP,
	                 .idiag_states = 1U << LISTEN,
	                 .id.idiag_sport = htons((uint16_t)port)},
	};
	struct wanted_port wanted = {.port = port, .sockets = sockets};

	for (size_t i = 0; i < sizeof(families); i++) {
		request.body.sdiag_family = families[i];
		if (!ask(netlink, &request.header, port_found, &wanted))
			return -1;
	}
	return wanted.count > LISTENERS_AT_PORT ? -1 : wanted.count;
}

/* ---- who has it ------------------------------------------------------------ */

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

/* Whoever it was the last time, most often; an fd of /proc/PID is that process's alone. */
static struct {
	pthread_mutex_t lock;
	unsigned long socket;
	int process; /* -1: nobody was found yet */
} last = {.lock = PTHREAD_MUTEX_INITIALIZER, .process = -1};

static void remember(unsigned long socket, int *process)
{
	pthread_mutex_lock(&last.lock);
	if (last.process >= 0)
		close(last.process);
	last.process = keep_fd(process);
	last.socket = socket;
	pthread_mutex_unlock(&last.lock);
}

struct search {
	unsigned long socket;
	char link[64]; /* to it, as /proc shows it */
	bool (*inside)(int process, const void *of);
	const void *of;
};

static bool is_holder(const struct search *s, int process)
{
	return process >= 0 && s->inside(process, s->of) && holds(process, s->link);
}

static bool still_holds(const struct search *s)
{
	bool found;

	pthread_mutex_lock(&last.lock);
	found = last.socket == s->socket && is_holder(s, last.process);
	pthread_mutex_unlock(&last.lock);
	return found;
}

static bool look_at(const struct search *s, int processes, const char *name)
{
	cleanup_close int process = openat(processes, name, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (!is_holder(s, process))
		return false;
	remember(s->socket, &process);
	return true;
}

/*
 * Those of the sandbox, where it shows its own: the host may have thousands.  What
 * stands there is the kernel's word, or it is not looked at.
 */
static DIR *open_processes(pid_t asking)
{
	char name[64];
	cleanup_close int fd = -1;
	struct statfs fs;
	DIR *directory;

	snprintf(name, sizeof(name), "/proc/%d/root/proc", (int)asking);
	fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || fstatfs(fd, &fs) < 0 || fs.f_type != PROC_SUPER_MAGIC)
		return opendir("/proc");
	directory = fdopendir(fd);
	if (directory)
		fd = -1;
	return directory;
}

/* A process of the sandbox has it open: the last one, or whoever asks, or another. */
static bool is_held_by(const struct search *s, pid_t asking)
{
	DIR *processes;
	const struct dirent *entry;
	char name[64];
	bool found;

	snprintf(name, sizeof(name), "/proc/%d", (int)asking);
	if (still_holds(s) || look_at(s, AT_FDCWD, name))
		return true;
	processes = open_processes(asking);
	for (found = false; !found && processes && (entry = readdir(processes)) != NULL;)
		found = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
		        look_at(s, dirfd(processes), entry->d_name);
	if (processes)
		closedir(processes);
	return found;
}

static struct search search_for(unsigned long socket)
{
	struct search s = {.socket = socket};

	snprintf(s.link, sizeof(s.link), "socket:[%lu]", socket);
	return s;
}

static bool is_beside(int process, const void *namespace)
{
	struct stat its;

	return fstatat(process, "ns/pid", &its, 0) == 0 && same_file(&its, namespace);
}

bool listener_is_held_beside(pid_t pid, unsigned long socket)
{
	struct search s = search_for(socket);
	struct stat namespace;
	char name[64];

	snprintf(name, sizeof(name), "/proc/%d/ns/pid", (int)pid);
	s.inside = is_beside;
	s.of = &namespace;
	return stat(name, &namespace) == 0 && is_held_by(&s, pid);
}

static bool is_below(int process, const void *tree)
{
	char name[PATH_MAX];

	return fd_name(process, name) == 0 &&
	       is_descendant(tree, (pid_t)strtol(name + 6, NULL, 10));
}

bool listener_is_held_below(const struct tree *tree, pid_t pid, unsigned long socket)
{
	struct search s = search_for(socket);

	s.inside = is_below;
	s.of = tree;
	return is_held_by(&s, pid);
}
