#include "closed/own_files.h"

#include "base/cleanup.h"
#include "entries/carve_outs.h"
#include "fs/path.h"
#include "policy/slash_tmp.h"
#include "process/sibling.h"
#include "trust/kept_place.h"
#include "trust/settings_home.h"

#include <sys/stat.h>
#include <unistd.h>

/* A carve-out on a writable root itself would lose against the root. */
static int refuse_root(const struct workbench *bench, const char *path, const char *what,
                       struct error *err)
{
	if (!bench_writable(bench, path) || bench_is_private(bench, path))
		return 0;
	return error_set(err, EXIT_INPUT, "own-directory",
	                 "\"%s\": holds the %s, so it cannot be a writable root", path, what);
}

/* A directory whose path is canonical. */
static int protect_programs(struct workbench *bench, const char *path, struct error *err)
{
	static const char what[] = "sbx programs";

	make_read_only(bench, path, what);
	return refuse_root(bench, path, what, err);
}

static int protect_settings(struct workbench *bench, const char *path, struct error *err)
{
	static const char what[] = "sbx configuration";
	struct trail trail;
	int status;

	status = protect_trail(bench, &trail, "/", path, what, err);
	if (status == 0 && trail.target) {
		make_read_only(bench, path, what);
		status = refuse_root(bench, trail.target, what, err);
	}
	trail_free(&trail);
	return status;
}

/* The user's file may be a link to a place that is writable otherwise. */
static int protect_settings_file(struct workbench *bench, const char *home, struct error *err)
{
	cleanup_free char *path = path_join(home, "config.toml");
	struct stat st;
	struct trail trail;
	int status;

	if (lstat(path, &st) < 0 || !S_ISLNK(st.st_mode))
		return 0;
	status = protect_trail(bench, &trail, "/", path, "sbx configuration", err);
	trail_free(&trail);
	return status;
}

/* What other workspaces have for /tmp is theirs. */
static int refuse_places(const struct workbench *bench, struct error *err)
{
	for (size_t i = 0; i < bench->policy->permissions.count; i++) {
		const struct entry *entry = &bench->policy->permissions.entries[i];

		if (entry->access == ACCESS_WRITE && inside_tmp_place(entry->path))
			return error_set(err, EXIT_INPUT, "own-directory",
			                 "\"%s\": holds private directories of sbx, so it cannot "
			                 "be a writable root",
			                 entry->path);
	}
	return 0;
}

/*
 * What is kept from run to run, in a home that can be written: what a command leaves
 * there must not look like ours.  It is made, so that nobody else does.
 */
static int protect_kept(struct workbench *bench, struct error *err)
{
	static const char what[] = "sbx state";
	struct error none = {0};
	cleanup_free char *named = kept_place();
	cleanup_free char *kept = named ? path_canonical(named, &none) : NULL;
	bool open = kept && bench_writable(bench, kept) && !bench_is_private(bench, kept);
	struct trail trail;

	if (!named)
		return 0;
	/* A link on the way that a command turns would lead the next run to what it planted. */
	if (protect_trail(bench, &trail, "/", named, what, &none) < 0)
		none = (struct error){0};
	trail_free(&trail);
	if (!open || kept_make(kept) < 0)
		return 0;
	make_read_only(bench, kept, what);
	return refuse_root(bench, kept, what, err);
}

int protect_own(struct workbench *bench, struct error *err)
{
	/* One from each of the two directories of an installation. */
	static const char *const programs[] = {"sbx-run", "sbx-linux-sandbox"};
	cleanup_free char *here = program_directory(err);
	cleanup_free char *home = settings_home();

	if (!here || refuse_places(bench, err) < 0 || protect_programs(bench, here, err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		struct error none = {0};
		cleanup_free char *path = path_join(here, programs[i]);
		cleanup_free char *other = NULL;
		cleanup_free char *directory = NULL;

		/* The first place that a sibling is looked for. */
		if (access(path, X_OK) == 0)
			continue;
		other = sibling_path(programs[i], &none);
		directory = other ? path_parent(other) : NULL;
		if (directory && protect_programs(bench, directory, err) < 0)
			return -1;
	}
	if (protect_kept(bench, err) < 0)
		return -1;
	if (home &&
	    (protect_settings(bench, home, err) < 0 || protect_settings_file(bench, home, err) < 0))
		return -1;
	return 0;
}
