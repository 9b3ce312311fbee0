#include "broker/allowed.h"

#include <string.h>

static enum access policy_of(const struct broker *broker, const char *path)
{
	return permissions_resolve(broker->policy, path, NULL);
}

/*
 * Of the file itself.  One that is gone is still somebody's: a descriptor that was opened by
 * O_PATH, which nothing refuses, outlasts its name, and whoever is outside may have it open.
 */
static enum access policy_of_file(const struct broker *broker, const struct place *place)
{
	enum access now = policy_of(broker, place->path), before = now;
	char old[PATH_MAX];

	if (place->memory)
		return ACCESS_WRITE;
	if (place->lost) {
		place_old_path(place, old);
		before = policy_of(broker, old);
	}
	return now == ACCESS_WRITE || before == ACCESS_NONE ? before : now;
}

static bool policy_allows(struct broker *broker, const struct place *place, enum change change)
{
	if (change == CHANGE_NAME)
		return place->object < 0 && policy_of(broker, place->path) == ACCESS_WRITE &&
		       policy_of(broker, place->directory) == ACCESS_WRITE;
	return policy_of_file(broker, place) == ACCESS_WRITE &&
	       !(place->exists && links_protect(&broker->links, &place->st, place->lost));
}

bool is_allowed(struct broker *broker, const struct place *place, enum change change)
{
	return policy_allows(broker, place, change) && !moved_look(broker->moved);
}

bool is_granted(const struct broker *broker, const struct place *place, enum change change)
{
	if (place->nameless ||
	    permissions_resolve(&broker->ground, place->path, NULL) != ACCESS_WRITE)
		return false;
	return change == CHANGE_CONTENT ||
	       permissions_resolve(&broker->ground, place->directory, NULL) == ACCESS_WRITE;
}

bool may_read(struct broker *broker, const struct place *place)
{
	return policy_of_file(broker, place) != ACCESS_NONE &&
	       (reads_by_itself(broker, place) || !moved_look(broker->moved));
}

bool reads_by_itself(const struct broker *broker, const struct place *place)
{
	return !place->nameless &&
	       permissions_resolve(&broker->ground, place->path, NULL) != ACCESS_NONE;
}

bool is_pinned(const struct broker *broker, const struct place *place)
{
	return permissions_find(broker->policy, place->path) ||
	       permissions_below(broker->policy, place->path);
}
