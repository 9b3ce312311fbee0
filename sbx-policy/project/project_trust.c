#include "project/project_trust.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "fs/path.h"
#include "process/sibling.h"
#include "process/spawn.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __APPLE__
#define st_ctim st_ctimespec
#endif

static char *digest(const struct config *config, const char *directory, const char *key)
{
	const json_t *value = config_get(config, NULL, "projects", directory, key);

	return value ? xstrdup(json_string_value(value)) : NULL;
}

static void forget(struct trust *trust)
{
	free(trust->path);
	free(trust->config);
	free(trust->rules);
	trust->path = trust->config = trust->rules = NULL;
}

static bool look(struct trust *trust, const struct config *config, const char *directory)
{
	struct from from;
	const json_t *level = config_get(config, &from, "projects", directory, "trust_level");

	if (!level)
		return false;
	trust->level =
	        strcmp(json_string_value(level), "trusted") == 0 ? TRUST_TRUSTED : TRUST_UNTRUSTED;
	trust->source = from.source;
	forget(trust);
	trust->path = xstrdup(directory);
	trust->config = digest(config, directory, "sbx_config");
	trust->rules = digest(config, directory, "sbx_rules");
	return true;
}

const char *trust_key(const struct repository *repository, const char *workspace)
{
	return repository->root ? repository->root : workspace;
}

static bool is_later(struct timespec a, struct timespec b)
{
	return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

/* A file of this user's, reached without a link at its end. */
static bool own_file(const char *directory, const char *name, struct stat *st)
{
	cleanup_free char *path = path_join(directory, name);

	return lstat(path, st) == 0 && S_ISREG(st->st_mode) && st->st_uid == geteuid();
}

/*
 * A worktree that was removed leaves its entry behind, and whoever then makes
 * the directory again, with a pointer in it, has proof in both directions.  git
 * writes "commondir" after the pointer and "gitdir" whenever it is used, so a
 * pointer that changed after both is not the one they were written for.  The
 * time of a change cannot be set.
 */
static bool is_lasting(const struct repository *repository)
{
	struct stat pointer, common, back;

	return own_file(repository->root, ".git", &pointer) &&
	       own_file(repository->gitdir, "commondir", &common) &&
	       own_file(repository->gitdir, "gitdir", &back) &&
	       !(is_later(pointer.st_ctim, common.st_ctim) &&
	         is_later(pointer.st_ctim, back.st_ctim));
}

static bool look_up(struct trust *trust, const struct config *config, const char *workspace,
                    const char *top)
{
	cleanup_free char *at = xstrdup(workspace);

	for (;;) {
		char *up;

		if (look(trust, config, at))
			return true;
		if (strcmp(at, top) == 0)
			return false;
		up = path_parent(at);
		free(at);
		at = up;
	}
}

void trust_find(struct trust *trust, const struct config *config,
                const struct repository *repository, const char *workspace)
{
	const char *top = trust_key(repository, workspace);
	const char *main = repository->main;

	forget(trust);
	trust->path = xstrdup(top);
	trust->level = TRUST_UNKNOWN;
	trust->source = "default";
	trust->lent = false;
	if (!config_get(config, NULL, "projects") || look_up(trust, config, workspace, top))
		return;
	if (main && strcmp(main, top) != 0 && is_lasting(repository))
		trust->lent = look(trust, config, main);
}

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
	cleanup_free char *name = xstrdup(speaker());
	char *argv[] = {name, option, NULL};

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
