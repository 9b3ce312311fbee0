#include "changes/change.h"

#include "base/memory.h"
#include "fs/path.h"

#include <stdlib.h>
#include <string.h>

const char *const change_names[] = {
        [CHANGE_ADDED] = "added",     [CHANGE_DELETED] = "deleted", [CHANGE_TYPE] = "type",
        [CHANGE_CONTENT] = "changed", [CHANGE_MODE] = "mode",       [CHANGE_TIMES] = "times",
        [CHANGE_SAME] = "times",
};

struct change *changes_add(struct changes *changes, char *path)
{
	if (changes->count == changes->room) {
		changes->room = changes->room ? changes->room * 2 : 64;
		changes->items =
		        xrealloc_array(changes->items, changes->room, sizeof(*changes->items));
	}
	changes->items[changes->count] = (struct change){.path = path};
	return &changes->items[changes->count++];
}

void changes_free(struct changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		free(changes->items[i].path);
	free(changes->items);
	*changes = (struct changes){0};
}

static int by_path(const void *key, const void *item)
{
	return path_compare(key, ((const struct change *)item)->path);
}

struct change *changes_find(const struct changes *changes, const char *path)
{
	return changes->count == 0 ? NULL
	                           : bsearch(path, changes->items, changes->count,
	                                     sizeof(*changes->items), by_path);
}

bool change_removes(const struct change *change)
{
	return change->kind == CHANGE_DELETED || change->kind == CHANGE_TYPE;
}

bool change_makes(const struct change *change)
{
	return change->kind == CHANGE_ADDED || change->kind == CHANGE_TYPE;
}

bool change_is_told(const struct change *change)
{
	return change->kind != CHANGE_TIMES && change->kind != CHANGE_SAME && !change->renamed;
}
