#include "observer/observe.h"

#include "base/memory.h"
#include "document/json_pool.h"
#include "network/datagram_pair.h"
#include "network/mailboxes.h"
#include "network/network_calls.h"
#include "observer/observer_state.h"
#include "policy/words.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The headers of the build machine may be older than the kernel. */
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#endif
#define SYNC_WAKE_UP 1UL

/* Paths are long, and two of them are looked at a time. */
#define STACK 1048576

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
	        .pid = (pid_t)request->pid,
	        .rule = internet ? "network" : "seccomp",
	        .value = internet ? network_names[o->what.permissions->network] : rule->name,
	        .member = internet ? "network" : NULL,
	        .granted = internet ? network_names[NETWORK_ON] : NULL,
	};

	if (!for_root || geteuid() == 0)
		denials_add(o->what.denials, &denial);
}

/* The command's process says that it has tried the sandbox and goes on to the command. */
static bool is_mark(const struct observer *o, const struct seccomp_notif *request)
{
	return request->data.nr == SYS_ioctl && request->data.args[2] == o->what.mark;
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
	const struct asked asked = {
	        .request = request, .listener = o->listener, .memory = o->what.memory};
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
		observer_answer(o->listener, request->id, reply.error, reply.how == GO_ON);
	return true;
}

/* Where every message that names its receiver is asked about; the canary finds the type refused. */
static bool takes_mailboxes(const struct observer *o)
{
	return o->begun && o->what.choice.net == NET_LOOPBACK &&
	       o->what.choice.watch >= WATCH_FILES && o->what.own_network && !o->what.untaken;
}

static bool is_sending(const struct call *call)
{
	return call && (call->act == ACT_SENDTO || call->act == ACT_SENDMSG);
}

static void handle(struct observer *o, const struct seccomp_notif *request)
{
	const struct rule *rule = refusing_rule(o, request);
	const struct call *call = request->data.nr >= 0 && request->data.nr < NUMBERS
	                                  ? o->calls[request->data.nr]
	                                  : NULL;
	int error = 0;

	if (rule && asks_for_pair(request)) {
		error = pair_for(o->listener, request);
		observer_answer(o->listener, request->id, error, false);
		return;
	}
	if (rule && takes_mailboxes(o) && asks_for_mailbox(request)) {
		error = mailbox_give(o->listener, request);
		if (error)
			observer_answer(o->listener, request->id, error, false);
		return;
	}
	if (rule) {
		if (is_mark(o, request)) {
			o->begun = true;
			o->recording = !o->what.silent;
		} else if (o->recording && call && call->act == ACT_SENDTO) {
			look_at_sent(o, request, false);
		} else if (o->recording) {
			note_refused(o, request, rule);
		}
		observer_answer(o->listener, request->id, rule->answer, false);
		return;
	}
	if (call && call->act == ACT_SOCKET) {
		socket_for(o, request);
		return;
	}
	if (call && call->act == ACT_CONNECT) {
		connect_for(o, request);
		return;
	}
	if (is_sending(call) && send_for(o, request))
		return;
	if (call && o->what.ground && broker_for(o, request, call))
		return;
	if (call && o->begun && judge_removes_stub(&o->judge, request, call)) {
		observer_answer(o->listener, request->id, 0, false);
		return;
	}
	if (!call)
		error = EPERM; /* no rule, and nothing that may go on */
	else if (call->act == ACT_BIND)
		error = bind_for(o, request);
	else if (o->recording && is_sending(call))
		look_at_sent(o, request, call->act == ACT_SENDMSG);
	else if (o->recording)
		judge_call(&o->judge, request, call);
	observer_answer(o->listener, request->id, error, error == 0);
}

static void *observe(void *argument)
{
	struct observer *o = argument;
	struct seccomp_notif_sizes sizes = {0};
	struct seccomp_notif *request;
	size_t size = sizeof(*request);
	struct error err = {0};

	if (o->what.ground &&
	    broker_begin(&o->broker, o->what.permissions, o->what.ground, o->what.moved, &err) < 0)
		observer_end_all();
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
			observer_end_all();
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
