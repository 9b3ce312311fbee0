#include "process/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__
/* Declared only where extensions to POSIX were asked for. */
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
#endif

int pipe_open(int ends[2], struct error *err)
{
#ifdef __linux__
	if (pipe2(ends, O_CLOEXEC) == 0)
		return 0;
#else
	if (pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
	    fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0)
		return 0;
#endif
	return error_system(err, "making a pipe");
}

pid_t spawn(const char *path, char *const *argv, char *const *envp, int in, int out, int err,
            struct error *error)
{
	return spawn_in(NULL, path, argv, envp, in, out, err, error);
}

pid_t spawn_in(const char *directory, const char *path, char *const *argv, char *const *envp,
               int in, int out, int err, struct error *error)
{
	const int streams[3] = {in, out, err};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, usual;
	pid_t child;
	int failed;

	sigemptyset(&none);
	/* What a program needs to be usual; each costs a system call in the child. */
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGCHLD);
	failed = posix_spawn_file_actions_init(&actions);
	if (failed)
		goto no_actions;
	failed = posix_spawnattr_init(&attributes);
	if (failed)
		goto no_attributes;
	for (int i = 0; i < 3 && !failed; i++)
		if (streams[i] >= 0)
			failed = posix_spawn_file_actions_adddup2(&actions, streams[i], i);
	if (!failed && directory)
		failed = posix_spawn_file_actions_addchdir_np(&actions, directory);
	if (!failed)
		failed = posix_spawnattr_setsigmask(&attributes, &none);
	if (!failed)
		failed = posix_spawnattr_setsigdefault(&attributes, &usual);
	if (!failed)
		failed = posix_spawnattr_setflags(&attributes,
		                                  POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	if (!failed)
		failed = posix_spawn(&child, path, &actions, &attributes, argv, envp);
	posix_spawnattr_destroy(&attributes);
no_attributes:
	posix_spawn_file_actions_destroy(&actions);
no_actions:
	if (failed) {
		errno = failed;
		return error_system(error, "starting %s", path);
	}
	return child;
}

int spawn_wait(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
