#include "denied_names.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "canonical.h"
#include "fs/path.h"
#include "glob.h"

#include <stdbool.h>
#include <string.h>

/* The expressions of one kind of rule, each once: the one for this pattern; see glob_regex(). */
static int add(struct strings *list, const char *pattern, size_t components, struct error *err)
{
	cleanup_free char *regex = glob_regex(pattern, components, err);

	if (!regex)
		return -1;
	if (!strings_have(list, regex))
		strings_add(list, keep_ptr(regex));
	return 0;
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
static int add_directories(struct strings *list, const char *pattern,
                           const struct permissions *permissions, struct error *err)
{
	size_t count = glob_components(pattern);

	for (size_t n = 1; n < count; n++)
		if (!(glob_is_deep(pattern, n - 1) &&
		      nothing_outside(pattern, n - 1, permissions)) &&
		    add(list, pattern, n, err) < 0)
			return -1;
	return 0;
}

static int add_pattern(struct strings *names, struct strings *directories, const char *pattern,
                       const struct permissions *permissions, struct error *err)
{
	if (add(names, pattern, 0, err) < 0)
		return -1;
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
static int add_forms(struct strings *names, struct strings *directories, const char *pattern,
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

static void write_list(const struct strings *list, const char *name, bool directories,
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
	struct strings names = {0}, directories = {0};
	int status = 0;

	for (; status == 0 && globs && *globs; globs++) {
		struct strings patterns = {0};

		status = glob_alternatives(*globs, &patterns, err);
		for (size_t i = 0; status == 0 && i < patterns.count; i++) {
			cleanup_free char *resolved = resolve(patterns.items[i]);

			status = add_forms(&names, &directories, patterns.items[i], permissions,
			                   err);
			if (status == 0 && resolved)
				status =
				        add_forms(&names, &directories, resolved, permissions, err);
		}
		strings_free(&patterns);
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
	strings_free(&names);
	strings_free(&directories);
	return status;
}
