#include "outer/attempt.h"

#include "gateway/gateway.h"
#include "inner/inner.h"
#include "linux/surroundings.h"
#include "messages.h"
#include "mounts/late_mounts.h"
#include "network/enter_network.h"
#include "outer/prepare.h"
#include "outer/start_guard.h"
#include "plan.h"
#include "process/own_terminal.h"
#include "vendored/mount_rest.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int open_channels(struct outer *outer, struct error *err)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return error_system(err, "socketpair");
	outer->supervisor.control = pair[0];
	outer->inner_control = pair[1];
	outer->plan = memfd_create("sbx-plan", MFD_CLOEXEC);
	outer->empty = memfd_create("sbx-empty", MFD_CLOEXEC);
	if (outer->plan < 0 || outer->empty < 0)
		return error_system(err, "memfd_create");
	outer->real_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (outer->real_stderr < 0 || pipe2(outer->complaints, O_CLOEXEC | O_NONBLOCK) < 0)
		return error_system(err, "making a pipe");
	return 0;
}

/* What bubblewrap and the inner stage need stays open across execve(). */
static int pass_fds(const struct outer *outer)
{
	const int always[] = {outer->inner_control, outer->plan, outer->real_stderr};

	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		if (fcntl(always[i], F_SETFD, 0) < 0)
			return -1;
	for (size_t i = 0; i < outer->mounts.count; i++)
		if (!mount_is_left(i) && mount_shows_source(&outer->mounts.items[i]) &&
		    fcntl(outer->mounts.items[i].fd, F_SETFD, 0) < 0)
			return -1;
	for (size_t i = 0; i < outer->request.keep_count; i++)
		if (fcntl(outer->request.keep_fds[i], F_SETFD, 0) < 0)
			return -1;
	return 0;
}

/*
 * Our command line stays that of process 1, where everybody inside reads it:
 * the policy in it names what is hidden.  In this copy nobody needs it.
 */
static void hide_words(char **words)
{
	for (size_t i = 1; words[0] && words[i]; i++)
		memset(words[i], 0, strlen(words[i]));
}

/* What is written there has no effect on the host. */
static void show_overlays(struct outer *outer)
{
	bind_from_overlay(&outer->layers.overlay);
	for (size_t i = 0; i < outer->preview.count; i++)
		bind_from_overlay(&outer->preview.roots[i].overlay);
}

static void become_sandbox(struct outer *outer, pid_t parent, bool entered)
{
	char **args;

	/* Nothing of the command's is outside of what holds it. */
	if (limiter_child(&outer->limiter, entered) < 0)
		_exit(125);
	limiter_forget(&outer->limiter);
	/* Before anything else: what others wait for must not outlive us. */
	if (outer->network.directory >= 0 && enter_network(&outer->network) < 0) {
		dprintf(outer->complaints[1], "no network can be shared: %s\n", strerror(errno));
		_exit(125);
	}
	shared_network_forget(&outer->network);
	/* Our own group: a signal to the caller's group is passed on in order. */
	if (setpgid(0, 0) < 0 || sigprocmask(SIG_SETMASK, &outer->mask, NULL) < 0)
		_exit(125);
	/* Without a pid namespace the inner stage outlives us to end the rest. */
	if (!outer->request.landlock &&
	    (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || getppid() != parent))
		_exit(125);
	/* A copy of the other end would keep the line alive after our death. */
	close(outer->supervisor.control);
	close(outer->supervisor.signals);
	if (outer->supervisor.report >= 0)
		close(outer->supervisor.report);
	/* Other workspaces' directories are reached by it. */
	private_tmp_close(&outer->tmp);
	layers_close(&outer->layers);
	preview_close(&outer->preview);
	if (outer->request.landlock)
		_exit(inner_run(outer->inner_control, outer->plan));
	if (!outer->bwrap.system)
		mount_rest_later(&outer->mounts);
	if ((outer->bwrap.system && guard_start(parent) < 0) || pass_fds(outer) < 0 ||
	    dup2(outer->complaints[1], STDERR_FILENO) < 0)
		_exit(125);
	args = bwrap_args(&outer->bwrap, &outer->request, &outer->mounts, outer->self,
	                  outer->inner_control, outer->plan, outer->empty);
	hide_words(outer->words);
	show_overlays(outer);
	bwrap_exec(&outer->bwrap, args);
	_exit(125);
}

static int start(struct outer *outer, struct error *err)
{
	pid_t parent = getpid();
	bool entered;

	tree_begin(&outer->tree);
	outer->observation.tree = &outer->tree;
	outer->child = limiter_fork(&outer->limiter, &entered);
	if (outer->child < 0)
		return error_system(err, "fork");
	if (outer->child == 0)
		become_sandbox(outer, parent, entered);
	close(outer->inner_control);
	close(outer->complaints[1]);
	return 0;
}

/*
 * Until the inner stage speaks or bubblewrap ends.  Its outside process may
 * die alone, before it has tied the inside one to itself, so the line being
 * open proves nothing.
 */
static bool await_inner(const struct outer *outer)
{
	struct pollfd fds[2] = {
	        {.fd = outer->supervisor.control, .events = POLLIN},
	        {.fd = outer->supervisor.lifeline ? outer->supervisor.report : -1,
	         .events = POLLIN},
	};

	for (;;) {
		siginfo_t info = {0};

		if (poll(fds, 2, 50) < 0 && errno != EINTR)
			return false;
		if (fds[0].revents)
			return true;
		if (fds[1].revents & (POLLHUP | POLLRDHUP | POLLERR))
			return false;
		if (waitid(P_PID, (id_t)outer->child, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
		    info.si_pid)
			return false;
	}
}

static int start_gateway(struct outer *outer, struct error *err)
{
	const struct gateway_plan plan = {.hosts = &outer->request.permissions.hosts,
	                                  .check_names = !outer->request.any_server_name,
	                                  .ask = outer->supervisor.questions.can,
	                                  .hold = outer->supervisor.questions.hold};
	pid_t inside = first_inside(outer->child);

	if (inside < 0)
		return error_set(err, EXIT_SYSTEM, "gateway", "the sandbox died");
	return gateway_start(&plan, inside, &outer->observation.gateway, err);
}

/* A /tmp that is in no directory outside. */
static void keep_tmp(struct outer *outer)
{
	pid_t inside = outer->request.tmp && outer->tmp.most ? first_inside(outer->child) : -1;

	if (inside < 0)
		return;
	limiter_keep_tmp(&outer->limiter, inside, outer->request.tmp);
	if (outer->limiter.tmp >= 0)
		outer->observation.view.fd = outer->limiter.tmp;
}

/*
 * While bubblewrap builds the mounts, we write the plan and remember what is
 * to be held; then the inner stage may go on.  0: told; 1: bubblewrap gave up.
 */
static int instruct(struct outer *outer, struct error *err)
{
	const struct request *request = &outer->request;
	bool foreground = own_terminal_goes_to_command(outer->supervisor.tty);
	bool by_name = request->permissions.network == NETWORK_HOSTS;
	bool unfinished = outer->mounts.links > 0 || outer->bwrap.system;
	/* Its end may be there before we have looked at it. */
	bool waits = unfinished || by_name || outer->tmp.most > 0;
	const struct plan_extras extras = {
	        .foreground = foreground,
	        .stderr_fd = request->landlock ? -1 : outer->real_stderr,
	        .nofile = outer->nofile,
	        .processes = limiter_processes(&outer->limiter),
	        .filter = &outer->observation.choice,
	        .mark = outer->observation.mark,
	        .ground = outer->observation.ground,
	};
	struct message message;
	int got;

	if (plan_write(outer->plan, request, &outer->mounts, &extras, err) < 0 ||
	    held_begin(&outer->mounts, &outer->held, err) < 0)
		return -1;
	outer->supervisor.terminal_given = foreground;
	/* Unless the mounts need us in between, the answer is there before the question. */
	if (!waits && control_send(outer->supervisor.control, MESSAGE_GO, 0, NULL) < 0)
		return 1;
	if (!waits)
		layers_tidy(&outer->layers);
	got = await_inner(outer) ? control_receive(outer->supervisor.control, &message) : 0;
	if (got < 0)
		return error_system(err, "waiting for the inner stage");
	if (got == 0 || message.kind != MESSAGE_READY)
		return 1;
	if (!waits)
		return 0;
	keep_tmp(outer);
	if (unfinished && finish_mounts(&outer->mounts, outer->bwrap.system, outer->child, err) < 0)
		return -1;
	if (by_name && start_gateway(outer, err) < 0)
		return -1;
	layers_tidy(&outer->layers);
	if (control_send(outer->supervisor.control, MESSAGE_GO, 0, NULL) < 0)
		return error_system(err, "telling the inner stage");
	return 0;
}

/* What bubblewrap wrote on its stderr, as one line. */
static void read_complaints(struct outer *outer, char *text, size_t size)
{
	ssize_t n = read(outer->complaints[0], text, size - 1);

	text[n > 0 ? n : 0] = '\0';
	for (char *p = text; *p; p++)
		if (*p == '\n')
			*p = p[1] ? ' ' : '\0';
}

/* bubblewrap's words for what another attempt can do something about. */
static const struct {
	const char *words;
	enum outcome outcome;
} known_complaints[] = {
        {"mount proc", NO_PROC},
        {"No permissions to create", NO_NAMESPACE},
        {"setting up uid map: Permission denied", NO_NAMESPACE},
        {"loopback: Failed", NO_LOOPBACK},
        {"no overlay can be mounted", NO_OVERLAY},
        {"no network can be shared", NOT_SHARED},
        {"Failed to make / slave: Permission denied", NO_NAMESPACE},
        {"Can't find source path", CHANGED},
        {"Can't open source", CHANGED},
};

static enum outcome give_up(struct outer *outer, struct error *err)
{
	char text[512];

	end_tree(&outer->tree, outer->child, false);
	read_complaints(outer, text, sizeof(text));
	close(outer->supervisor.control);
	close(outer->plan);
	close(outer->empty);
	close(outer->real_stderr);
	close(outer->complaints[0]);
	tree_free(&outer->tree);
	outer->child = 0;
	error_set(
	        err, EXIT_UNAVAILABLE, "bubblewrap",
	        "bubblewrap could not set up the sandbox: %s (sbx-select --probe says what is missing)",
	        text[0] ? text : "it died");
	for (size_t i = 0; i < sizeof(known_complaints) / sizeof(known_complaints[0]); i++)
		if (strstr(text, known_complaints[i].words))
			return known_complaints[i].outcome;
	return FAILED;
}

/* A loopback of its own is what a name is for; others have none, or the host's. */
static bool shares_network(const struct request *request)
{
	return !request->landlock && request->permissions.network == NETWORK_LOOPBACK &&
	       request->permissions.network_name;
}

enum outcome attempt(struct outer *outer, bool no_proc, struct error *err)
{
	int got;

	/* What an attempt before held are mounts that are planned anew. */
	held_free(&outer->held);
	spent_wait(&outer->layers.spent);
	if (!outer->request.landlock && plan_mounts(outer, no_proc, err) < 0)
		return FAILED;
	if (watch_plan(&outer->request, &outer->observation, &outer->unobserved, err) < 0)
		return FAILED;
	outer->observation.view.tmp = outer->request.tmp;
	outer->observation.view.fd = outer->tmp.fd;
	if (shares_network(&outer->request) &&
	    shared_network_open(&outer->request, &outer->network, err) < 0)
		return FAILED;
	if (open_channels(outer, err) < 0 || start(outer, err) < 0)
		return FAILED;
	got = instruct(outer, err);
	if (got == 0 && outer->network.directory >= 0 &&
	    shared_network_joined(&outer->network, outer->child, err) < 0)
		return FAILED;
	if (got > 0)
		shared_network_close(&outer->network);
	return got == 0 ? STARTED : got < 0 ? FAILED : give_up(outer, err);
}

/* How often the ground may move under us before we stop looking again. */
#define LOOKS 5

static enum outcome attempt_steadily(struct outer *outer, bool no_proc, struct error *err)
{
	enum outcome outcome = attempt(outer, no_proc, err);

	/* In a busy /tmp repositories of others come and go. */
	for (int i = 1; outcome == CHANGED && i < LOOKS; i++)
		outcome = attempt(outer, no_proc, err);
	return outcome;
}

static void unname_network(struct permissions *permissions)
{
	free(permissions->network_name);
	permissions->network_name = NULL;
}

/* What is around the command in each case; a bubblewrap of the system has a guard besides. */
static int begin_limits(struct outer *outer, struct error *err)
{
	bool alone = outer->request.landlock;
	const struct surroundings_of_command around = {
	        .in_cgroup = alone                 ? 1
	                     : outer->bwrap.system ? 4
	                                           : 2,
	        .below = alone ? 0 : 1,
	        .own_user = !alone,
	        .bounded_tmp = outer->tmp.most > 0,
	};

	outer->supervisor.limiter = &outer->limiter;
	outer->supervisor.command = outer->request.argv[0];
	return limiter_begin(&outer->limiter, &outer->request.limits, &around, err);
}

/* A run with a preview is not one without. */
static int no_preview(struct error *err)
{
	char why[sizeof(err->message)];

	memcpy(why, err->message, sizeof(why));
	return error_set(err, EXIT_UNAVAILABLE, "preview",
	                 "--preview: a copy of the writable roots cannot be shown here, on an "
	                 "overlay for one (%.300s); run without it",
	                 why);
}

/* Nothing has run yet, so trying again in the next best way is safe. */
int launch(struct outer *outer, struct error *err)
{
	bool no_proc = outer->request.no_proc;
	enum outcome outcome;

	if (begin_limits(outer, err) < 0)
		return -1;
	outcome = attempt_steadily(outer, no_proc, err);

	/* A session's is shared where that is possible; one that was named is wanted. */
	if (outcome == NOT_SHARED && !network_is_named(&outer->request.permissions)) {
		unname_network(&outer->request.permissions);
		outcome = attempt_steadily(outer, no_proc, err);
	}
	/*
	 * In a sandbox with nothing but a loopback of its own, that one will do; where the
	 * policy wants none, the filter takes it away.
	 */
	if (outcome == NO_LOOPBACK && outer->request.permissions.network < NETWORK_HOSTS &&
	    !network_is_named(&outer->request.permissions) && surroundings_have_only_loopback()) {
		network_is_held(&outer->request);
		outcome = attempt_steadily(outer, no_proc, err);
	}
	if ((outcome == NO_NAMESPACE || outcome == NO_LOOPBACK) && !outer->bwrap.system &&
	    outer->request.bwrap == BWRAP_AUTO) {
		struct error ignored;

		if (bwrap_choose(&outer->request, true, &outer->bwrap, &ignored) == 0)
			outcome = attempt_steadily(outer, no_proc, err);
	}
	/* Whichever overlay it was: caches can do without. */
	if (outcome == NO_OVERLAY && !outer->layers.plain) {
		outer->layers.plain = true;
		outcome = attempt_steadily(outer, no_proc, err);
	}
	if (outcome == NO_OVERLAY && outer->preview.state >= 0)
		return no_preview(err);
	if (outcome == NO_PROC && !no_proc)
		outcome = attempt_steadily(outer, true, err);
	return outcome == STARTED ? 0 : -1;
}
