#include "outer/outer.h"

#include "document/stage.h"
#include "kept/appeared_at_home.h"
#include "kept/held_restore.h"
#include "outer/attempt.h"
#include "outer/inherited.h"
#include "outer/outer_state.h"
#include "outer/prepare.h"
#include "process/own_terminal.h"
#include "tmp/stale_tmp.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

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

static int run(struct outer *outer, struct error *err)
{
	int status;

	/* With a connect() of its own the command could turn such a socket to somebody else. */
	if (outer->request.loopback_optional && inherited_internet(&outer->request))
		outer->request.permissions.network = NETWORK_OFF;
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
	limiter_end(&outer->limiter);
	supervisor_usage(&outer->supervisor);
	if (status == SUPERVISED_LOST) {
		supervisor_lost(&outer->supervisor);
		return 125;
	}
	/* What was asked to end may go before the command does. */
	if (status == SUPERVISED_DIED && outer->supervisor.deadline)
		status = SUPERVISED_HUNG_UP;
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
	                        .network = SHARED_NETWORK_NONE,
	                        .layers = LAYERS_NONE,
	                        .limiter = {.tmp = -1, .reached = -1},
	                        .preview = PREVIEW_NONE,
	                        .held = {.root = -1}};
	if (request_parse(argc, argv, &outer->request, err) < 0 || fill_standard_fds(err) < 0 ||
	    raise_limits(outer, err) < 0)
		return -1;
	outer->supervisor.report = outer->request.report_fd;
	outer->supervisor.observation = &outer->observation;
	outer->observation.denials = denials_new(outer->supervisor.report);
	if (outer->supervisor.report >= 0 && fstat(outer->supervisor.report, &st) == 0)
		outer->supervisor.lifeline = S_ISSOCK(st.st_mode);
	outer->supervisor.questions.can =
	        outer->request.ask != ASK_HOSTS_NOT && outer->supervisor.lifeline;
	outer->supervisor.questions.hold = outer->request.ask == ASK_HOSTS_HELD;
	outer->supervisor.tty = own_terminal_open();
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
	limiter_end(&outer.limiter);
	held_restore(&outer.held);
	held_free(&outer.held);
	git_parts_clean(&outer.git);
	bare_roots_restore(&outer.bare);
	plain_roots_restore(&outer.plain);
	tell_appeared(outer.missing);
	stubs_remove(&outer.stubs);
	mounts_free(&outer.mounts);
	shared_memory_remove(&outer.memory);
	shared_network_close(&outer.network);
	layers_end(&outer.layers);
	preview_free(&outer.preview);
	stale_remove(&outer.tmp, TMP_DAYS);
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
