#include "mcp/keeper.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "process/sibling.h"
#include "process/spawn.h"
#include "base/read_full.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

/* As a shell would: plain text, '...' and \x.  In place; the end of the word. */
static char *unquote(char *text)
{
	char *to = text, *from = text;
	bool quoted = false;

	for (; *from && (quoted || *from != ';'); from++) {
		if (*from == '\'')
			quoted = !quoted;
		else if (!quoted && *from == '\\' && from[1])
			*to++ = *++from;
		else
			*to++ = *from;
	}
	if (*from)
		from++;
	*to = '\0';
	return from;
}

/* SBX_SESSION=PATH; export SBX_SESSION; SBX_SESSION_PID=N; */
static int read_lines(struct server *server, char *text, struct error *err)
{
	static const char path_is[] = "SBX_SESSION=", pid_is[] = "SBX_SESSION_PID=";
	char *path = strncmp(text, path_is, strlen(path_is)) == 0 ? text + strlen(path_is) : NULL;
	const char *pid = path ? strstr(unquote(path), pid_is) : NULL;

	if (!pid || !*path)
		return error_set(err, EXIT_SYSTEM, "no-session",
		                 "--mcp: the session did not begin");
	server->keeper = (pid_t)atol(pid + strlen(pid_is));
	server->session = xstrdup(path);
	if (setenv("SBX_SESSION", path, 1) < 0)
		return error_system(err, "SBX_SESSION");
	return 0;
}

int keeper_begin(struct server *server, struct error *err)
{
	char serve[] = "--serve", parent[] = "--parent", name[] = "sbx-run";
	char *around = getenv("SBX_SESSION");
	char *above[] = {name, serve, parent, around, NULL}, *alone[] = {name, serve, NULL};
	cleanup_free char *path = sibling_path("sbx-approve", err);
	cleanup_close int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	char text[4096];
	int ends[2];
	ssize_t n;
	pid_t child;

	if (!path || pipe_open(ends, err) < 0)
		return -1;
	server->around = around && *around;
	child = spawn(path, around && *around ? above : alone, environ, in, ends[1], -1, err);
	close(ends[1]);
	n = child < 0 ? -1 : read_full(ends[0], text, sizeof(text) - 1);
	close(ends[0]);
	if (child < 0)
		return -1;
	if (spawn_wait(child) != 0 || n <= 0)
		return error_set(err, EXIT_SYSTEM, "no-session",
		                 "--mcp: the session did not begin");
	text[n] = '\0';
	return read_lines(server, text, err);
}

void keeper_end(struct server *server)
{
	if (server->keeper > 0) {
		kill(server->keeper, SIGTERM);
		waitpid(server->keeper, NULL, 0);
	}
	free(server->session);
}
