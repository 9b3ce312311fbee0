#include "linux/nested_fit.h"

#include "base/cleanup.h"
#include "fs/path.h"

int nested_fits(const struct permissions *permissions, struct error *err)
{
	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		cleanup_free char *parent = path_parent(entry->path);

		if (entry->access == ACCESS_WRITE || entry->path[1] == '\0' ||
		    permissions_resolve(permissions, parent, NULL) != ACCESS_WRITE)
			continue;
		return error_set(err, EXIT_UNAVAILABLE, "nested",
		                 "sbx.nested: \"%s\" is protected in a writable directory, which "
		                 "cannot be enforced when the command may make user namespaces: "
		                 "use sbx.nested with a read-only policy, or leave it out",
		                 entry->path);
	}
	return 0;
}
