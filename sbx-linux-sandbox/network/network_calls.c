#include "network/network_calls.h"

#include "base/cleanup.h"
#include "network/connect_for.h"
#include "network/mailboxes.h"
#include "network/socket_address.h"
#include "network/untaken.h"
#include "policy/words.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

/* A name server on this machine asks others for us. */
#define DNS 53

static void note_address(const struct observation *what, const struct connection *c, const char *op,
                         const char *syscall, const char *program)
{
	const struct sockaddr_storage *address = &c->address;
	bool dns = address_port(address) == DNS;
	bool local = address_is_loopback(address) && !dns;
	/* Of the host's network only this machine itself is kept back. */
	bool here = c->net == NET_ON;
	char text[80], host[24];
	const struct denial denial = {
	        .op = dns ? "look up" : op,
	        .address = text,
	        .syscall = syscall,
	        .program = program,
	        .pid = (pid_t)c->request.pid,
	        .rule = "network",
	        .value = network_names[what->permissions->network],
	        .member = here ? "hosts" : "network",
	        .granted = here && local ? host
	                   : here        ? text
	                                 : network_names[local ? NETWORK_LOOPBACK : NETWORK_ON],
	};

	snprintf(host, sizeof(host), "localhost:%u", address_port(address));
	if (address_text(address, text, sizeof(text)))
		denials_add(what->denials, &denial);
}

static void note_socket(const struct observation *what, const struct connection *c,
                        const char *program)
{
	const struct sockaddr_un *named = (const void *)&c->address;
	char name[sizeof(named->sun_path) + 2] = "@";
	const struct denial denial = {
	        .op = "connect",
	        .path = c->path[0] ? c->path : NULL,
	        .address = c->path[0] ? NULL : name,
	        .syscall = "connect",
	        .program = program,
	        .pid = (pid_t)c->request.pid,
	        .rule = "unix_sockets",
	        .member = c->path[0] ? "unix_sockets" : NULL,
	        .granted = c->path[0] ? c->path : NULL,
	};

	for (size_t i = 1; i < c->len - offsetof(struct sockaddr_un, sun_path); i++)
		name[i] = named->sun_path[i] > ' ' && named->sun_path[i] < 127 ? named->sun_path[i]
		                                                               : '?';
	denials_add(what->denials, &denial);
}

struct errand {
	const struct observation *what;
	struct connection connection;
	bool recording;
	bool sends; /* and does not connect */
	char program[PATH_MAX];
};

static bool has_no_route(int error)
{
	return error == ENETUNREACH || error == EHOSTUNREACH || error == EADDRNOTAVAIL;
}

/*
 * A datagram socket is connected to see which address of ours would be used, and
 * nothing is sent: that is no attempt to reach anybody.  But a name server is
 * asked, and none is inside: the port is not for the command to bind.
 */
static bool is_denied_address(const struct connection *c, int error)
{
	bool dns = address_port(&c->address) == DNS;

	if (c->address.ss_family == AF_UNSPEC || (c->type == SOCK_DGRAM && !dns))
		return false;
	return c->refused ||
	       (c->net == NET_LOOPBACK &&
	        (address_is_loopback(&c->address) ? dns && c->gateway < 0 : has_no_route(error)));
}

/* A thread of its own: a connection may take minutes, and others wait for us. */
static void *run_errand(void *argument)
{
	struct errand *errand = argument;
	struct connection *c = &errand->connection;
	const char *program = errand->program[0] ? errand->program : NULL;
	int error;
	bool internet;

	c->program = program;
	error = errand->sends ? connection_send(c) : connection_make(c);
	internet = c->family == AF_INET || c->family == AF_INET6;
	if (error == CONNECTION_LATER) {
		if (c->waits)
			connection_watch(c);
		free(errand);
		return NULL;
	}
	if (errand->recording && c->refused && c->family == AF_UNIX)
		note_socket(errand->what, c, program);
	else if (errand->recording && internet && is_denied_address(c, error))
		note_address(errand->what, c, "connect", "connect", program);
	if (errand->sends && error == 0)
		observer_return(c->listener, c->request.id, (int64_t)c->sent);
	else
		observer_answer(c->listener, c->request.id, error, c->go_on);
	free(errand);
	return NULL;
}

static void begin_errand(struct observer *o, const struct seccomp_notif *request, bool sends)
{
	struct errand *errand = malloc(sizeof(*errand));
	pthread_attr_t attributes;
	pthread_t thread;
	int failed = errand ? 0 : ENOMEM;

	if (!failed) {
		*errand = (struct errand){.what = &o->what,
		                          .recording = o->recording,
		                          .sends = sends,
		                          .connection = {.permissions = o->what.permissions,
		                                         .listed = &o->what.listed,
		                                         .net = o->what.choice.net,
		                                         .own_network = o->what.own_network,
		                                         .own_processes = o->what.own_processes,
		                                         .tree = o->what.tree,
		                                         .sockets = o->what.sockets,
		                                         .gateway = o->what.gateway,
		                                         .listener = o->listener,
		                                         .request = *request}};
		/* A question names the program, whether its calls are recorded or not. */
		if (o->recording || o->what.gateway >= 0)
			judge_program(&o->judge, (pid_t)request->pid, errand->program);
		failed = pthread_attr_init(&attributes);
	}
	if (!failed) {
		failed = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
		if (!failed)
			failed = pthread_create(&thread, &attributes, run_errand, errand);
		pthread_attr_destroy(&attributes);
	}
	if (failed) {
		free(errand);
		observer_answer(o->listener, request->id, EAGAIN, false);
	}
}

void connect_for(struct observer *o, const struct seccomp_notif *request)
{
	begin_errand(o, request, false);
}

/* A message names its receiver in a structure; NULL: whom it is connected to. */
static bool names_receiver(const struct seccomp_notif *request)
{
	uint64_t name = 0;

	if (request->data.nr == SYS_sendto)
		return request->data.args[4] != 0;
	return target_read((pid_t)request->pid, request->data.args[1], &name, sizeof(name)) ==
	               sizeof(name) &&
	       name != 0;
}

bool send_for(struct observer *o, const struct seccomp_notif *request)
{
	cleanup_close int fd = -1;

	if (!mailbox_any() || !names_receiver(request))
		return false;
	fd = socket_of(o->listener, request);
	if (fd < 0 || !is_mailbox(fd))
		return false;
	begin_errand(o, request, true);
	return true;
}

void socket_for(struct observer *o, const struct seccomp_notif *request)
{
	int error = o->what.untaken ? untaken_begin(o->listener, request) : 0;

	if (error || !o->what.untaken)
		observer_answer(o->listener, request->id, error, error == 0);
}

static void look_at_address(struct observer *o, const struct connection *c, const char *op,
                            const char *syscall)
{
	char program[PATH_MAX];

	note_address(&o->what, c, op, syscall,
	             judge_program(&o->judge, (pid_t)c->request.pid, program));
}

static struct connection look_at_socket(struct observer *o, const struct seccomp_notif *request,
                                        int address, int length)
{
	struct connection c = {.listener = o->listener, .request = *request};

	connection_look(&c, address, length);
	return c;
}

int bind_for(struct observer *o, const struct seccomp_notif *request)
{
	struct connection c = look_at_socket(o, request, 1, 2);
	const struct sockaddr_un *named = (const void *)&c.address;

	if (c.family == AF_UNIX) {
		char path[PATH_MAX] = "";
		size_t len = c.len - offsetof(struct sockaddr_un, sun_path);

		/* Names without a file are those of the socket's network, which may be ours. */
		if ((c.len <= offsetof(struct sockaddr_un, sun_path) || !named->sun_path[0]) &&
		    o->what.own_network) {
			c.sockets = o->what.sockets;
			return is_foreign_socket(&c) ? EPERM : 0;
		}
		if (c.len <= offsetof(struct sockaddr_un, sun_path) || c.len > sizeof(*named) ||
		    !named->sun_path[0] || !o->recording)
			return 0;
		if (named->sun_path[0] != '/' &&
		    (!target_link(&o->judge.targets, (pid_t)request->pid, "cwd", path) ||
		     strlen(path) + 1 + len >= sizeof(path)))
			return 0;
		if (path[0])
			strcat(path, "/");
		strncat(path, named->sun_path, len);
		judge_new_name(&o->judge, (pid_t)request->pid, path, "bind");
		return 0;
	}
	/* What could not be looked at is no exception. */
	if (o->what.choice.net != NET_OFF_TOLD)
		return 0;
	if (o->recording && (c.family == AF_INET || c.family == AF_INET6))
		look_at_address(o, &c, "bind", "bind");
	return EPERM;
}

void look_at_sent(struct observer *o, const struct seccomp_notif *request, bool message)
{
	struct connection c = {.family = -1};

	if (message) {
		struct {
			uint64_t name;
			uint32_t len;
		} header;
		struct seccomp_notif named = *request;

		/* The name and its length are the first members of the structure. */
		if (target_read((pid_t)request->pid, request->data.args[1], &header,
		                sizeof(header)) != sizeof(header) ||
		    !header.name || !header.len)
			return;
		named.data.args[1] = header.name;
		named.data.args[2] = header.len;
		c = look_at_socket(o, &named, 1, 2);
	} else {
		c = look_at_socket(o, request, 4, 5);
	}
	if ((c.family == AF_INET || c.family == AF_INET6) &&
	    !(o->what.choice.net == NET_LOOPBACK && address_is_loopback(&c.address)))
		look_at_address(o, &c, "send", message ? "sendmsg" : "sendto");
}
