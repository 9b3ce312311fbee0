#include "resolve/narrowed.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"
#include "git/repository.h"
#include "policy/protected_names.h"

#include <string.h>
#include <sys/stat.h>

static const char source[] = "flag --narrow";

/* Not even a person opens these so: that takes an --add-dir. */
static bool is_protected(const char *path)
{
	for (size_t i = 0; protected_names[i]; i++)
		if (path_has(path, protected_names[i]))
			return true;
	return inside_git_directory(path);
}

/* Canonical, to be freed; NULL: no directory, so nothing of it is writable. */
static char *directory_of(struct workbench *bench, const char *given)
{
	struct error why = {0};
	char *path = given[0] == '/' ? path_canonical(given, &why) : NULL;
	struct stat st;

	if (path && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return path;
	if (given[0])
		notes_add(bench->notes,
		          "--narrow \"%s\": no directory, by its absolute path; "
		          "it leaves nothing writable",
		          given);
	free(path);
	return NULL;
}

void narrow_roots(struct workbench *bench)
{
	const struct root_list *given = &bench->policy->settings->narrowed;
	const char *workspace = bench->policy->workspace;

	bench->narrows = given->count > 0;
	for (size_t i = 0; i < given->count; i++) {
		cleanup_free char *path = directory_of(bench, given->paths[i]);

		if (!path)
			continue;
		if (path_contains(path, workspace))
			bench->narrows = false;
		else if (path_contains(workspace, path) && bench_writable(bench, path) &&
		         !is_protected(path))
			root_list_add(&bench->narrowed, path);
	}
	for (size_t i = 0; bench->narrows && i < bench->narrowed.count; i++)
		policy_add(bench->policy, bench->narrowed.paths[i], ACCESS_WRITE, source, false);
}

static bool stays(const struct workbench *bench, const char *path)
{
	for (size_t i = 0; i < bench->narrowed.count; i++)
		if (path_contains(bench->narrowed.paths[i], path))
			return true;
	return false;
}

void narrow_workspace(struct workbench *bench)
{
	struct policy *policy = bench->policy;

	if (!bench->narrows)
		return;
	for (size_t i = 0; i < policy->permissions.count; i++) {
		const struct entry *entry = &policy->permissions.entries[i];

		if (entry->access == ACCESS_WRITE &&
		    path_contains(policy->workspace, entry->path) && !stays(bench, entry->path))
			policy_withdraw(policy, entry->path);
	}
	/* A root around the workspace leaves it as well. */
	if (bench_writable(bench, policy->workspace))
		policy_add(policy, policy->workspace, ACCESS_READ, source, false);
}
