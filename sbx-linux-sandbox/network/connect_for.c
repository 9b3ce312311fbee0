#include "network/connect_for.h"

#include "base/cleanup.h"
#include "fs/fd_path.h"
#include "gateway/gateway.h"
#include "names/dns_message.h"
#include "network/connection_parts.h"
#include "network/interruption.h"
#include "network/listener.h"
#include "network/loopback.h"
#include "network/mailboxes.h"
#include "network/socket_address.h"
#include "network/untaken.h"
#include "observer/asking_process.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* The headers of the build machine may be older than the kernel. */
#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71
#endif
#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262
#endif
#define PIDFD_THREAD O_EXCL

/* A thread's own files; before Linux 6.9 only those of its process can be had. */
static int open_process(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, PIDFD_THREAD);
	pid_t leader;

	if (fd >= 0 || errno != EINVAL)
		return fd;
	leader = thread_leader(pid);
	return leader > 0 ? (int)syscall(SYS_pidfd_open, leader, 0) : -1;
}

bool connection_waits(const struct connection *c)
{
	uint64_t id = c->request.id;

	return ioctl(c->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

/* The caller's socket; -1 with errno. */
static int take_socket(const struct connection *c)
{
	cleanup_close int process = open_process((pid_t)c->request.pid);
	int fd;

	if (process < 0)
		return -1;
	fd = (int)syscall(SYS_pidfd_getfd, process, (int)c->request.data.args[0], 0);
	if (fd >= 0 && !connection_waits(c)) {
		close(fd);
		errno = ESRCH;
		return -1;
	}
	return fd;
}

int socket_of(int listener, const struct seccomp_notif *request)
{
	const struct connection c = {.listener = listener, .request = *request};

	return take_socket(&c);
}

int connection_address(struct connection *c, int address, int length)
{
	uint64_t len = c->request.data.args[length] & 0xffffffffU;

	if (len < sizeof(sa_family_t) || len > sizeof(c->address))
		return EINVAL;
	memset(&c->address, 0, sizeof(c->address));
	if (target_read((pid_t)c->request.pid, c->request.data.args[address], &c->address, len) !=
	    len)
		return EFAULT;
	c->len = (socklen_t)len;
	return 0;
}

void connection_look(struct connection *c, int address, int length)
{
	cleanup_close int fd = take_socket(c);
	socklen_t size = sizeof(c->family);

	c->family = -1;
	if (fd >= 0 && getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &c->family, &size) == 0 &&
	    connection_address(c, address, length) != 0)
		memset(&c->address, 0, sizeof(c->address));
}

/* ---- unix sockets --------------------------------------------------------- */

int connection_file(struct connection *c)
{
	const struct sockaddr_un *named = (const void *)&c->address;
	struct open_how how = {.flags = O_PATH | O_CLOEXEC,
	                       .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};
	char text[PATH_MAX], name[64];
	struct targets targets;
	cleanup_close int root = -1;
	size_t len = c->len - offsetof(struct sockaddr_un, sun_path);
	int fd;

	memset(text, 0, sizeof(text));
	targets_begin(&targets);
	if (named->sun_path[0] != '/') {
		bool found = target_link(&targets, (pid_t)c->request.pid, "cwd", text);

		targets_end(&targets);
		if (!found || strlen(text) + 1 + len >= sizeof(text)) {
			errno = ENOENT;
			return -1;
		}
		strcat(text, "/");
	}
	strncat(text, named->sun_path, len);
	snprintf(name, sizeof(name), "/proc/%d/root", (int)c->request.pid);
	root = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0 || !connection_waits(c)) {
		errno = EPERM;
		return -1;
	}
	fd = (int)syscall(SYS_openat2, root, text, &how, sizeof(how));
	if (fd < 0)
		return -1;
	fd_name(fd, c->path);
	return fd;
}

static bool is_held_inside(const struct connection *c, unsigned long socket)
{
	pid_t pid = (pid_t)c->request.pid;

	return c->own_processes ? listener_is_held_beside(pid, socket)
	                        : listener_is_held_below(c->tree, pid, socket);
}

/*
 * Whether a process of this very sandbox listens there.  A writable place may
 * hold sockets of others: an ssh-agent in /tmp, a display server.
 */
static bool listens_inside(const struct connection *c, const struct stat *file)
{
	unsigned long socket = c->sockets < 0 ? 0 : listener_find(c->sockets, file);

	if (socket == 0 || !connection_waits(c))
		return false;
	/* In a network of its own, what can be found at all was made inside. */
	return c->own_network || is_held_inside(c, socket);
}

/* Nobody at all: a file that a server left behind, as everybody else finds it. */
static bool is_stale(const struct connection *c, const struct stat *file)
{
	cleanup_close int outside = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

	return outside >= 0 && c->sockets >= 0 && listener_find(c->sockets, file) == 0 &&
	       listener_find(outside, file) == 0;
}

/* It would have to be at both ends of what it is connected to. */
static bool has_name(int fd)
{
	struct sockaddr_un name;
	socklen_t len = sizeof(name);

	return getsockname(fd, (struct sockaddr *)&name, &len) < 0 || len > sizeof(sa_family_t);
}

/* Nothing is at the file, and not only nothing that would take a connection. */
static bool is_abandoned(const struct stat *file)
{
	cleanup_close int outside = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

	return outside >= 0 && socket_at_file(outside, file, SOCKETS_ALL) == 0;
}

int connection_mailbox(struct connection *c, const struct stat *file, int *error)
{
	int box = mailbox_at(file);

	*error = 0;
	if (box >= 0)
		return box;
	c->refused = !is_abandoned(file);
	*error = c->refused ? EPERM : ECONNREFUSED;
	return -1;
}

/* From then on the caller's socket is what writes into it. */
static int connect_mailbox(struct connection *c, int fd, const struct stat *file)
{
	cleanup_close int box = -1;
	int error;

	if (has_name(fd))
		return EOPNOTSUPP;
	box = connection_mailbox(c, file, &error);
	return box < 0 ? error : -untaken_replace(c->listener, &c->request, box);
}

static int connect_unix(struct connection *c, int fd, bool foreign)
{
	const struct sockaddr_un *named = (const void *)&c->address;
	struct sockaddr_un by_file = {.sun_family = AF_UNIX};
	cleanup_close int file = -1;
	struct stat st;

	/* As the kernel has it; and a longer name would be more than we have room for. */
	if (c->len <= offsetof(struct sockaddr_un, sun_path) || c->len > sizeof(*named) ||
	    named->sun_family != AF_UNIX)
		return EINVAL;
	if (named->sun_path[0] == '\0') {
		/* Names without a file are the network namespace's: ours alone, or everybody's. */
		c->refused = !c->own_network || foreign;
		return c->refused
		               ? EPERM
		               : connect_until_interrupted(fd, (const struct sockaddr *)&c->address,
		                                           c->len, (pid_t)c->request.pid);
	}
	file = connection_file(c);
	if (file < 0)
		return errno;
	if (fstat(file, &st) < 0)
		return errno;
	if (S_ISSOCK(st.st_mode) && is_mailbox(fd))
		return connect_mailbox(c, fd, &st);
	fd_path(file, by_file.sun_path);
	/* Whatever else it is the kernel refuses, in its own words. */
	if (S_ISSOCK(st.st_mode) && !listed_sockets_contain(c->listed, c->path, &st) &&
	    (permissions_resolve(c->permissions, c->path, NULL) != ACCESS_WRITE ||
	     !listens_inside(c, &st))) {
		c->refused = !is_stale(c, &st);
		return c->refused ? EPERM : ECONNREFUSED;
	}
	return connect_until_interrupted(fd, (const struct sockaddr *)&by_file, sizeof(by_file),
	                                 (pid_t)c->request.pid);
}

/* ---- all sockets ---------------------------------------------------------- */

/*
 * A signal may have made the caller ask twice: then the first attempt is
 * under way or done, and the answer is what becomes of it.
 */
static int finish_earlier(int fd, int why)
{
	struct pollfd done = {.fd = fd, .events = POLLOUT};
	socklen_t size = sizeof(why);

	if (why != EALREADY || (fcntl(fd, F_GETFL) & O_NONBLOCK))
		return why;
	if (poll(&done, 1, -1) < 0 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &why, &size) < 0)
		return errno;
	return why;
}

/* Before Linux 5.14: the namespace itself, which the kernel gives to its owner only. */
static bool is_of_namespace(int fd, int other)
{
	cleanup_close int one = ioctl(fd, SIOCGSKNS);
	cleanup_close int two = one < 0 ? -1 : ioctl(other, SIOCGSKNS);
	struct stat a, b;

	return two >= 0 && fstat(one, &a) == 0 && fstat(two, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/*
 * A socket that was inherited is of the caller's network; the sandbox's own
 * must not be left through it.  One that cannot be told is such a one.
 */
static bool is_foreign(const struct connection *c, int fd)
{
	uint64_t its, own;
	socklen_t its_size = sizeof(its), own_size = sizeof(own);

	if (getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &its, &its_size) < 0 &&
	    errno == ENOPROTOOPT)
		return !is_of_namespace(fd, c->sockets);
	return getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &its, &its_size) < 0 ||
	       getsockopt(c->sockets, SOL_SOCKET, SO_NETNS_COOKIE, &own, &own_size) < 0 ||
	       its != own;
}

/*
 * A container may keep other processes' sockets from us.  Then the command has
 * none of the unix kind that could be connected: see untaken.h.
 */
static int connect_untaken(struct connection *c)
{
	int type = untaken_type(&c->request), error = connection_address(c, 1, 2);
	cleanup_close int fd = -1;

	if (type < 0 || error)
		return type < 0 ? -type : error;
	if (!connection_waits(c))
		return ESRCH;
	c->family = type ? AF_UNIX : c->address.ss_family;
	c->type = type;
	if (type == 0) {
		c->go_on = c->net == NET_ON || c->net == NET_LOOPBACK;
		c->refused = !c->go_on;
		return c->go_on ? 0 : EPERM;
	}
	fd = untaken_like(&c->request);
	if (fd < 0)
		return -fd;
	error = connect_unix(c, fd, false);
	return error ? error : -untaken_replace(c->listener, &c->request, fd);
}

/* Our own loopback's, besides 127.0.0.1: the command may listen there, as our resolver does. */
static bool is_of_loopback(const struct host_address *address)
{
	static const char *const texts[] = {LOOPBACK_FOUR, LOOPBACK_SIX};
	struct host_address own;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (host_address_parse(texts[i], &own) && memcmp(address, &own, sizeof(own)) == 0)
			return true;
	return false;
}

/*
 * Outside: none of the loopback's own addresses; or this machine itself, where the
 * list names it.
 */
static bool is_outside(const struct connection *c)
{
	struct host_address address;
	unsigned port = address_port(&c->address);

	if (address_is_loopback(&c->address))
		return hosts_name_localhost(&c->permissions->hosts, port);
	return socket_address_read(&c->address, c->len, &address, &port) &&
	       !is_of_loopback(&address);
}

static bool is_tcp(int fd)
{
	int protocol = 0;
	socklen_t size = sizeof(protocol);

	return getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &size) == 0 &&
	       (protocol == IPPROTO_TCP || protocol == IPPROTO_MPTCP);
}

/* A name server of this machine asks others for everybody, by datagrams as well. */
static bool is_listed_here(const struct connection *c)
{
	const struct hosts *hosts = &c->permissions->hosts;
	struct host_address address;
	unsigned port;

	if (!socket_address_read(&c->address, c->len, &address, &port))
		return false;
	return port == DNS_PORT || hosts_name_localhost(hosts, port) ||
	       hosts_judge(hosts, NULL, &address, true, port) == HOST_ALLOWED;
}

/* Only servers of the command's own; *somebody: there is one, of others or of whom is unknown. */
static bool serves_itself(const struct connection *c, bool *somebody)
{
	unsigned long sockets[LISTENERS_AT_PORT];
	int count = c->sockets < 0
	                    ? -1
	                    : listeners_at_port(c->sockets, address_port(&c->address), sockets);

	*somebody = count != 0;
	for (int i = 0; i < count; i++)
		if (!is_held_inside(c, sockets[i]))
			return false;
	return count > 0 && connection_waits(c);
}

/*
 * A server of this machine takes a connection at once, or its queue is full and the
 * kernel tries again for minutes: then with whoever has the port.
 */
#define AT_ONCE_MS 200
static bool is_under_way(int fd)
{
	struct pollfd done = {.fd = fd, .events = POLLOUT};

	return poll(&done, 1, AT_ONCE_MS) <= 0;
}

/*
 * With the network of the host this machine itself is reached where the list names
 * it.  The command's own servers are looked at again afterwards: one may have
 * made room for somebody else's in between.
 */
static int connect_here(struct connection *c, int fd)
{
	const struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
	bool somebody;
	int error;

	if (!serves_itself(c, &somebody)) {
		c->refused = somebody;
		return ECONNREFUSED;
	}
	error = connect(fd, (const struct sockaddr *)&c->address, c->len) == 0
	                ? 0
	                : finish_earlier(fd, errno);
	if ((error == 0 || !is_under_way(fd)) && serves_itself(c, &somebody))
		return error;
	if (connect(fd, &nowhere, sizeof(nowhere)) < 0)
		shutdown(fd, SHUT_RDWR);
	return ECONNREFUSED;
}

/* By the gateway, which judges our copy of the address and answers. */
static int connect_outside(struct connection *c, int fd)
{
	struct gateway_request request = {
	        .order = ORDER_CONNECT, .id = c->request.id, .len = c->len, .address = c->address};

	c->waits = !(fcntl(fd, F_GETFL) & O_NONBLOCK);
	snprintf(request.program, sizeof(request.program), "%s", c->program ? c->program : "");
	return gateway_connect(c->gateway, &request, fd) < 0 ? EAGAIN : CONNECTION_LATER;
}

int connection_make(struct connection *c)
{
	cleanup_close int fd = -1;
	socklen_t size = sizeof(c->family);
	bool off = c->net == NET_OFF || c->net == NET_OFF_TOLD, foreign;
	int error;

	c->family = -1;
	fd = take_socket(c);
	if (fd < 0)
		return errno == EBADF ? EBADF : connect_untaken(c);
	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &c->family, &size) < 0 ||
	    getsockopt(fd, SOL_SOCKET, SO_TYPE, &c->type, &size) < 0)
		return ENOTSOCK;
	error = connection_address(c, 1, 2);
	if (error)
		return error;
	foreign = is_foreign(c, fd);
	if (c->family == AF_UNIX)
		return connect_unix(c, fd, foreign);
	if (off || (c->own_network && foreign)) {
		c->refused = true;
		return EPERM;
	}
	if (c->gateway >= 0 && is_tcp(fd) && is_outside(c))
		return connect_outside(c, fd);
	if (c->net == NET_ON && c->type != SOCK_DGRAM && is_this_machine(&c->address, c->len) &&
	    !is_listed_here(c))
		return connect_here(c, fd);
	error = connect_until_interrupted(fd, (const struct sockaddr *)&c->address, c->len,
	                                  (pid_t)c->request.pid);
	return finish_earlier(fd, error);
}

void connection_watch(const struct connection *c)
{
	const struct timespec pause = {.tv_nsec = INTERRUPTION_LOOK_MS * 1000000L};

	while (nanosleep(&pause, NULL) == 0 && connection_waits(c))
		if (is_interrupted((pid_t)c->request.pid) &&
		    gateway_interrupted(c->gateway, c->request.id) < 0)
			errno = 0; /* it has much to do: the next time */
}

bool is_foreign_socket(const struct connection *c)
{
	cleanup_close int fd = take_socket(c);

	return fd < 0 || is_foreign(c, fd);
}
