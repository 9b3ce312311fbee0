#include "observer/observe.h"

#include "base/complain.h"
#include "base/memory.h"
#include "broker/broker.h"
#include "document/json_pool.h"
#include "filter/choose_filter.h"
#include "observer/connect_for.h"
#include "observer/judge.h"
#include "observer/watched_calls.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

/* The headers of the build machine may be older than the kernel. */
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif
#define SYNC_WAKE_UP 1UL

#define NUMBERS 1024

/* Paths are long, and two of them are looked at a time. */
#define STACK 1048576

struct observer {
	struct observation what;
	struct judge judge;
	struct broker broker; /* if there is a ground */
	int listener;
	bool recording;
	/* By number of the call: every one that is watched waits for this to be looked up. */
	const struct call *calls[NUMBERS];
	/* The rules that apply, each with the next one for the same call. */
	struct chained {
		const struct rule *rule;
		const struct chained *next;
	} * rules, *rules_of[NUMBERS];
};

/* Without us the command hangs; the end of us ends it. */
_Noreturn static void end_all(void)
{
	complain("the observer lost the command: %s", strerror(errno));
	_exit(125);
}

static void answer(int listener, uint64_t id, int error, bool go_on)
{
	struct seccomp_notif_resp response = {
	        .id = id,
	        .error = -error,
	        .flags = go_on ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0,
	};

	while (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response) < 0) {
		/* Whoever asked may have been killed meanwhile. */
		if (errno == ENOENT)
			break;
		if (errno != EINTR)
			end_all();
	}
}

/* ---- what the filter refuses ---------------------------------------------- */

static const struct rule *refusing_rule(const struct observer *o,
                                        const struct seccomp_notif *request)
{
	uint64_t arguments[6];

	if (request->data.nr < 0 || request->data.nr >= NUMBERS)
		return NULL;
	memcpy(arguments, request->data.args, sizeof(arguments));
	for (const struct chained *at = o->rules_of[request->data.nr]; at; at = at->next)
		if (rule_matches(at->rule, arguments))
			return at->rule;
	return NULL;
}

static void note_refused(struct observer *o, const struct seccomp_notif *request,
                         const struct rule *rule)
{
	bool socket = strcmp(rule->name, "socket") == 0;
	bool internet =
	        socket && (request->data.args[0] == AF_INET || request->data.args[0] == AF_INET6);
	bool for_root = rule_is_for_root(rule) || (socket && request->data.args[0] == AF_PACKET);
	char program[PATH_MAX];
	const struct denial denial = {
	        .op = socket ? "socket" : "call",
	        .address = internet ? "inet" : NULL,
	        .syscall = rule->name,
	        .program = judge_program(&o->judge, (pid_t)request->pid, program),
	        .rule = internet ? "network" : "seccomp",
	        .value = internet ? network_names[o->what.permissions->network] : rule->name,
	        .member = internet ? "network" : NULL,
	        .granted = internet ? network_names[NETWORK_ON] : NULL,
	};

	if (!for_root || geteuid() == 0)
		denials_add(o->what.denials, &denial);
}

/* ---- the network ---------------------------------------------------------- */

/* A name server on this machine asks others for us. */
#define DNS 53

static void note_address(const struct observation *what, const struct sockaddr_storage *address,
                         const char *op, const char *syscall, const char *program)
{
	bool local = address_is_loopback(address) && address_port(address) != DNS;
	char text[80];
	const struct denial denial = {
	        .op = op,
	        .address = text,
	        .syscall = syscall,
	        .program = program,
	        .rule = "network",
	        .value = network_names[what->permissions->network],
	        .member = "network",
	        .granted = network_names[local ? NETWORK_LOOPBACK : NETWORK_ON],
	};

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
	char program[PATH_MAX];
};

static bool has_no_route(int error)
{
	return error == ENETUNREACH || error == EHOSTUNREACH || error == EADDRNOTAVAIL;
}

/* A thread of its own: a connection may take minutes, and others wait for us. */
static void *run_errand(void *argument)
{
	struct errand *errand = argument;
	struct connection *c = &errand->connection;
	const char *program = errand->program[0] ? errand->program : NULL;
	int error = connection_make(c);
	bool internet = c->family == AF_INET || c->family == AF_INET6;

	if (errand->recording && c->refused && c->family == AF_UNIX)
		note_socket(errand->what, c, program);
	else if (errand->recording && internet && c->address.ss_family != AF_UNSPEC &&
	         (c->refused || (c->net == NET_LOOPBACK && has_no_route(error) &&
	                         !address_is_loopback(&c->address))))
		note_address(errand->what, &c->address, "connect", "connect", program);
	answer(c->listener, c->request.id, error, false);
	free(errand);
	return NULL;
}

static void connect_for(struct observer *o, const struct seccomp_notif *request)
{
	struct errand *errand = malloc(sizeof(*errand));
	pthread_attr_t attributes;
	pthread_t thread;
	int failed = errand ? 0 : ENOMEM;

	if (!failed) {
		*errand = (struct errand){.what = &o->what,
		                          .recording = o->recording,
		                          .connection = {.permissions = o->what.permissions,
		                                         .listed = &o->what.listed,
		                                         .net = o->what.choice.net,
		                                         .own_network = o->what.own_network,
		                                         .own_processes = o->what.own_processes,
		                                         .sockets = o->what.sockets,
		                                         .listener = o->listener,
		                                         .request = *request}};
		if (o->recording)
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
		answer(o->listener, request->id, EAGAIN, false);
	}
}

static void look_at_address(struct observer *o, const struct connection *c, const char *op,
                            const char *syscall)
{
	char program[PATH_MAX];

	note_address(&o->what, &c->address, op, syscall,
	             judge_program(&o->judge, (pid_t)c->request.pid, program));
}

static struct connection look_at_socket(struct observer *o, const struct seccomp_notif *request,
                                        int address, int length)
{
	struct connection c = {.listener = o->listener, .request = *request};

	connection_look(&c, address, length);
	return c;
}

/* 0: go on; else the errno. */
static int bind_for(struct observer *o, const struct seccomp_notif *request)
{
	struct connection c = look_at_socket(o, request, 1, 2);
	const struct sockaddr_un *named = (const void *)&c.address;

	if (c.family == AF_UNIX) {
		char path[PATH_MAX] = "";
		size_t len = c.len - offsetof(struct sockaddr_un, sun_path);

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

static void look_at_sent(struct observer *o, const struct seccomp_notif *request, bool message)
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

/* ---- the thread ----------------------------------------------------------- */

/* The command's process says that it has tried the sandbox and goes on to the command. */
static bool is_mark(const struct observer *o, const struct seccomp_notif *request)
{
	return request->data.nr == SYS_ptrace && request->data.args[3] == o->what.mark;
}

static void note_denied(struct observer *o, const struct seccomp_notif *request,
                        const struct call *call, const struct reply *reply)
{
	if (reply->denied_path && call->act == ACT_BIND)
		judge_new_name(&o->judge, (pid_t)request->pid, reply->denied_path, call->name);
	else if (reply->denied_path)
		judge_open_file(&o->judge, (pid_t)request->pid, reply->denied_path, call->name);
	else
		judge_call(&o->judge, request, call);
}

/* The broker's part of the calls; false: it has none in this one. */
static bool broker_for(struct observer *o, const struct seccomp_notif *request,
                       const struct call *call)
{
	const struct asked asked = {.request = request, .listener = o->listener};
	struct reply reply;

	if (call->act == ACT_UMASK)
		umasks_changed(&o->broker.umasks);
	else if (!broker_knows(call->number))
		return false;
	reply = call->act == ACT_UMASK ? reply_go_on() : broker_serve(&o->broker, &asked);
	if (call->act == ACT_RENAME || call->act == ACT_LINK || call->act == ACT_SYMLINK)
		judge_moved(&o->judge);
	if (reply.denied && o->recording)
		note_denied(o, request, call, &reply);
	free(reply.denied_path);
	if (reply.how != LATER)
		answer(o->listener, request->id, reply.error, reply.how == GO_ON);
	return true;
}

static void handle(struct observer *o, const struct seccomp_notif *request)
{
	const struct rule *rule = refusing_rule(o, request);
	const struct call *call = request->data.nr >= 0 && request->data.nr < NUMBERS
	                                  ? o->calls[request->data.nr]
	                                  : NULL;
	int error = 0;

	if (rule) {
		if (is_mark(o, request))
			o->recording = !o->what.silent;
		else if (o->recording && call && call->act == ACT_SENDTO)
			look_at_sent(o, request, false);
		else if (o->recording)
			note_refused(o, request, rule);
		answer(o->listener, request->id, rule->answer, false);
		return;
	}
	if (call && call->act == ACT_CONNECT) {
		connect_for(o, request);
		return;
	}
	if (call && o->what.ground && broker_for(o, request, call))
		return;
	if (!call)
		error = EPERM; /* no rule, and nothing that may go on */
	else if (call->act == ACT_BIND)
		error = bind_for(o, request);
	else if (o->recording && (call->act == ACT_SENDTO || call->act == ACT_SENDMSG))
		look_at_sent(o, request, call->act == ACT_SENDMSG);
	else if (o->recording)
		judge_call(&o->judge, request, call);
	answer(o->listener, request->id, error, error == 0);
}

static void *observe(void *argument)
{
	struct observer *o = argument;
	struct seccomp_notif_sizes sizes = {0};
	struct seccomp_notif *request;
	size_t size = sizeof(*request);
	struct error err = {0};

	if (o->what.ground &&
	    broker_begin(&o->broker, o->what.permissions, o->what.ground, &err) < 0)
		end_all();
	/* A later kernel may say more about a call than we know of. */
	if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) == 0 &&
	    sizes.seccomp_notif > size)
		size = sizes.seccomp_notif;
	request = xmalloc(size);
	for (;;) {
		memset(request, 0, size);
		if (ioctl(o->listener, SECCOMP_IOCTL_NOTIF_RECV, request) == 0)
			handle(o, request);
		else if (errno != EINTR && errno != ENOENT)
			end_all();
		else if (errno == ENOENT)
			usleep(1000); /* nobody is left to ask, or the one who did is gone */
	}
}

int observe_begin(const struct observation *observation, int listener, struct error *err)
{
	struct observer *o = xmalloc(sizeof(*o));
	pthread_attr_t attributes;
	pthread_t thread;
	int failed;

	*o = (struct observer){.what = *observation, .listener = listener};
	for (size_t i = 0; i < call_count; i++)
		if (calls[i].number < NUMBERS)
			o->calls[calls[i].number] = &calls[i];
	o->rules = xrealloc_array(NULL, seccomp_rule_count, sizeof(*o->rules));
	for (size_t i = seccomp_rule_count; i-- > 0;) {
		const struct rule *rule = &seccomp_rules[i];

		if (rule->number < 0 || rule->number >= NUMBERS ||
		    !rule_applies(rule, &o->what.choice))
			continue;
		o->rules[i] = (struct chained){.rule = rule, .next = o->rules_of[rule->number]};
		o->rules_of[rule->number] = &o->rules[i];
	}
	judge_begin(&o->judge, &o->what.view, observation->denials);
	o->judge.pipes_held = observation->ground != NULL;
	/* On the same processor both take turns without waiting for one; since Linux 6.6. */
	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SYNC_WAKE_UP) < 0)
		errno = 0;
	json_pool_close();
	failed = pthread_attr_init(&attributes);
	if (!failed)
		failed = pthread_attr_setstacksize(&attributes, STACK);
	if (!failed)
		failed = pthread_create(&thread, &attributes, observe, o);
	if (failed) {
		errno = failed;
		return error_system(err, "starting the observer");
	}
	return 0;
}
