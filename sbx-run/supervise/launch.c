#include "supervise/launch.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "base/strings.h"
#include "document/osstring.h"
#include "limits/own_limits.h"
#include "process/find_command.h"
#include "process/not_found.h"
#include "process/this_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Everything the new process needs, made before it exists. */
struct plan {
	const struct launch *launch;
	struct search search;
	char **argv;
	int policy; /* -1, or a file with the one that is too long for an argument */
	pid_t parent;
};

#define ARGUMENT_MAX 131072 /* bytes; of Linux, and not adjustable */

/* Written by the new process, read by us: vfork() shares the memory. */
struct failure {
	const char *what; /* NULL: none */
	int number;
};

static bool is_linux_helper(const struct wrapped *w)
{
	return w->observed && w->arg0 && strcmp(w->arg0, "sbx-linux-sandbox") == 0;
}

/* The helper speaks by our name, as the stages do; any other name has a meaning of its own. */
static const char *name_of(const struct launch *l)
{
	const struct wrapped *w = l->wrapped;

	return is_linux_helper(w) && !l->verbose ? program_name : w->arg0 ? w->arg0 : w->argv[0];
}

/* Where the wrapped command is ours, its policy comes first. */
static bool has_long_policy(const struct wrapped *w)
{
	return is_linux_helper(w) && w->argv[1] && strcmp(w->argv[1], "--policy") == 0 &&
	       w->argv[2] && strlen(w->argv[2]) >= ARGUMENT_MAX;
}

/* The helper's first words are for it: where to report, what to leave open. */
static char **make_argv(const struct launch *l, int policy)
{
	const struct wrapped *w = l->wrapped;
	struct strings argv = {0};

	strings_add(&argv, xstrdup(name_of(l)));
	if (w->sandboxed && l->report >= 0) {
		strings_add(&argv, xstrdup("--report-fd"));
		strings_add(&argv, xasprintf("%d", l->report));
	}
	if (is_linux_helper(w) && l->brief)
		strings_add(&argv, xstrdup("--refuse-sockets"));
	if (w->sandboxed && l->ask) {
		strings_add(&argv, xstrdup("--ask-hosts"));
		strings_add(&argv, xstrdup(l->ask));
	}
	if (is_linux_helper(w) && l->preview) {
		strings_add(&argv, xstrdup("--preview"));
		strings_add(&argv, xstrdup(l->preview));
	}
	for (size_t i = 0; w->sandboxed && i < l->keep_count; i++) {
		strings_add(&argv, xstrdup("--keep-fd"));
		strings_add(&argv, xasprintf("%d", l->keep[i]));
	}
	if (policy >= 0) {
		strings_add(&argv, xstrdup("--policy-fd"));
		strings_add(&argv, xasprintf("%d", policy));
	}
	for (size_t i = policy >= 0 ? 3 : 1; w->argv[i]; i++)
		strings_add(&argv, xstrdup(w->argv[i]));
	return argv.items;
}

static bool move(int fd, int to)
{
	return fd < 0 || dup2(fd, to) == to;
}

static bool leave_open(int fd)
{
	return fd < 0 || fcntl(fd, F_SETFD, 0) == 0;
}

/*
 * The new process until it executes the command.  It runs in our memory while
 * we wait: system calls only, and no handler of ours exists that could run.
 */
static void __attribute__((noinline, noreturn))
become(const struct plan *plan, volatile struct failure *failure)
{
	const struct launch *l = plan->launch;

	/* SIGTTOU is still blocked, so this neither stops us nor races the parent. */
	if (setpgid(0, 0) < 0)
		failure->what = "making a process group";
	else if (l->terminal >= 0 && tcsetpgrp(l->terminal, getpid()) < 0)
		failure->what = "giving the terminal to the command";
	else if (!l->wrapped->sandboxed && !kernel_die_with_parent(plan->parent, SIGKILL))
		failure->what = "tying the command to its parent";
	else if (!move(l->in, 0) || !move(l->out, 1) || !move(l->err, 2) ||
	         !leave_open(l->report) || !leave_open(plan->policy))
		failure->what = "setting up the command's files";
	else if (l->limiter && (limiter_child(l->limiter, false) < 0 ||
	                        own_limits_set(limiter_processes(l->limiter),
	                                       l->wrapped->limits.most[LIMIT_FILES]) < 0))
		failure->what = "limiting the command";
	else if (chdir(l->wrapped->cwd) < 0)
		failure->what = "entering the directory";
	for (size_t i = 0; !failure->what && i < l->keep_count; i++)
		if (!leave_open(l->keep[i]))
			failure->what = "keeping a file open";
	if (failure->what) {
		failure->number = errno;
		_exit(125);
	}
	inherited_restore(l->inherited, l->wrapped->sandboxed);
	failure->number = search_execute(&plan->search, plan->argv, l->wrapped->env);
	failure->what = "executing";
	_exit(125);
}

/* vfork(): a copy of our page tables would cost more than all the rest here. */
static pid_t start(const struct plan *plan, volatile struct failure *failure)
{
	pid_t child = vfork();

	if (child == 0)
		become(plan, failure);
	return child;
}

static int explain_failure(const struct launch *l, const struct failure *f, struct error *err)
{
	const struct wrapped *w = l->wrapped;
	bool absent = not_found(f->number);
	cleanup_free char *why =
	        absent ? not_found_words(w->argv[0], f->number) : xstrdup(strerror(f->number));

	if (strcmp(f->what, "executing") != 0) {
		errno = f->number;
		return error_system(err, "%s \"%s\"", f->what, w->cwd);
	}
	if (w->confined)
		return error_set(err, EXIT_SYSTEM, "launch", "the sandbox helper \"%s\": %s",
		                 w->argv[0], strerror(f->number));
	return error_set(err, absent ? 127 : 126, absent ? "not-found" : "not-executable", "%s: %s",
	                 w->argv[0], why);
}

static int open_policy(const struct wrapped *w, int *policy, struct error *err)
{
	if (!has_long_policy(w))
		return 0;
	*policy = kernel_memory_file("sbx-policy", w->argv[2], strlen(w->argv[2]));
	return *policy < 0 ? error_system(err, "keeping the policy in memory") : 0;
}

pid_t launch(const struct launch *l, struct error *err)
{
	struct plan plan = {.launch = l, .policy = -1, .parent = getpid()};
	/* Volatile: the compiler cannot see that another process writes to it. */
	volatile struct failure shared = {0};
	struct failure failure;
	pid_t child;

	if (open_policy(l->wrapped, &plan.policy, err) < 0)
		return -1;
	plan.argv = make_argv(l, plan.policy);
	search_begin(&plan.search, l->wrapped->argv[0], plan.argv, l->wrapped->env);
	child = start(&plan, &shared);
	failure = (struct failure){shared.what, shared.number};
	if (child < 0) {
		error_system(err, "starting a process");
	} else if (failure.what) {
		/* It has ended; nothing else waits for it. */
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			continue;
		child = explain_failure(l, &failure, err);
	}
	search_free(&plan.search);
	os_vector_free(plan.argv);
	if (plan.policy >= 0)
		close(plan.policy);
	return child;
}

int launch_here(const struct launch *l, struct error *err)
{
	cleanup_vector char **argv = NULL;
	cleanup_close int policy = -1;

	if (open_policy(l->wrapped, &policy, err) < 0)
		return -1;
	argv = make_argv(l, policy);
	if (!leave_open(policy))
		return error_system(err, "keeping the policy open");
	for (size_t i = 0; i < l->keep_count; i++)
		if (!leave_open(l->keep[i]))
			return error_system(err, "keeping a file open");
	if (chdir(l->wrapped->cwd) < 0)
		return error_system(err, "entering the directory \"%s\"", l->wrapped->cwd);
	inherited_restore(l->inherited, true);
	execve(l->wrapped->argv[0], argv, l->wrapped->env);
	return error_system(err, "the sandbox helper \"%s\"", l->wrapped->argv[0]);
}
