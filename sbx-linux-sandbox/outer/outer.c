#include "outer/outer.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "broker/ground.h"
#include "document/stage.h"
#include "fs/casefold.h"
#include "fs/path.h"
#include "inner/inner.h"
#include "kept/appeared_at_home.h"
#include "kept/held_restore.h"
#include "kept/left_in_git.h"
#include "kept/made_repository.h"
#include "kept/planted_head.h"
#include "kept/stubs.h"
#include "linux/landlock_fit.h"
#include "linux/nested_fit.h"
#include "linux/surroundings.h"
#include "messages.h"
#include "observer/what_is_watched.h"
#include "outer/bubblewrap.h"
#include "outer/inherited.h"
#include "outer/late_mounts.h"
#include "outer/mounts.h"
#include "outer/start_guard.h"
#include "outer/supervise.h"
#include "plan.h"
#include "process/descendants.h"
#include "process/sibling.h"
#include "request.h"
#include "tmp/private_tmp.h"
#include "tmp/shown_from_host.h"
#include "tmp/stale_tmp.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

struct outer {
	struct request request;
	struct plain_roots plain;
	struct git_parts git;
	struct bare_roots bare;
	char **missing; /* see appeared_at_home.h */
	struct private_tmp tmp;
	struct stubs stubs;
	struct mounts mounts;
	struct held held; /* the names that the mounts protect */
	struct bwrap bwrap;
	struct supervisor supervisor;
	struct observation observation;
	struct permissions ground; /* with the broker: what Landlock gives */
	const char *unobserved;    /* why the observer is not asked about files */
	char *self;                /* this program, as the inner stage sees it */
	char **words;              /* main's own arguments */
	sigset_t mask;
	unsigned long nofile;
	int inner_control, plan, complaints[2], real_stderr, empty;
	pid_t child;
	struct tree tree;
};

/* An fd 0, 1 or 2 that is closed would be taken by one of ours. */
static int fill_standard_fds(struct error *err)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	while (fd >= 0 && fd <= 2 && fcntl(fd, F_SETFD, 0) == 0);
	if (fd < 0)
		return error_system(err, "/dev/null");
	close(fd);
	return 0;
}

/* Every pinned source takes an fd; the command gets its own limit back. */
static int raise_limits(struct outer *outer, struct error *err)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return error_system(err, "reading limits");
	outer->nofile = limit.rlim_cur;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		return error_system(err, "raising the limit of open files");
	return 0;
}

static int plan_mounts(struct outer *outer, bool no_proc, struct error *err)
{
	struct mounts_options options = {
	        .tmp = outer->request.tmp ? &outer->tmp : NULL,
	        .stubs = &outer->stubs,
	        .passing = outer->request.passing,
	        .no_proc = no_proc,
	        /* Without Landlock, /proc/PID/root of a host process is a way out. */
	        .hide_proc = no_proc && landlock_abi() <= 0,
	        .open_proc = outer->request.nested,
	};

	mounts_free(&outer->mounts);
	return mounts_plan(&outer->request.permissions, &options, &outer->mounts, err);
}

/*
 * Inside another sandbox the filter that refuses sockets stays with every
 * child: there is no network to take away, and bubblewrap could not make a
 * namespace of its own, because it needs a socket to set it up.
 */
static bool sockets_are_refused(void)
{
	static const int families[] = {AF_INET, AF_INET6};

	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		cleanup_close int fd = socket(families[i], SOCK_STREAM | SOCK_CLOEXEC, 0);

		if (fd >= 0 || errno != EPERM)
			return false;
	}
	return true;
}

/* A name in other letters would lead round what the broker protects by name. */
static int letters_matter(const struct permissions *permissions, struct error *err)
{
	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		cleanup_free char *parent = path_parent(entry->path);

		if (entry->access != ACCESS_WRITE && entry->path[1] &&
		    permissions_resolve(permissions, parent, NULL) != ACCESS_NONE &&
		    ignores_case(parent))
			return error_set(err, EXIT_UNAVAILABLE, "ignores-case",
			                 "\"%s\" cannot be protected: its file system ignores "
			                 "case; use a workspace on another file system",
			                 entry->path);
	}
	return 0;
}

static int prepare_landlock(struct outer *outer, struct error *err)
{
	struct request *request = &outer->request;

	if (landlock_fits(&request->permissions, &request->brokered, err) < 0 ||
	    plain_roots_find(&request->permissions, request->tmp, &outer->plain, err) < 0)
		return -1;
	outer->missing = missing_at_home(&request->permissions);
	if (!request->brokered)
		return 0;
	if (request->nested)
		return error_set(err, EXIT_UNAVAILABLE, "nested",
		                 "sbx.nested and protected paths need mounts, which cannot be had "
		                 "here");
	/* To hide the place would mean to be asked about everything that is read. */
	if (letters_matter(&request->permissions, err) < 0 ||
	    place_keep(request, &outer->tmp, ACCESS_READ, err) < 0)
		return -1;
	ground_find(&request->permissions, &outer->ground);
	outer->observation.ground = &outer->ground;
	return 0;
}

static int prepare(struct outer *outer, struct error *err)
{
	cleanup_free char *directory = program_directory(err);

	if (!directory)
		return -1;
	outer->self = xasprintf("%s/sbx-linux-sandbox", directory);
	if (listed_sockets_pin(&outer->request.permissions, &outer->observation.listed, err) < 0 ||
	    git_parts_find(&outer->request.permissions, &outer->git, err) < 0 ||
	    bare_roots_find(&outer->request.permissions, &outer->bare, err) < 0)
		return -1;
	if (outer->request.nested && nested_fits(&outer->request.permissions, err) < 0)
		return -1;
	if (outer->request.landlock)
		return prepare_landlock(outer, err);
	if (islands_find(&outer->request, &outer->tmp, err) < 0)
		return -1;
	outer->request.network_held =
	        outer->request.permissions.network == NETWORK_OFF && sockets_are_refused();
	if (bwrap_choose(&outer->request, false, &outer->bwrap, err) < 0)
		return -1;
	/* A bubblewrap of the system executes the inner stage: it must be there. */
	if (outer->bwrap.system &&
	    (permissions_resolve(&outer->request.permissions, outer->self, NULL) == ACCESS_NONE ||
	     island(&outer->request, outer->self)))
		permissions_add(&outer->request.permissions, outer->self, ACCESS_READ);
	if (plain_roots_find(&outer->request.permissions, outer->request.tmp, &outer->plain, err) <
	    0)
		return -1;
	outer->missing = missing_at_home(&outer->request.permissions);
	return stubs_make(&outer->request.permissions, outer->request.tmp, &outer->stubs, err);
}

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
		if (mount_shows_source(&outer->mounts.items[i]) &&
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

static void become_sandbox(struct outer *outer, pid_t parent)
{
	char **args;

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
	if (outer->request.landlock)
		_exit(inner_run(outer->inner_control, outer->plan));
	if ((outer->bwrap.system && guard_start(parent) < 0) || pass_fds(outer) < 0 ||
	    dup2(outer->complaints[1], STDERR_FILENO) < 0)
		_exit(125);
	args = bwrap_args(&outer->bwrap, &outer->request, &outer->mounts, outer->self,
	                  outer->inner_control, outer->plan, outer->empty);
	hide_words(outer->words);
	bwrap_exec(&outer->bwrap, args);
	_exit(125);
}

static int start(struct outer *outer, struct error *err)
{
	pid_t parent = getpid();

	tree_begin(&outer->tree);
	outer->child = fork();
	if (outer->child < 0)
		return error_system(err, "fork");
	if (outer->child == 0)
		become_sandbox(outer, parent);
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

/*
 * While bubblewrap builds the mounts, we write the plan and remember what is
 * to be held; then the inner stage may go on.  0: told; 1: bubblewrap gave up.
 */
static int instruct(struct outer *outer, struct error *err)
{
	const struct request *request = &outer->request;
	bool foreground = supervisor_gives_terminal(&outer->supervisor);
	bool unfinished = outer->mounts.links > 0 || outer->bwrap.system;
	const struct plan_extras extras = {
	        .foreground = foreground,
	        .stderr_fd = request->landlock ? -1 : outer->real_stderr,
	        .nofile = outer->nofile,
	        .net = outer->observation.choice.net,
	        .watch = outer->observation.choice.watch,
	        .mark = outer->observation.mark,
	        .ground = outer->observation.ground,
	};
	struct message message;
	int got;

	held_free(&outer->held);
	if (plan_write(outer->plan, request, &outer->mounts, &extras, err) < 0 ||
	    held_begin(&outer->mounts, &outer->held, err) < 0)
		return -1;
	outer->supervisor.terminal_given = foreground;
	/* Unless the mounts need us in between, the answer is there before the question. */
	if (!unfinished && control_send(outer->supervisor.control, MESSAGE_GO, 0, NULL) < 0)
		return 1;
	got = await_inner(outer) ? control_receive(outer->supervisor.control, &message) : 0;
	if (got < 0)
		return error_system(err, "waiting for the inner stage");
	if (got == 0 || message.kind != MESSAGE_READY)
		return 1;
	if (!unfinished)
		return 0;
	if (finish_mounts(&outer->mounts, outer->bwrap.system, outer->child, err) < 0)
		return -1;
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

/* How an attempt ended: with the inner stage instructed, or why not. */
enum outcome {
	STARTED,
	NO_PROC,      /* no fresh /proc here: a container hides parts of its own */
	NO_NAMESPACE, /* this bubblewrap may not make namespaces */
	NO_LOOPBACK,  /* it made one and may not set it up */
	CHANGED,      /* a source went away between our look and its mount */
	FAILED,       /* err is filled */
};

/* bubblewrap's words for what another attempt can do something about. */
static const struct {
	const char *words;
	enum outcome outcome;
} known_complaints[] = {
        {"mount proc", NO_PROC},
        {"No permissions to create", NO_NAMESPACE},
        {"setting up uid map: Permission denied", NO_NAMESPACE},
        {"loopback: Failed", NO_NAMESPACE},
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

static enum outcome attempt(struct outer *outer, bool no_proc, struct error *err)
{
	int got;

	if (watch_plan(&outer->request, &outer->observation, &outer->unobserved, err) < 0)
		return FAILED;
	outer->observation.view.tmp = outer->request.tmp;
	outer->observation.view.fd = outer->tmp.fd;
	if (!outer->request.landlock && plan_mounts(outer, no_proc, err) < 0)
		return FAILED;
	if (open_channels(outer, err) < 0 || start(outer, err) < 0)
		return FAILED;
	got = instruct(outer, err);
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

/* Nothing has run yet, so trying again in the next best way is safe. */
static int launch(struct outer *outer, struct error *err)
{
	bool no_proc = outer->request.no_proc;
	enum outcome outcome = attempt_steadily(outer, no_proc, err);

	/* In a sandbox with nothing but a loopback of its own, that one will do. */
	if (outcome == NO_LOOPBACK && outer->request.permissions.network == NETWORK_LOOPBACK &&
	    surroundings_have_only_loopback()) {
		outer->request.network_held = true;
		outcome = attempt_steadily(outer, no_proc, err);
	}
	if ((outcome == NO_NAMESPACE || outcome == NO_LOOPBACK) && !outer->bwrap.system &&
	    outer->request.bwrap == BWRAP_AUTO) {
		struct error ignored;

		if (bwrap_choose(&outer->request, true, &outer->bwrap, &ignored) == 0)
			outcome = attempt_steadily(outer, no_proc, err);
	}
	if (outcome == NO_PROC && !no_proc)
		outcome = attempt_steadily(outer, true, err);
	return outcome == STARTED ? 0 : -1;
}

static int run(struct outer *outer, struct error *err)
{
	int status;

	if (inherited_check(&outer->request, err) < 0 || prepare(outer, err) < 0 ||
	    launch(outer, err) < 0)
		return -1;
	if (outer->unobserved)
		supervisor_unobserved(&outer->supervisor, outer->unobserved);
	outer->supervisor.plain = &outer->plain;
	status = supervise(&outer->supervisor, &outer->held, outer->child);
	end_tree(&outer->tree, outer->child, outer->supervisor.ended && !outer->request.landlock);
	reopened_conclude(&outer->supervisor.reopened);
	outer->child = 0;
	if (status == SUPERVISED_LOST) {
		supervisor_lost(&outer->supervisor);
		return 125;
	}
	if (status == SUPERVISED_DIED)
		return error_set(err, EXIT_SYSTEM, "died",
		                 "the sandbox died before the command ended");
	/* Our caller asked for the end, or is no more; nobody reads this. */
	return status == SUPERVISED_HUNG_UP ? 128 + SIGKILL : status;
}

static int print_args(struct outer *outer, struct error *err)
{
	struct bwrap by_path = {0};
	char **args;

	if (prepare(outer, err) < 0 || plan_mounts(outer, outer->request.no_proc, err) < 0)
		return -1;
	args = bwrap_args(&by_path, &outer->request, &outer->mounts, outer->self, 0, 0, 0);
	for (size_t i = 1; strcmp(args[i], "--") != 0; i++)
		if (fwrite(args[i], 1, strlen(args[i]) + 1, stdout) == 0)
			return error_system(err, "writing");
	return fflush(stdout) == 0 ? 0 : error_system(err, "writing");
}

static int begin(struct outer *outer, int argc, char **argv, struct error *err)
{
	sigset_t all, passed;
	struct stat st;
	static const int passed_on[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
	                                SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};

	*outer = (struct outer){.supervisor = {.control = -1, .report = -1, .tty = -1},
	                        .words = argv,
	                        .tmp = {.place = -1, .home = -1, .fd = -1},
	                        .held = {.root = -1}};
	if (request_parse(argc, argv, &outer->request, err) < 0 || fill_standard_fds(err) < 0 ||
	    raise_limits(outer, err) < 0)
		return -1;
	outer->supervisor.report = outer->request.report_fd;
	outer->supervisor.observation = &outer->observation;
	outer->observation.denials = denials_new(outer->supervisor.report);
	if (outer->supervisor.report >= 0 && fstat(outer->supervisor.report, &st) == 0)
		outer->supervisor.lifeline = S_ISSOCK(st.st_mode);
	outer->supervisor.tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	sigfillset(&all);
	sigemptyset(&passed);
	for (size_t i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++)
		sigaddset(&passed, passed_on[i]);
	if (sigprocmask(SIG_BLOCK, &all, &outer->mask) < 0)
		return error_system(err, "blocking signals");
	outer->supervisor.signals = signalfd(-1, &passed, SFD_CLOEXEC | SFD_NONBLOCK);
	if (outer->supervisor.signals < 0)
		return error_system(err, "signalfd");
	/* A caller that ignores it would take our children's ends from us. */
	if (signal(SIGCHLD, SIG_DFL) == SIG_ERR)
		return error_system(err, "signal");
	/* Whatever the sandbox leaves behind when a part of it dies is ours to reap. */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		return error_system(err, "prctl");
	return 0;
}

int outer_main(int argc, char **argv)
{
	static struct outer outer; /* threads of the observer look at it to the end */
	struct error err = {0};
	int status = begin(&outer, argc, argv, &err);

	if (status == 0)
		status = outer.request.print_args ? print_args(&outer, &err) : run(&outer, &err);
	if (outer.child > 0)
		end_tree(&outer.tree, outer.child, false);
	held_restore(&outer.held);
	held_free(&outer.held);
	git_parts_clean(&outer.git);
	bare_roots_restore(&outer.bare);
	plain_roots_restore(&outer.plain);
	tell_appeared(outer.missing);
	stubs_remove(&outer.stubs);
	mounts_free(&outer.mounts);
	stale_remove(&outer.tmp);
	private_tmp_close(&outer.tmp);
	request_free(&outer.request);
	bwrap_close(&outer.bwrap);
	free(outer.self);
	if (status < 0) {
		stage_fail(&err);
		return 125;
	}
	return status;
}
