#include "patches/patch.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "patches/patch_repository.h"
#include "policy/slash_tmp.h"
#include "process/sibling.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A name with "..", or one that leads nowhere, stays as it is: it opens nothing. */
static char *whole_path(const char *cwd, const char *file)
{
	cleanup_free char *joined = *file == '/' ? xstrdup(file) : path_join(cwd, file);
	struct error ignored = {0};
	cleanup_free char *real = path_is_normal(joined) ? path_canonical(joined, &ignored) : NULL;

	return real ? keep_ptr(real) : xstrdup(file);
}

/* Of cwd and a file, what to call it. */
typedef char *naming(const char *cwd, const char *file);

static char **named_files(const json_t *doc, naming *name, struct error *err)
{
	const json_t *command = json_object_get(doc, "command");
	const char *tool = json_string_value(json_object_get(command, "tool"));
	cleanup_free char *cwd = NULL;
	cleanup_vector char **files = NULL;

	if (!tool || strcmp(tool, "patch") != 0)
		return NULL;
	cwd = os_string_get(json_object_get(command, "cwd"), "command.cwd", err);
	files = cwd ? os_vector_get(json_object_get(command, "files"), "command.files", err) : NULL;
	for (char **file = files; file && *file; file++) {
		char *named = name(cwd, *file);

		free(*file);
		*file = named;
	}
	return keep_ptr(files);
}

char **patch_files(const json_t *doc, struct error *err)
{
	return named_files(doc, whole_path, err);
}

char **patch_paths(const json_t *doc, struct error *err)
{
	return named_files(doc, path_join, err);
}

const json_t *patch_program(const json_t *command)
{
	const char *tool = json_string_value(json_object_get(command, "tool"));
	const json_t *argv = json_object_get(command, "argv");
	const json_t *text = json_object_get(command, "patch");
	const char *first = json_string_value(json_array_get(argv, 0));
	const char *second = json_string_value(json_array_get(argv, 1));

	if (!tool || strcmp(tool, "patch") != 0)
		return NULL;
	if (first && strcmp(first, "apply_patch") == 0)
		return text ? text : json_array_get(argv, 1);
	if (second && strcmp(second, "--codex-run-as-apply-patch") == 0)
		return text ? text : json_array_get(argv, 2);
	return NULL;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool patch_may_change(char *const *files, const struct permissions *permissions, const char *file)
{
	return path_is_normal(file) &&
	       permissions_resolve(permissions, file, NULL) == ACCESS_WRITE &&
	       !patch_makes_repository(permissions, files, file);
}

char *patch_beyond(char *const *files, const struct permissions *permissions)
{
	for (char *const *file = files; *file; file++)
		if (!patch_may_change(files, permissions, *file))
			return xstrdup(*file);
	return NULL;
}

/* Under restricted reading as well. */
static void show_own_program(struct permissions *permissions)
{
	struct error none = {0};
	cleanup_free char *own = sibling_path("sbx-run", &none);

	if (own && permissions_resolve(permissions, own, NULL) == ACCESS_NONE)
		permissions_add(permissions, own, ACCESS_READ);
}

void patch_narrow(struct permissions *permissions, char *const *files, const char *tmp)
{
	struct permissions before = {0};

	for (size_t i = 0; i < permissions->count; i++) {
		struct entry *entry = &permissions->entries[i];

		permissions_add(&before, entry->path, entry->access);
		if (entry->access == ACCESS_WRITE && !(tmp && strcmp(entry->path, tmp) == 0))
			entry->access = ACCESS_READ;
	}
	for (char *const *file = files; *file; file++)
		/* A directory is no file: what is in it was not named. */
		if (patch_may_change(files, &before, *file) && !is_directory(*file) &&
		    !(tmp && tmp_decides(&before, tmp, *file)))
			permissions_add(permissions, *file, ACCESS_WRITE);
	permissions_free(&before);
	show_own_program(permissions);
}
