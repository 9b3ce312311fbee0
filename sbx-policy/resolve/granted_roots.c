#include "resolve/granted_roots.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "config/workspace.h"
#include "fs/path.h"
#include "git/repository.h"
#include "resolve/temporary_directories.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* A file is shared by machines that do not all have every directory. */
static bool is_missing(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 && errno == ENOENT;
}

/* What opens something that is no directory; "" when that is not why it failed. */
static const char *what_helps(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0 || S_ISDIR(st.st_mode))
		return "";
	return S_ISCHR(st.st_mode) ? "; --allow device:NAME opens a device"
	       : S_ISREG(st.st_mode)
	               ? "; name the directory that holds it, or the file in a permission set"
	               : "";
}

int grant_roots(struct workbench *bench, const struct root_list *roots, const char *what,
                struct error *err)
{
	for (size_t i = 0; i < roots->count; i++) {
		struct error why = {0};
		cleanup_free char *path = directory_canonical(roots->paths[i], what, &why);

		if (!path && roots->layer != LAYER_FLAG && is_missing(roots->paths[i])) {
			notes_add(bench->notes, "%s: %s; not made writable", roots->source,
			          why.message);
			continue;
		}
		if (!path)
			return roots->layer == LAYER_FLAG
			               ? error_set(err, why.exit, why.code, "%s%s", why.message,
			                           what_helps(roots->paths[i]))
			               : error_set(err, why.exit, why.code, "%s: %s", roots->source,
			                           why.message);
		if (path_depth(path) == 0)
			return error_set(
			        err, EXIT_INPUT, "bad-root",
			        "%s: \"/\": the whole file system; that is danger-full-access",
			        what);
		policy_add(bench->policy, path, ACCESS_WRITE, roots->source, true);
		if (strcmp(path, roots->paths[i]) != 0)
			bench_pin_links(bench, roots->paths[i], roots->source);
	}
	return 0;
}

/* A bare repository itself is one that somebody works in; see protect_bare(). */
static bool inside_repository_files(const char *path)
{
	cleanup_free char *parent = path_parent(path);

	return path_has(path, ".git") || inside_git_directory(parent);
}

int grant_workspace(struct workbench *bench, struct error *err)
{
	if (path_depth(bench->policy->workspace) == 0)
		return error_set(
		        err, EXIT_INPUT, "bad-workspace",
		        "workspace: \"/\": the whole file system would be writable; name a "
		        "directory with -C, or use danger-full-access");
	/*
	 * In a repository's own files the default may not do what the protected
	 * names exist to prevent; only a person who names the place may.
	 */
	if (inside_repository_files(bench->policy->workspace)) {
		if (!bench_writable(bench, bench->policy->workspace))
			notes_add(
			        bench->notes,
			        "workspace: \"%s\": inside a repository's own files; not made writable "
			        "(--add-dir would)",
			        bench->policy->workspace);
		return 0;
	}
	policy_add(bench->policy, bench->policy->workspace, ACCESS_WRITE, "workspace", false);
	return 0;
}

int grant_mode(struct workbench *bench, struct error *err)
{
	const struct settings *settings = bench->policy->settings;

	policy_add(bench->policy, "/", ACCESS_READ, settings->mode.source, false);
	if (grant_roots(bench, &settings->writable_roots, "writable root", err) < 0 ||
	    grant_roots(bench, &settings->kept, "--remember", err) < 0 ||
	    grant_roots(bench, &settings->added, "--add-dir", err) < 0 ||
	    grant_workspace(bench, err) < 0)
		return -1;
	if (!settings->exclude_slash_tmp.value)
		grant_slash_tmp(bench, "/tmp");
	if (!settings->exclude_tmpdir.value)
		bench->tmpdir = "environment TMPDIR";
	return 0;
}
