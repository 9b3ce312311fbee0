#include "sets/chosen_names.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "typed/nearest_word.h"
#include "base/strings.h"
#include "fs/directory_names.h"
#include "trust/settings_home.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many an error lists. */
#define NAMES_MAX 12

static void add(struct strings *names, const char *name, size_t len)
{
	cleanup_free char *copy = xstrndup(name, len);

	if (len > 0 && !strings_have(names, copy))
		strings_add(names, keep_ptr(copy));
}

/* "NAME.config.toml" is a profile of that name. */
static bool add_file(void *context, const char *name, enum kind kind)
{
	static const char suffix[] = ".config.toml";
	size_t len = strlen(name), tail = strlen(suffix);

	if (kind != KIND_DIRECTORY && name[0] != '.' && len > tail &&
	    strcmp(name + len - tail, suffix) == 0)
		add(context, name, len - tail);
	return true;
}

static void add_files(struct strings *names)
{
	cleanup_free char *home = settings_home();
	cleanup_close int fd = home ? open(home, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	/* Of a directory that cannot be read, no file would be either. */
	if (fd >= 0)
		(void)listing(fd, add_file, names);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void find(struct strings *names, const struct config *config, const char *what)
{
	static const char *const built_in[] = {":read-only", ":workspace", ":danger-full-access"};
	json_t *table = json_object_get(config->values, what);
	const char *name;
	json_t *value;

	json_object_foreach (table, name, value)
		add(names, name, strlen(name));
	if (strcmp(what, "profiles") == 0)
		add_files(names);
	if (names->count > 0)
		qsort(names->items, names->count, sizeof(*names->items), compare);
	for (size_t i = 0; strcmp(what, "permissions") == 0 && i < 3; i++)
		add(names, built_in[i], strlen(built_in[i]));
}

int chosen_list(const struct config *config, const char *what, FILE *out, struct error *err)
{
	struct strings names = {0};

	find(&names, config, what);
	for (size_t i = 0; i < names.count; i++) {
		cleanup_free char *clean = text_clean(names.items[i]);

		fprintf(out, "%s\n", clean);
	}
	strings_free(&names);
	return fflush(out) == EOF ? error_system(err, "writing") : 0;
}

static char *joined(const struct strings *names)
{
	char *out = xstrdup("");

	for (size_t i = 0; i < names->count && i < NAMES_MAX; i++) {
		char *longer = xasprintf("%s%s%s", out, i ? ", " : "", names->items[i]);

		free(out);
		out = longer;
	}
	return out;
}

int chosen_unknown(const char *what, const char *name, const struct config *config,
                   struct error *err)
{
	bool profile = strcmp(what, "profile") == 0;
	struct nearest nearest = nearest_begin(name);
	struct strings names = {0};
	cleanup_free char *list = NULL;

	find(&names, config, profile ? "profiles" : what);
	for (size_t i = 0; i < names.count; i++)
		nearest_try(&nearest, names.items[i], strlen(names.items[i]));
	list = joined(&names);
	error_set(err, EXIT_INPUT, profile ? "no-profile" : "no-permissions",
	          "%s \"%s\": no such %s; %s%.*s%s%s%s", what, name,
	          profile ? "profile" : "permission set", nearest.word ? "did you mean \"" : "",
	          (int)nearest.len, nearest.word ? nearest.word : "", nearest.word ? "\"? " : "",
	          names.count ? "there is: " : "there is none in the configuration", list);
	strings_free(&names);
	return -1;
}
