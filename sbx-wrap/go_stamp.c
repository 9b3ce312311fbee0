#include "go_stamp.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"
#include "git/repository.h"
#include "policy/environment.h"
#include "policy/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FLAG          "-buildvcs=false"
#define FIRST_TO_KNOW 18 /* go 1.18; one that does not know a flag runs nothing */

static const char *value_of(char *const *env, const char *name)
{
	size_t len = strlen(name);

	for (; *env; env++)
		if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
			return *env + len + 1;
	return NULL;
}

static bool is_in_module(const char *directory)
{
	cleanup_free char *at = xstrdup(directory);

	for (;;) {
		cleanup_free char *file = path_join(at, "go.mod");
		struct stat st;
		char *up;

		if (lstat(file, &st) == 0)
			return true;
		if (at[1] == '\0')
			return false;
		up = path_parent(at);
		free(at);
		at = up;
	}
}

static bool is_in_repository(const char *directory)
{
	struct repository repository;
	bool found;

	repository_find(&repository, directory);
	found = repository.root != NULL;
	repository_free(&repository);
	return found;
}

/* The version that lies beside the program: "go1.19.8". */
static bool knows_the_flag(const char *program)
{
	cleanup_free char *real = realpath(program, NULL);
	cleanup_free char *bin = real ? path_parent(real) : NULL;
	cleanup_free char *top = bin ? path_parent(bin) : NULL;
	cleanup_free char *name = top ? path_join(top, "VERSION") : NULL;
	FILE *file = name ? fopen(name, "re") : NULL;
	char line[64];
	int minor = 0;
	bool known;

	if (!file)
		return false;
	known = fgets(line, sizeof(line), file) && sscanf(line, "go1.%d", &minor) == 1 &&
	        minor >= FIRST_TO_KNOW;
	fclose(file);
	return known;
}

/* The first go on the command's own PATH. */
static bool go_knows_the_flag(char *const *env)
{
	const char *at = value_of(env, "PATH");

	while (at && *at) {
		size_t len = strcspn(at, ":");
		cleanup_free char *program = xasprintf("%.*s/go", (int)len, at);
		struct stat st;

		if (*at == '/' && stat(program, &st) == 0)
			return knows_the_flag(program);
		at += len + (at[len] == ':');
	}
	return false;
}

void go_stamp_apply(char ***env, const struct wrap *wrap)
{
	const char *cwd = wrap->command.cwd, *flags;
	cleanup_free char *with = NULL;

	if (wrap->type != SANDBOX_LINUX || !is_in_module(cwd) || is_in_repository(cwd) ||
	    !go_knows_the_flag(*env))
		return;
	flags = value_of(*env, "GOFLAGS");
	if (flags && strstr(flags, "-buildvcs"))
		return;
	with = xasprintf("%s%s" FLAG, flags ? flags : "", flags && *flags ? " " : "");
	environment_set(env, "GOFLAGS", with);
}
