#include "resolve/writable_roots.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"

/* True for a write entry whose surroundings are not writable already. */
static bool is_writable_root(const struct permissions *permissions, const struct entry *entry)
{
	cleanup_free char *parent = path_parent(entry->path);

	if (entry->access != ACCESS_WRITE)
		return false;
	return path_depth(entry->path) == 0 ||
	       permissions_resolve(permissions, parent, NULL) != ACCESS_WRITE;
}

json_t *writable_roots_json(const struct permissions *permissions)
{
	json_t *roots = xjson(json_array());

	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *root = &permissions->entries[i];
		json_t *subpaths;

		if (!is_writable_root(permissions, root))
			continue;
		subpaths = xjson(json_array());
		/* What is below a path follows it in the order of entries. */
		for (size_t k = i + 1; k < permissions->count; k++) {
			const struct entry *below = &permissions->entries[k];

			if (!path_contains(root->path, below->path))
				break;
			if (below->access != ACCESS_WRITE)
				json_array_append_new(subpaths, os_string(below->path));
		}
		json_array_append_new(roots,
		                      xjson(json_pack("{s:o,s:o}", "root", os_string(root->path),
		                                      "read_only_subpaths", subpaths)));
	}
	return roots;
}
