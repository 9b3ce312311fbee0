#include "jobs/begin_job.h"

#include "base/cleanup.h"
#include "process/sibling.h"
#include "process/spawn.h"
#include "process/this_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
/* Where macOS and the BSDs have what terminals can be told, there is <sys/ttycom.h>. */
#if defined(__linux__) || __has_include(<sys/ttycom.h>)
#include <sys/ioctl.h>
#endif

/* What the process gets; -1: nothing. */
struct theirs {
	int standard[3];
	int document, result, approver;
	int terminal; /* also all of the standard ones */
};

int set_client_apart(int *in, int *out, struct error *err)
{
	cleanup_close int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	*in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, JOB_FIRST_FREE_FD);
	*out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, JOB_FIRST_FREE_FD);
	if (*in < 0 || *out < 0 || null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(null, STDOUT_FILENO) < 0)
		return error_system(err, "setting the client's pipes apart");
	for (int fd = JOB_DOCUMENT_FD; fd < JOB_FIRST_FREE_FD; fd++)
		if (fd != null && fcntl(fd, F_GETFD) < 0 && fcntl(null, F_DUPFD_CLOEXEC, fd) != fd)
			return error_system(err, "setting the client's pipes apart");
	/* Whichever of those numbers it has stays taken. */
	if (null < JOB_FIRST_FREE_FD)
		keep_fd(&null);
	return 0;
}

/* A pipe; ours, which does not wait, is `end` of it. */
static int open_pipe(int end, int *ours, int *theirs, struct error *err)
{
	int ends[2];

	if (pipe_open(ends, err) < 0)
		return -1;
	*ours = ends[end];
	*theirs = ends[1 - end];
	return fcntl(*ours, F_SETFL, O_NONBLOCK) < 0 ? error_system(err, "making a pipe") : 0;
}

static int open_approver(struct job *job, struct theirs *t, struct error *err)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return error_system(err, "making a socket");
	job->approver = ends[0];
	t->approver = ends[1];
	if (fcntl(ends[0], F_SETFL, O_NONBLOCK) < 0 || fcntl(ends[0], F_SETFD, FD_CLOEXEC) < 0 ||
	    fcntl(ends[1], F_SETFD, FD_CLOEXEC) < 0)
		return error_system(err, "making a socket");
	return 0;
}

static bool has_size(int terminal, const struct beginning *b)
{
#ifdef TIOCSWINSZ
	struct winsize size = {.ws_row = b->rows, .ws_col = b->columns};

	return ioctl(terminal, TIOCSWINSZ, &size) == 0;
#else
	return terminal >= 0 && b->columns > 0;
#endif
}

/* The controlling terminal of the session that we lead. */
static bool take_terminal(int terminal)
{
#ifdef TIOCSCTTY
	return ioctl(terminal, TIOCSCTTY, 0) == 0;
#else
	return tcgetpgrp(terminal) >= 0;
#endif
}

/* Our end reads and writes; both are closed apart. */
static int open_terminal(struct job *job, const struct beginning *b, struct theirs *t,
                         struct error *err)
{
	const char *name;

	job->out = posix_openpt(O_RDWR | O_NOCTTY);
	if (job->out < 0 || fcntl(job->out, F_SETFD, FD_CLOEXEC) < 0 ||
	    fcntl(job->out, F_SETFL, O_RDWR | O_NONBLOCK) < 0 || grantpt(job->out) < 0 ||
	    unlockpt(job->out) < 0 || (name = ptsname(job->out)) == NULL)
		return error_system(err, "making a terminal");
	t->terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	job->input.fd = fcntl(job->out, F_DUPFD_CLOEXEC, JOB_FIRST_FREE_FD);
	if (t->terminal < 0 || job->input.fd < 0 || !has_size(t->terminal, b))
		return error_system(err, "making a terminal");
	job->pty = true;
	return 0;
}

static int open_streams(struct job *job, const struct beginning *b, struct theirs *t,
                        struct error *err)
{
	if (open_pipe(0, &job->out, &t->standard[1], err) < 0 ||
	    (!b->one_stream && open_pipe(0, &job->err, &t->standard[2], err) < 0))
		return -1;
	if (b->input)
		return open_pipe(1, &job->input.fd, &t->standard[0], err);
	t->standard[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return t->standard[0] < 0 ? error_system(err, "/dev/null") : 0;
}

static int open_ends(struct job *job, const struct beginning *b, struct theirs *t,
                     struct error *err)
{
	if ((b->columns ? open_terminal(job, b, t, err) : open_streams(job, b, t, err)) < 0 ||
	    (b->document && open_pipe(1, &job->document.fd, &t->document, err) < 0) ||
	    (b->result && open_pipe(0, &job->result, &t->result, err) < 0) ||
	    (b->approver && open_approver(job, t, err) < 0))
		return -1;
	return 0;
}

static void close_theirs(const struct theirs *t)
{
	const int all[] = {t->standard[0], t->standard[1], t->standard[2], t->document,
	                   t->result,      t->approver,    t->terminal};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i] >= 0)
			close(all[i]);
}

static bool take_place(int fd, int number)
{
	return fd < 0 || dup2(fd, number) == number;
}

/*
 * In the child.  In a session of its own: the terminal of the client, if there is
 * one, is nobody's to ask at.
 */
static bool take_places(const struct theirs *t, const struct beginning *b)
{
	bool terminal = t->terminal >= 0;

	if (setsid() < 0 || (terminal && !take_terminal(t->terminal)))
		return false;
	for (int i = 0; i < 3; i++)
		if (!take_place(terminal ? t->terminal : t->standard[i], i))
			return false;
	if (!terminal && b->one_stream && dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
		return false;
	return take_place(t->document, JOB_DOCUMENT_FD) && take_place(t->result, JOB_RESULT_FD) &&
	       take_place(t->approver, JOB_APPROVER_FD);
}

static void become(const char *path, const struct beginning *b, const struct theirs *t,
                   pid_t parent)
{
	sigset_t none;

	sigemptyset(&none);
	if (!take_places(t, b) || !kernel_die_with_parent(parent, SIGKILL))
		_exit(125);
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execv(path, b->argv);
	_exit(125);
}

int job_begin(struct job *job, const struct beginning *b, struct error *err)
{
	struct theirs t = {{-1, -1, -1}, -1, -1, -1, -1};
	cleanup_free char *path = sibling_path(b->program, err);
	pid_t parent = getpid();
	int status = path ? open_ends(job, b, &t, err) : -1;

	if (status == 0) {
		job->pid = fork();
		if (job->pid == 0)
			become(path, b, &t, parent);
		if (job->pid < 0) {
			job->pid = 0;
			status = error_system(err, "starting %s", b->program);
		}
	}
	close_theirs(&t);
	return status;
}
