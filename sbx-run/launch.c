#include "launch.h"

#include "cleanup.h"
#include "kernel.h"
#include "memory.h"
#include "osstring.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Everything the new process needs, made before it exists. */
struct plan {
	const struct launch *launch;
	char **candidates; /* paths to try, in order */
	char **argv;
	const char **script; /* the same behind a shell, for a script without "#!" */
	pid_t parent;
};

/* Written by the new process, read by us: vfork() shares the memory. */
struct failure {
	const char *what; /* NULL: none */
	int number;
};

static void add(char ***list, size_t *count, char *word)
{
	*list = xrealloc_array(*list, *count + 2, sizeof(**list));
	(*list)[(*count)++] = word;
	(*list)[*count] = NULL;
}

static const char *variable(char *const *env, const char *name)
{
	size_t len = strlen(name);

	for (; *env; env++)
		if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
			return *env + len + 1;
	return NULL;
}

/*
 * Where the name may be found: with the PATH of the command's environment,
 * not ours, and relative entries from the command's directory.
 */
static char **list_candidates(const struct wrapped *w)
{
	const char *path = variable(w->env, "PATH");
	char **list = NULL;
	size_t count = 0;

	if (strchr(w->argv[0], '/')) {
		add(&list, &count, xstrdup(w->argv[0]));
		return list;
	}
	for (const char *p = path ? path : "/bin:/usr/bin";; p++) {
		size_t len = strcspn(p, ":");

		add(&list, &count,
		    len ? xasprintf("%.*s/%s", (int)len, p, w->argv[0])
		        : xasprintf("./%s", w->argv[0]));
		p += len;
		if (!*p)
			return list;
	}
}

/* The helper's first words are for it: where to report, what to leave open. */
static char **make_argv(const struct launch *l)
{
	const struct wrapped *w = l->wrapped;
	char **argv = NULL;
	size_t count = 0;

	add(&argv, &count, xstrdup(w->arg0 ? w->arg0 : w->argv[0]));
	if (w->sandboxed) {
		add(&argv, &count, xstrdup("--report-fd"));
		add(&argv, &count, xasprintf("%d", l->report));
	}
	for (size_t i = 0; w->sandboxed && i < l->keep_count; i++) {
		add(&argv, &count, xstrdup("--keep-fd"));
		add(&argv, &count, xasprintf("%d", l->keep[i]));
	}
	for (size_t i = 1; w->argv[i]; i++)
		add(&argv, &count, xstrdup(w->argv[i]));
	return argv;
}

/* sh, a place for the script's path, and the arguments, which stay argv's. */
static const char **make_script(char *const *argv)
{
	const char **script;
	size_t count = 0;

	while (argv[count])
		count++;
	script = xrealloc_array(NULL, count + 2, sizeof(*script));
	script[0] = "sh";
	for (size_t i = 0; i <= count; i++)
		script[i + 1] = argv[i];
	return script;
}

/* Tries every place; EACCES in one of them does not end the search. */
static int execute(const struct plan *plan)
{
	const struct wrapped *w = plan->launch->wrapped;
	int found = ENOENT;

	for (size_t i = 0; plan->candidates[i]; i++) {
		execve(plan->candidates[i], plan->argv, w->env);
		if (errno == ENOEXEC && !w->sandboxed) {
			/* What shells and execvp() do with it. */
			plan->script[1] = plan->candidates[i];
			execve("/bin/sh", (char **)(void *)plan->script, w->env);
			return ENOEXEC;
		}
		if (errno == EACCES)
			found = EACCES;
		else if (errno != ENOENT && errno != ENOTDIR)
			return errno;
	}
	return found;
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
	else if (!l->wrapped->sandboxed && !kernel_die_with_parent(plan->parent))
		failure->what = "tying the command to its parent";
	else if (!move(l->in, 0) || !move(l->out, 1) || !move(l->err, 2) || !leave_open(l->report))
		failure->what = "setting up the command's files";
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
	failure->number = execute(plan);
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
	bool absent = f->number == ENOENT || f->number == ENOTDIR;

	if (strcmp(f->what, "executing") != 0) {
		errno = f->number;
		return error_system(err, "%s \"%s\"", f->what, w->cwd);
	}
	if (w->sandboxed)
		return error_set(err, EXIT_SYSTEM, "launch", "the sandbox helper \"%s\": %s",
		                 w->argv[0], strerror(f->number));
	return error_set(err, absent ? 127 : 126, absent ? "not-found" : "not-executable",
	                 "\"%s\": %s", w->argv[0],
	                 absent && !strchr(w->argv[0], '/') ? "command not found"
	                                                    : strerror(f->number));
}

pid_t launch(const struct launch *l, struct error *err)
{
	struct plan plan = {.launch = l, .parent = getpid()};
	/* Volatile: the compiler cannot see that another process writes to it. */
	volatile struct failure shared = {0};
	struct failure failure;
	pid_t child;

	plan.candidates = list_candidates(l->wrapped);
	plan.argv = make_argv(l);
	plan.script = make_script(plan.argv);
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
	os_vector_free(plan.candidates);
	os_vector_free(plan.argv);
	free(plan.script);
	return child;
}
