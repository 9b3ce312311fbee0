#include "kept/case_alias.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/casefold.h"
#include "fs/path.h"
#include "fs/same_file.h"
#include "mounts/mounts.h"
#include "policy/slash_tmp.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

json_t *alias_json(const struct permissions *permissions, const char *private_tmp)
{
	json_t *aliases = xjson(json_array());

	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		cleanup_free char *parent = NULL, *alias = NULL;
		struct stat st;

		if (entry->access == ACCESS_WRITE || entry->path[1] == '\0')
			continue;
		parent = path_parent(entry->path);
		if (permissions_resolve(permissions, parent, NULL) != ACCESS_WRITE ||
		    (private_tmp && tmp_decides(permissions, private_tmp, parent)))
			continue;
		alias = in_other_letters(entry->path);
		if (alias && lstat(entry->path, &st) == 0 && is_other_spelling(alias))
			json_array_append_new(aliases,
			                      xjson(json_pack("[o,o]", os_string(entry->path),
			                                      os_string(alias))));
	}
	return aliases;
}

static bool is_under_same_mount(const char *path, const char *alias)
{
	cleanup_close int one = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	cleanup_close int other = open(alias, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat a, b;

	/* What is mounted on a link is a link, and not read-only. */
	return one >= 0 && other >= 0 && fstat(one, &a) == 0 && fstat(other, &b) == 0 &&
	       same_file(&a, &b) && !S_ISLNK(b.st_mode) && mount_is_read_only(other);
}

int alias_verify(const json_t *aliases, struct error *err)
{
	size_t i;
	json_t *row;

	json_array_foreach (aliases, i, row) {
		cleanup_free char *path = os_string_get(json_array_get(row, 0), "plan", err);
		cleanup_free char *alias =
		        path ? os_string_get(json_array_get(row, 1), "plan", err) : NULL;

		if (!alias)
			return -1;
		if (!is_under_same_mount(path, alias))
			return error_set(
			        err, EXIT_UNAVAILABLE, "ignores-case",
			        "\"%s\" cannot be protected: its file system ignores case, "
			        "and \"%s\" would reach it; use a workspace on another "
			        "file system",
			        path, strrchr(alias, '/') + 1);
	}
	return 0;
}
