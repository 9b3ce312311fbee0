#include "session/what_runs.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "command/dangerous.h"
#include "document/json_pool.h"
#include "rules/learned_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* More than these are a long command, of which nobody can tell. */
#define LOOKS_MAX 2000
#define PLACES    8

struct look {
	char *places[PLACES]; /* where it works: its directory, and where it goes from there */
	size_t count;
	const char *path;
	size_t looks;
	bool unknown;
	struct sha256 sum;
};

/* Each change of a file, its replacement too, is seen by these. */
static void add(struct look *look, const char *file, const struct stat *st)
{
	const long long is[] = {(long long)st->st_dev,         (long long)st->st_ino,
	                        (long long)st->st_mode,        (long long)st->st_size,
	                        (long long)st->st_ctim.tv_sec, st->st_ctim.tv_nsec};

	sha256_add(&look->sum, file, strlen(file) + 1);
	sha256_add(&look->sum, is, sizeof(is));
}

/* As the kernel takes it: ".." behind a link is where the link leads. */
static char *below(const char *place, const char *word)
{
	return word[0] == '/' ? xstrdup(word) : xasprintf("%s/%s", place, word);
}

static bool look_at(struct look *look, const char *file, bool script)
{
	struct stat st;

	if (++look->looks > LOOKS_MAX)
		look->unknown = true;
	if (look->unknown || stat(file, &st) < 0 || !S_ISREG(st.st_mode) ||
	    !(script || (st.st_mode & 0111)))
		return false;
	add(look, file, &st);
	return true;
}

static void look_in_places(struct look *look, const char *word, bool script)
{
	for (size_t i = 0; i < look->count; i++) {
		cleanup_free char *file = below(look->places[i], word);

		look_at(look, file, script);
	}
}

static void look_along_path(struct look *look, const char *name)
{
	for (const char *p = look->path; *p; p += *p == ':') {
		size_t len = strcspn(p, ":");
		cleanup_free char *directory = len > 0 ? xstrndup(p, len) : xstrdup(".");
		cleanup_free char *place = below(look->places[0], directory);
		cleanup_free char *file = below(place, name);

		if (look_at(look, file, false))
			return;
		p += len;
	}
}

static bool is_make(const char *name)
{
	return strcmp(name, "make") == 0 || strcmp(name, "gmake") == 0;
}

/* What runs anything, by what it is given to run. */
static void look_at_scripts(struct look *look, char *const *argv, const char *name)
{
	static const char *const read_by_make[] = {"GNUmakefile", "makefile", "Makefile"};
	bool operand = is_make(name);

	for (size_t i = 0; is_make(name) && i < 3; i++)
		look_in_places(look, read_by_make[i], true);
	for (char *const *word = argv + 1; *word; word++) {
		operand |= (*word)[0] != '-' && (*word)[0];
		look_in_places(look, *word, true);
	}
	look->unknown |= !operand;
}

static void found(char *const *argv, void *context)
{
	struct look *look = context;
	const char *slash = strrchr(argv[0], '/');
	const char *name = slash ? slash + 1 : argv[0];

	if (strcmp(argv[0], "cd") == 0 && argv[1] && look->count < PLACES)
		look->places[look->count++] = below(look->places[0], argv[1]);
	else if (slash)
		look_in_places(look, argv[0], false);
	else if (*name)
		look_along_path(look, name);
	/* "source x" and ". x" are a shell's. */
	if (runs_anything(name) || strcmp(name, "source") == 0 || strcmp(name, ".") == 0)
		look_at_scripts(look, argv, name);
}

static const char *path_of(const struct command *command)
{
	const char *path = NULL;

	for (char **variable = command->env; variable && *variable; variable++)
		if (strncmp(*variable, "PATH=", 5) == 0)
			path = *variable + 5;
	if (!command->env)
		path = getenv("PATH");
	return path ? path : "/bin:/usr/bin";
}

json_t *what_runs(const struct command *command)
{
	struct look look = {.path = path_of(command)};
	char text[SHA256_TEXT_SIZE];

	look.places[look.count++] = xstrdup(command->cwd);
	sha256_begin(&look.sum);
	danger(command->argv, found, &look);
	sha256_end(&look.sum, text);
	while (look.count > 0)
		free(look.places[--look.count]);
	return look.unknown ? json_null() : xjson(json_string(text));
}
