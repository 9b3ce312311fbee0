/*
 * Every way to reach somebody through a socket.
 */
#include "attempt.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static const struct word families[] = {
        {"unix", AF_UNIX},     {"inet", AF_INET}, {"inet6", AF_INET6}, {"netlink", AF_NETLINK},
        {"packet", AF_PACKET}, {"vsock", 40},     {"alg", 38},         {"bluetooth", 31},
        {"can", 29},           {"tipc", 30},      {"xdp", 44},         {"key", 15},
        {"qipcrtr", 42},       {"rds", 21},       {"smc", 43},         {NULL, 0},
};

static const struct word types[] = {
        {"stream", SOCK_STREAM},
        {"dgram", SOCK_DGRAM},
        {"seqpacket", SOCK_SEQPACKET},
        {"raw", SOCK_RAW},
        {NULL, 0},
};

/* socket FAMILY TYPE */
static long try_socket(char **argv)
{
	return socket(word_value(families, argv[0]), word_value(types, argv[1]), 0);
}

/* Flags in the type must not hide it from a filter. */
static long try_socket_flags(char **argv)
{
	return socket(word_value(families, argv[0]),
	              word_value(types, argv[1]) | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* The kernel reads 32 bits of the arguments; a filter that reads 64 is blind. */
static long try_socket_high(char **argv)
{
	return syscall(SYS_socket, word_value(families, argv[0]) | 1L << 32,
	               word_value(types, argv[1]) | 1L << 32, 0);
}

static int exchange_byte(int a, int b)
{
	char byte = 0;
	struct iovec iov = {.iov_base = &byte, .iov_len = 1};
	struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
	if (write(a, "w", 1) != 1 || read(b, &byte, 1) != 1 || byte != 'w')
		return -1;
	if (send(b, "s", 1, 0) != 1 || recv(a, &byte, 1, 0) != 1 || byte != 's')
		return -1;
	byte = 'm';
	if (sendmsg(a, &msg, 0) != 1 || recvmsg(b, &msg, 0) != 1 || byte != 'm')
		return -1;
	return 0;
}

/* socketpair TYPE: and what ordinary programs do with it */
static long try_socketpair(char **argv)
{
	int ends[2];
	if (socketpair(AF_UNIX, word_value(types, argv[0]), 0, ends) < 0)
		return -1;
	return exchange_byte(ends[0], ends[1]);
}

/* "@name" is an abstract address. */
static socklen_t unix_address(struct sockaddr_un *address, const char *path)
{
	size_t length = strnlen(path, sizeof(address->sun_path) - 1);
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	memcpy(address->sun_path, path, length);
	if (path[0] == '@')
		address->sun_path[0] = '\0';
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
}

/* unix-connect TYPE PATH: connects and says something */
static long try_unix_connect(char **argv)
{
	struct sockaddr_un address;
	socklen_t length = unix_address(&address, argv[1]);
	int fd = socket(AF_UNIX, word_value(types, argv[0]), 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, length) < 0)
		return -1;
	return write(fd, "try\n", 4);
}

static long try_unix_bind(char **argv)
{
	struct sockaddr_un address;
	socklen_t length = unix_address(&address, argv[1]);
	int fd = socket(AF_UNIX, word_value(types, argv[0]), 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) < 0)
		return -1;
	return listen(fd, 1);
}

/* unix-send CALL socket|pair TYPE PATH: a message with an address on it */
static long try_unix_send(char **argv)
{
	struct sockaddr_un address;
	socklen_t length = unix_address(&address, argv[3]);
	char text[] = "try\n";
	struct iovec iov = {.iov_base = text, .iov_len = 4};
	struct mmsghdr message = {.msg_hdr = {.msg_name = &address,
	                                      .msg_namelen = length,
	                                      .msg_iov = &iov,
	                                      .msg_iovlen = 1}};
	int type = word_value(types, argv[2]);
	int ends[2] = {-1, -1};
	if (strcmp(argv[1], "pair") == 0) {
		if (socketpair(AF_UNIX, type, 0, ends) < 0)
			return -1;
	} else {
		ends[0] = socket(AF_UNIX, type, 0);
		if (ends[0] < 0)
			return -1;
	}
	if (strcmp(argv[0], "sendto") == 0)
		return sendto(ends[0], text, 4, 0, (struct sockaddr *)&address, length);
	if (strcmp(argv[0], "sendmsg") == 0)
		return sendmsg(ends[0], &message.msg_hdr, 0);
	if (strcmp(argv[0], "sendmmsg") == 0)
		return sendmmsg(ends[0], &message, 1, 0);
	/* connect: again, after the pair was connected to itself */
	if (connect(ends[0], (struct sockaddr *)&address, length) < 0)
		return -1;
	return write(ends[0], text, 4);
}

static struct sockaddr_in inet_address(char **argv)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
	                              .sin_port = htons((uint16_t)atoi(argv[0]))};
	address.sin_addr.s_addr = argv[1] ? inet_addr(argv[1]) : htonl(INADDR_LOOPBACK);
	return address;
}

/* tcp-connect PORT [ADDRESS] */
static long try_tcp_connect(char **argv)
{
	struct sockaddr_in address = inet_address(argv);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		return -1;
	return write(fd, "try\n", 4);
}

/* TCP Fast Open connects without a connect call. */
static long try_tcp_fastopen(char **argv)
{
	struct sockaddr_in address = inet_address(argv);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0)
		return -1;
	return sendto(fd, "try\n", 4, MSG_FASTOPEN, (struct sockaddr *)&address, sizeof(address));
}

static long try_udp_send(char **argv)
{
	struct sockaddr_in address = inet_address(argv);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (fd < 0)
		return -1;
	return sendto(fd, "try\n", 4, 0, (struct sockaddr *)&address, sizeof(address));
}

static long try_tcp_listen(char **argv)
{
	struct sockaddr_in address = inet_address(argv);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		return -1;
	return listen(fd, 1);
}

const struct attempt socket_attempts[] = {
        {"socket", 2, try_socket},
        {"socket-flags", 2, try_socket_flags},
        {"socket-high", 2, try_socket_high},
        {"socketpair", 1, try_socketpair},
        {"unix-connect", 2, try_unix_connect},
        {"unix-bind", 2, try_unix_bind},
        {"unix-send", 4, try_unix_send},
        {"tcp-connect", 1, try_tcp_connect},
        {"tcp-fastopen", 1, try_tcp_fastopen},
        {"udp-send", 1, try_udp_send},
        {"tcp-listen", 1, try_tcp_listen},
        {NULL, 0, NULL},
};
