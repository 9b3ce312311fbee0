#include "linux/landlock_fit.h"

#include "base/memory.h"
#include "document/json_list.h"
#include "fs/path.h"
#include "linux/broker_fit.h"
#include "linux/surroundings.h"
#include "policy/words.h"
#include "trust/settings_home.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

/* The first ABI that covers truncate(): without it "read" does not hold. */
#define ABI_TRUNCATE 3

/* Before that every rename from one directory to another is forbidden: git, npm and mv fail. */
#define ABI_REFER 2

int landlock_abi(void)
{
#ifdef __linux__
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

	if (abi > 0 && abi < ABI_REFER)
		errno = ENOSYS;
	return abi < ABI_REFER ? 0 : (int)abi;
#else
	errno = ENOSYS;
	return 0;
#endif
}

/* How much an entry gives; enum access is in the order of ties. */
static int gives(enum access access)
{
	return access == ACCESS_WRITE ? 2 : access == ACCESS_READ ? 1 : 0;
}

/* The uppermost entry above entries[i] that gives more than `least`. */
static const struct entry *overruled_by(const struct permissions *permissions, size_t i, int least)
{
	for (size_t k = 0; k < i; k++) {
		const struct entry *above = &permissions->entries[k];

		if (path_contains(above->path, permissions->entries[i].path) &&
		    gives(above->access) > least)
			return above;
	}
	return NULL;
}

static int carve_outs_fit(const struct permissions *permissions, struct error *err)
{
	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		const struct entry *above = overruled_by(permissions, i, gives(entry->access));
		/* From the uppermost writable directory down, names can be moved. */
		const struct entry *top = overruled_by(permissions, i, gives(ACCESS_READ));

		if (!above || surroundings_hold(permissions, top ? top->path : NULL, entry))
			continue;
		if (entry->access == ACCESS_NONE)
			return error_set(err, EXIT_UNAVAILABLE, "hidden-paths",
			                 "\"%s\" cannot be hidden below \"%s\" by Landlock alone",
			                 entry->path, above->path);
		return error_set(err, EXIT_UNAVAILABLE, "protected-paths",
		                 "\"%s\" cannot be kept read-only below the writable \"%s\" by "
		                 "Landlock alone",
		                 entry->path, above->path);
	}
	return 0;
}

size_t landlock_without_protected(struct permissions *permissions, char **first)
{
	size_t removed = 0;

	for (size_t i = permissions->count; i-- > 0;) {
		const struct entry *entry = &permissions->entries[i];

		if (entry->access != ACCESS_READ ||
		    !overruled_by(permissions, i, gives(ACCESS_READ)) ||
		    inside_own_place(entry->path))
			continue;
		if (removed++ > 0)
			free(*first);
		*first = xstrdup(entry->path);
		permissions_remove(permissions, *first);
	}
	return removed;
}

bool protected_may_be_lost(const json_t *own)
{
	return json_list_has_text(json_object_get(own, "accept_lost"), accepted_names[0]);
}

static bool all_writable(const struct permissions *permissions)
{
	return permissions->count == 1 && permissions->entries[0].path[1] == '\0' &&
	       permissions->entries[0].access == ACCESS_WRITE;
}

/* What is not given by a right can be done by somebody who has it, call by call. */
static int broker_fits(bool *brokered, struct error *err)
{
	struct error plain = *err;
	const char *why;

	*brokered = broker_works(&why);
	return *brokered ? 0
	                 : error_set(err, EXIT_UNAVAILABLE, plain.code,
	                             "%s, nor with the broker: %s", plain.message, why);
}

int landlock_fits(const struct permissions *permissions, bool *brokered, struct error *err)
{
	int abi = landlock_abi();

	*brokered = false;

	if (abi == 0)
		return error_set(err, EXIT_UNAVAILABLE, "landlock", "Landlock: %s",
		                 errno == EOPNOTSUPP ? "switched off when the kernel was started"
		                                     : "not in this kernel, or of a version that "
		                                       "no command can work with");
	if (abi < ABI_TRUNCATE && !all_writable(permissions))
		return error_set(err, EXIT_UNAVAILABLE, "read-only-files",
		                 "Landlock ABI %d does not cover truncate(), ABI %d does", abi,
		                 ABI_TRUNCATE);
	if (network_is_named(permissions))
		return error_set(err, EXIT_UNAVAILABLE, "shared-network",
		                 "a loopback that runs share needs a network namespace, not "
		                 "Landlock");
	/* Landlock knows ports and no addresses; only a namespace knows loopback. */
	if (permissions->network == NETWORK_LOOPBACK && !surroundings_have_only_loopback())
		return error_set(err, EXIT_UNAVAILABLE, "private-loopback",
		                 "a private loopback needs a network namespace, not Landlock");
	if (permissions->network == NETWORK_HOSTS)
		return error_set(err, EXIT_UNAVAILABLE, "hosts",
		                 "a network by name needs a network namespace, not Landlock");
	return carve_outs_fit(permissions, err) < 0 ? broker_fits(brokered, err) : 0;
}
