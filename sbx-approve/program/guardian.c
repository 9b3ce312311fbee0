#include "program/guardian.h"

#include "base/cleanup.h"
#include "process/descendants.h" /* not the decision tree beside us */
#include "process/spawn.h"
#include "process/this_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RELEASE  'r'
#define ROUNDS   500 /* of two milliseconds: what a kernel call holds longer is left to it */
#define FDS_LEFT 1024

/* What the guardian says. */
struct word {
	enum { WORD_STARTED, WORD_FAILED, WORD_ENDED } kind;
	int value; /* errno, or the status */
};

/* The ends of our pipes would keep them from ending; what is inherited is the program's. */
static void close_ours(int leash)
{
	for (int fd = 3; fd < FDS_LEFT; fd++)
		if (fd != leash && (fcntl(fd, F_GETFD) & FD_CLOEXEC) == FD_CLOEXEC)
			close(fd);
}

static void say(int leash, int kind, int value)
{
	struct word word = {.kind = kind, .value = value};

	send(leash, &word, sizeof(word), MSG_NOSIGNAL);
}

static void reap(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		continue;
}

static void end_all(const struct tree *tree, pid_t child)
{
	kill(child, SIGKILL);
	for (int i = 0; i < ROUNDS && tree_kill(tree, 0) > 0; i++) {
		reap();
		nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	}
}

/* Waits for the program and for the leash; true when all is to end. */
static bool watch(int leash, pid_t child)
{
	struct error ignored;
	cleanup_close int process = kernel_process_fd(child, &ignored);
	bool ended = false;
	char said = 0;

	for (;;) {
		struct pollfd fds[] = {{.fd = leash, .events = POLLIN},
		                       {.fd = process, .events = POLLIN}};
		int status;

		/* Without a descriptor for it we have to look. */
		if (poll(fds, 2, process < 0 && !ended ? 20 : -1) < 0 && errno != EINTR)
			return true;
		if (!ended && (process < 0 || fds[1].revents) &&
		    waitpid(child, &status, WNOHANG) == child) {
			say(leash, WORD_ENDED,
			    WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
			if (process >= 0)
				close(process);
			process = -1;
			ended = true;
		}
		if (fds[0].revents)
			return recv(leash, &said, 1, 0) != 1 || said != RELEASE;
	}
}

static void guard(const struct guarded_program *program, int in, int out, int leash)
{
	struct error err = {0};
	struct tree tree;
	sigset_t all;
	pid_t child;

	/* What a terminal sends to the group is for the program: it must not end us first. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	/* Where it cannot be done, the tree is searched all the same. */
	kernel_adopt_orphans(&err);
	tree_begin(&tree);
	child = spawn_in(program->directory, program->place, program->argv, program->env, in, out,
	                 -1, &err);
	if (child < 0) {
		say(leash, WORD_FAILED, errno);
		_exit(1);
	}
	close_ours(leash);
	say(leash, WORD_STARTED, 0);
	if (watch(leash, child))
		end_all(&tree, child);
	_exit(0);
}

static int leash_open(int ends[2], struct error *err)
{
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return error_system(err, "making a socket");
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return 0;
}

static int listen_to(const struct guarded *g, struct word *word)
{
	ssize_t n;

	do
		n = recv(g->leash, word, sizeof(*word), MSG_WAITALL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(*word) ? 0 : -1;
}

int guarded_start(struct guarded *g, const struct guarded_program *program, int in, int out,
                  struct error *err)
{
	struct word word = {0};
	int ends[2];

	*g = (struct guarded){.leash = -1};
	if (leash_open(ends, err) < 0)
		return -1;
	g->guardian = fork();
	if (g->guardian == 0)
		guard(program, in, out, ends[1]);
	close(ends[1]);
	g->leash = ends[0];
	if (g->guardian < 0) {
		close(g->leash);
		g->leash = -1;
		return error_system(err, "starting a process");
	}
	if (listen_to(g, &word) == 0 && word.kind == WORD_STARTED)
		return 0;
	guarded_kill(g);
	errno = word.kind == WORD_FAILED ? word.value : ECHILD;
	return error_system(err, "starting %s", program->argv[0]);
}

int guarded_wait(const struct guarded *g, int64_t left_ms)
{
	struct pollfd p = {.fd = g->leash, .events = POLLIN};
	struct word word;

	if (poll(&p, 1, left_ms > 0 ? (int)left_ms : 0) != 1 || listen_to(g, &word) < 0)
		return -1;
	return word.value;
}

static void let_go(struct guarded *g)
{
	close(g->leash);
	g->leash = -1;
	spawn_wait(g->guardian);
}

void guarded_release(struct guarded *g)
{
	char word = RELEASE;

	if (g->leash < 0)
		return;
	send(g->leash, &word, 1, MSG_NOSIGNAL);
	let_go(g);
}

void guarded_kill(struct guarded *g)
{
	if (g->leash >= 0)
		let_go(g);
}
