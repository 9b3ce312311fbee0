#include "entries/policy.h"

#include "base/memory.h"
#include "fs/path.h"

#include <string.h>

/* The first origin that does not sort before path. */
static size_t position(const struct policy *policy, const char *path)
{
	return path_position(policy->origins, policy->origin_count, sizeof(struct origin), path);
}

const struct origin *policy_origin(const struct policy *policy, const char *path)
{
	size_t at = position(policy, path);

	if (at < policy->origin_count && strcmp(policy->origins[at].path, path) == 0)
		return &policy->origins[at];
	return NULL;
}

void policy_withdraw(struct policy *policy, const char *path)
{
	const struct entry *entry = permissions_find(&policy->permissions, path);
	const struct origin *origin = policy_origin(policy, path);

	if (entry)
		policy->permissions.entries[entry - policy->permissions.entries].access =
		        ACCESS_READ;
	if (origin)
		policy->origins[origin - policy->origins].access = ACCESS_READ;
}

void policy_add(struct policy *policy, const char *path, enum access access, const char *source,
                bool named)
{
	size_t at = position(policy, path);
	struct origin *origin;

	permissions_add(&policy->permissions, path, access);
	if (at == policy->origin_count || strcmp(policy->origins[at].path, path) != 0) {
		policy->origins = xrealloc_array(policy->origins, policy->origin_count + 1,
		                                 sizeof(*policy->origins));
		origin = &policy->origins[at];
		memmove(origin + 1, origin, (policy->origin_count - at) * sizeof(*origin));
		policy->origin_count++;
		*origin = (struct origin){xstrdup(path), access, source, named};
		return;
	}
	origin = &policy->origins[at];
	if (access > origin->access) {
		origin->access = access;
		origin->source = source;
	}
	origin->named |= named;
}

void policy_free(struct policy *policy)
{
	for (size_t i = 0; i < policy->origin_count; i++)
		free(policy->origins[i].path);
	free(policy->origins);
	free(policy->workspace);
	permissions_free(&policy->permissions);
	config_free(&policy->set);
	json_decref(policy->deny_globs);
	json_decref(policy->caches);
	root_list_free(&policy->words);
	root_list_free(&policy->host_sources);
	hosts_free(&policy->allowed_hosts);
	root_list_free(&policy->passing);
	root_list_free(&policy->cut_roots);
}
