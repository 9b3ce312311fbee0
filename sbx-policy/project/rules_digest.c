#include "project/rules_digest.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"
#include "process/sibling.h"
#include "process/spawn.h"

#include <string.h>
#include <unistd.h>

/* Without rules, which is usual, nobody needs to be asked. */
static bool has_rules(const char *project, const char *home)
{
	cleanup_free char *path = path_join(project, ".codex/rules");
	cleanup_free char *own = path_join(home, "rules");

	return strcmp(path, own) != 0 && access(path, F_OK) == 0;
}

static pid_t start(const char *project, int out, struct error *err)
{
	extern char **environ;
	cleanup_free char *program = sibling_path("sbx-approve", err);
	cleanup_free char *option = xasprintf("--project-rules=%s", project);
	char *argv[] = {program, option, NULL};

	return program ? spawn(program, argv, environ, -1, out, -1, err) : -1;
}

/* The first line is the digest; the others are for the person. */
static void take(char digest[SHA256_TEXT_SIZE], FILE *in, FILE *out)
{
	cleanup_free char *line = NULL;
	size_t size = 0;

	if (getline(&line, &size, in) == SHA256_TEXT_SIZE && line[SHA256_TEXT_SIZE - 1] == '\n')
		memcpy(digest, line, SHA256_TEXT_SIZE - 1);
	while (getline(&line, &size, in) > 0)
		fputs(line, out);
}

int rules_digest(char digest[SHA256_TEXT_SIZE], const char *project, const char *home, FILE *out,
                 struct error *err)
{
	int ends[2];
	pid_t child;
	FILE *in;
	int status;

	memset(digest, 0, SHA256_TEXT_SIZE);
	if (!has_rules(project, home))
		return 0;
	if (pipe_open(ends, err) < 0)
		return -1;
	child = start(project, ends[1], err);
	close(ends[1]);
	in = child < 0 ? NULL : fdopen(ends[0], "r");
	if (!in) {
		close(ends[0]);
		return child < 0 ? -1 : error_system(err, "reading the project's rules");
	}
	take(digest, in, out);
	fclose(in);
	status = spawn_wait(child);
	if (status != 0)
		return error_set(err, EXIT_INPUT, "bad-rules",
		                 "the rules of \"%s\" cannot be read, so it was not trusted",
		                 project);
	return 0;
}
