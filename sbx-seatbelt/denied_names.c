#include "denied_names.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "canonical.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "glob.h"

#include <stdbool.h>
#include <string.h>

/* The expressions of one kind of rule, each once. */
struct list {
	char **items;
	size_t count;
};

static void add(struct list *list, char *item)
{
	for (size_t i = 0; item && i < list->count; i++) {
		if (strcmp(list->items[i], item) == 0) {
			free(item);
			return;
		}
	}
	list->items = xrealloc_array(list->items, list->count + 2, sizeof(*list->items));
	list->items[list->count++] = item;
	list->items[list->count] = NULL;
}

/* The directory before a "**" holds every writable place: nothing can leave it. */
static bool nothing_outside(const char *pattern, size_t deep, const struct permissions *permissions)
{
	cleanup_free char *directory = glob_directory(pattern);

	if (path_depth(directory) != deep)
		return false;
	for (size_t i = 0; i < permissions->count; i++)
		if (permissions->entries[i].access == ACCESS_WRITE &&
		    !path_contains(directory, permissions->entries[i].path))
			return false;
	return true;
}

/* A matching file must not be carried away with a directory above it. */
static int add_directories(struct list *list, const char *pattern,
                           const struct permissions *permissions, struct error *err)
{
	size_t count = glob_components(pattern);

	for (size_t n = 1; n < count; n++) {
		char *regex;

		if (glob_is_deep(pattern, n - 1) && nothing_outside(pattern, n - 1, permissions))
			continue;
		regex = glob_regex(pattern, n, err);
		if (!regex)
			return -1;
		add(list, regex);
	}
	return 0;
}

static int add_pattern(struct list *names, struct list *directories, const char *pattern,
                       const struct permissions *permissions, struct error *err)
{
	char *regex = glob_regex(pattern, 0, err);

	if (!regex)
		return -1;
	add(names, regex);
	return add_directories(directories, pattern, permissions, err);
}

/* Bytes of a path as a pattern for just them. */
static char *escape(const char *path)
{
	char *out = xmalloc(2 * strlen(path) + 1), *to = out;

	for (; *path; path++) {
		if (strchr("*?[{}\\", *path))
			*to++ = '\\';
		*to++ = *path;
	}
	*to = '\0';
	return out;
}

/* The pattern as it is, and in /private where its first part may mean that. */
static int add_forms(struct list *names, struct list *directories, const char *pattern,
                     const struct permissions *permissions, struct error *err)
{
	const char *rest = pattern + strspn(pattern, "/");
	const char *alias;

	rest += strcspn(rest, "/");
	/* First of all, to refuse what is no pattern. */
	if (add_pattern(names, directories, pattern, permissions, err) < 0)
		return -1;
	for (size_t i = 0; (alias = canonical_alias(i)) != NULL; i++) {
		cleanup_free char *private = xasprintf("/private/%s%s", alias, rest);

		if (canonical_may_mean(pattern, alias) &&
		    add_pattern(names, directories, private, permissions, err) < 0)
			return -1;
	}
	return 0;
}

/* Where links lead from the directory of the pattern, if anywhere else. */
static char *resolve(const char *pattern)
{
	cleanup_free char *directory = glob_directory(pattern);
	cleanup_free char *real = path_canonical(directory, &(struct error){0});
	cleanup_free char *escaped = NULL;

	if (!real || strcmp(real, directory) == 0)
		return NULL;
	for (size_t n = path_depth(directory); n > 0; n--) {
		pattern += strspn(pattern, "/");
		while (*pattern && *pattern != '/')
			pattern += pattern[0] == '\\' && pattern[1] ? 2 : 1;
	}
	escaped = escape(real);
	return xasprintf("%s%s", real[1] ? escaped : "", pattern);
}

static void write_list(const struct list *list, const char *name, bool directories,
                       struct profile *p)
{
	for (size_t i = 0; i < list->count; i++) {
		cleanup_free char *param = xasprintf("%s_%zu", name, i);

		profile_param(p, param, list->items[i]);
		fprintf(p->out, "\n  %s(regex (param \"%s\"))%s",
		        directories ? "(require-all (vnode-type DIRECTORY) " : "", param,
		        directories ? ")" : "");
	}
	fputs(")\n", p->out);
}

int denied_names_write(char *const *globs, const struct permissions *permissions, struct profile *p,
                       struct error *err)
{
	struct list names = {0}, directories = {0};
	int status = 0;

	for (; status == 0 && globs && *globs; globs++) {
		cleanup_vector char **patterns = glob_alternatives(*globs, err);

		status = patterns ? 0 : -1;
		for (char **pattern = patterns; status == 0 && *pattern; pattern++) {
			cleanup_free char *resolved = resolve(*pattern);

			status = add_forms(&names, &directories, *pattern, permissions, err);
			if (status == 0 && resolved)
				status =
				        add_forms(&names, &directories, resolved, permissions, err);
		}
	}
	if (status == 0 && names.count) {
		fputs("\n; ---- denied names: also for files that are made later\n"
		      "(deny file-read* file-test-existence file-map-executable process-exec* "
		      "file-write*",
		      p->out);
		write_list(&names, "DENIED_NAME", false, p);
	}
	if (status == 0 && directories.count) {
		fputs("; A directory above such a file cannot be moved away with it.\n"
		      "(deny file-write-unlink",
		      p->out);
		write_list(&directories, "DENIED_NAME_DIRECTORY", true, p);
	}
	os_vector_free(names.items);
	os_vector_free(directories.items);
	return status;
}
