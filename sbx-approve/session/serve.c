#include "session/serve.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "decision_table.h"
#include "process/not_found.h"
#include "process/spawn.h"
#include "process/this_kernel.h"
#include "session/client.h"
#include "session/listening_place.h"
#include "session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the parent allows at most, and a connection that ends when it does. */
static int inherit(const struct serve *serve, json_t **ceiling, struct error *err)
{
	cleanup_json json_t *hello = xjson(json_pack("{s:s}", "op", "hello"));
	cleanup_close int fd = client_connect(serve->parent, err);

	if (fd < 0)
		return -1;
	*ceiling = client_call(fd, hello, err);
	return *ceiling ? keep_fd(&fd) : -1;
}

/* Narrower than what is above, or not at all. */
static int narrow(const struct serve *serve, json_t *ceiling, struct error *err)
{
	json_t *policies = json_object_get(ceiling, "policies");
	const char *above = json_string_value(json_object_get(ceiling, "mode"));

	if (!json_is_array(policies))
		json_object_set_new(ceiling, "policies", policies = xjson(json_array()));
	/* All of them are judged, so one more can only make it stricter. */
	if (serve->policy)
		json_array_append_new(policies, json_string(serve->policy));
	if (!serve->mode)
		return 0;
	if (above && tree_mode_rank(serve->mode) > tree_mode_rank(above))
		return error_set(err, EXIT_INPUT, "wider",
		                 "--sandbox %s: wider than the parent session's %s", serve->mode,
		                 above);
	return json_object_set_new(ceiling, "mode", json_string(serve->mode));
}

/* The signals that end a session; what a terminal sends is for the command. */
static int end_signals(struct error *err)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
	return kernel_signal_fd(&set, err);
}

static int serve_until(struct session *session, int process, int signals, struct error *err)
{
	session->ends[0] = process;
	session->ends[1] = signals;
	return session_serve(session, err);
}

static pid_t start_command(char **command, const char *path)
{
	pid_t child = fork();

	if (child == 0) {
		sigset_t none;
		int number;

		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
		signal(SIGTTOU, SIG_DFL);
		signal(SIGPIPE, SIG_DFL);
		setenv("SBX_SESSION", path, 1);
		execvp(command[0], command);
		number = errno;
		complain("%s: %s", command[0],
		         not_found(number) ? not_found_words(command[0], number)
		                           : strerror(number));
		_exit(not_found(number) ? 127 : 126);
	}
	return child;
}

static int with_command(struct session *session, char **command, const char *path,
                        struct error *err)
{
	cleanup_close int signals = end_signals(err);
	cleanup_close int process = -1;
	pid_t child;
	int status;

	if (signals < 0)
		return -1;
	child = start_command(command, path);
	if (child < 0)
		return error_system(err, "starting a process");
	process = kernel_process_fd(child, err);
	if (process < 0 || serve_until(session, process, signals, err) < 0) {
		kill(child, SIGTERM);
		spawn_wait(child);
		return -1;
	}
	/* Told to end, or the parent did: so does the command. */
	if (waitpid(child, &status, WNOHANG) == 0) {
		kill(child, SIGTERM);
		status = spawn_wait(child);
		return status < 0 ? error_system(err, "waiting for the command") : status;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static pid_t parent_of(pid_t pid)
{
	char name[64], text[512];
	const char *behind;

	snprintf(name, sizeof(name), "/proc/%ld/stat", (long)pid);
	read_small(AT_FDCWD, name, text, sizeof(text));
	/* The name in parentheses may hold anything. */
	behind = strrchr(text, ')');
	return behind && strlen(behind) > 4 ? (pid_t)atol(behind + 4) : 0;
}

/*
 * The shell in eval "$(sbx-approve --serve)".  Between it and us there may be
 * a subshell that ends at once; it has our stdout, which the shell has not.
 */
static pid_t calling_shell(void)
{
	struct stat own, other;
	pid_t pid = getppid();

	if (fstat(STDOUT_FILENO, &own) < 0 || !S_ISFIFO(own.st_mode))
		return pid;
	for (int i = 0; i < 8 && pid > 1; i++) {
		char name[64];

		snprintf(name, sizeof(name), "/proc/%ld/fd/1", (long)pid);
		if (stat(name, &other) < 0 || own.st_dev != other.st_dev ||
		    own.st_ino != other.st_ino)
			break;
		pid = parent_of(pid);
	}
	return pid;
}

static int in_background(struct session *session, const char *path, struct error *err)
{
	cleanup_close int process = kernel_process_fd(calling_shell(), err);
	cleanup_close int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	cleanup_close int signals = -1;
	cleanup_free char *quoted = text_quote(path);
	int ready[2];
	pid_t child;

	if (process < 0)
		return -1;
	if (null < 0)
		return error_system(err, "/dev/null");
	if (pipe_open(ready, err) < 0)
		return -1;
	child = fork();
	if (child < 0)
		return error_system(err, "starting a process");
	if (child > 0) {
		char word;

		close(ready[1]);
		if (read(ready[0], &word, 1) != 1)
			return error_set(err, EXIT_SYSTEM, "no-session",
			                 "the session did not begin");
		printf("SBX_SESSION=%s; export SBX_SESSION;\nSBX_SESSION_PID=%ld;\n", quoted,
		       (long)child);
		if (fflush(stdout) != 0)
			return error_system(err, "writing");
		/* The socket is the child's to remove. */
		_exit(0);
	}
	setpgid(0, 0);
	/* Clients look at who listens: the process that called us is gone by then. */
	signals = session_listen_again(session->listener, err) < 0 ? -1 : end_signals(err);
	if (signals < 0 || write(ready[1], "r", 1) != 1)
		return -1;
	close(ready[0]);
	close(ready[1]);
	if (dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
		return -1;
	return serve_until(session, process, signals, err);
}

int serve(const struct serve *s, struct error *err)
{
	cleanup_free char *path = NULL, *directory = NULL;
	cleanup_json json_t *ceiling = xjson(json_object());
	cleanup_close int above = -1, listener = -1;
	struct session session = {.approver = {.place = s->approver},
	                          .limit_ms = s->limit_ms,
	                          .parent = s->parent,
	                          .source = s->source,
	                          .above = -1,
	                          .ends = {-1, -1}};
	int status;

	if (s->parent) {
		json_decref(keep_ptr(ceiling));
		above = inherit(s, &ceiling, err);
		if (above < 0)
			return -1;
		session.above = above;
	}
	if (narrow(s, ceiling, err) < 0)
		return -1;
	listener = session_listen(&path, &directory, err);
	if (listener < 0)
		return -1;
	session.listener = listener;
	session.ceiling = ceiling;
	store_begin(&session.store);
	status = s->command[0] ? with_command(&session, s->command, path, err)
	                       : in_background(&session, path, err);
	store_free(&session.store);
	listening_place_remove(path, directory);
	return status;
}
