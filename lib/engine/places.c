#include "engine/places.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "engine/top_level.h"
#include "fs/path.h"
#include "policy/slash_tmp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct planner {
	const struct permissions *given;
	struct permissions all; /* given, with what keeps names, and the top level */
	struct places *places;
	char *tmp; /* the private one, or NULL */
};

static int refuse(struct error *err, const char *path, const char *why)
{
	return error_set(err, EXIT_UNAVAILABLE, "engine", "\"%s\": %s", path, why);
}

static enum access around(const struct permissions *permissions, const char *path)
{
	cleanup_free char *parent = path_parent(path);

	return permissions_resolve(permissions, parent, NULL);
}

static bool in_private_tmp(const struct planner *planner, const char *path)
{
	return planner->tmp && tmp_decides(planner->given, planner->tmp, path);
}

/* As the helper does it: a directory that is mounted cannot be renamed. */
static void keep_names(struct planner *planner)
{
	for (size_t i = 0; i < planner->given->count; i++) {
		const struct entry *entry = &planner->given->entries[i];
		cleanup_free char *at = path_parent(entry->path);
		const struct entry *which;

		while (entry->access != ACCESS_WRITE && at[1] &&
		       permissions_resolve(planner->given, at, &which) == ACCESS_WRITE &&
		       !in_private_tmp(planner, at)) {
			char *up = path_parent(at);

			planner->places->pins |= strcmp(which->path, at) != 0;
			permissions_add(&planner->all, at, ACCESS_WRITE);
			free(at);
			at = up;
		}
	}
}

/* The outermost mount that can be written and has the path in it. */
static const char *root_of(const struct places *places, const char *path)
{
	for (size_t i = 0; i < places->count; i++)
		if (places->items[i].kind == PLACE_WRITE &&
		    strcmp(places->items[i].path, path) != 0 &&
		    path_contains(places->items[i].path, path))
			return places->items[i].path;
	return NULL;
}

static void add(struct planner *planner, enum place_kind kind, size_t i, const struct stat *st)
{
	struct places *places = planner->places;
	const char *path = planner->all.entries[i].path;
	const char *root = root_of(places, path);

	list_add(places->items, places->count,
	         (struct place){
	                 .kind = kind,
	                 .path = xstrdup(path),
	                 .root = root,
	                 .directory = S_ISDIR(st->st_mode),
	                 .reopened = kind == PLACE_HIDE && permissions_reopen(&planner->all, i),
	         });
}

/* The kernel's own: an engine makes its own, and nobody writes into the host's. */
static int check_kernel_files(const struct entry *entry, struct error *err)
{
	static const char *const own[] = {"/proc", "/dev", "/sys"};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (entry->access == ACCESS_WRITE &&
		    (path_contains(own[i], entry->path) || path_contains(entry->path, own[i])))
			return refuse(err, entry->path,
			              "has files of the kernel, which no engine gives to write");
	if (entry->access == ACCESS_NONE &&
	    (path_contains("/proc", entry->path) || path_contains("/dev", entry->path)))
		return refuse(err, entry->path, "cannot be hidden: the engine makes it anew");
	return 0;
}

/*
 * 1: there; 0: nothing there; -1: it, or the way to it, is not what the policy says.
 * Where the command may write it could open what is closed to us now.
 */
static int look(const char *path, enum access outside, struct stat *st, struct error *err)
{
	cleanup_free char *parent = path_parent(path);
	cleanup_free char *real = NULL;

	if (lstat(path, st) < 0) {
		if (errno == ENOENT || errno == ENOTDIR ||
		    (errno == EACCES && outside != ACCESS_WRITE))
			return 0;
		return error_system(err, "looking at \"%s\"", path);
	}
	real = realpath(parent, NULL);
	if (!real)
		return error_system(err, "looking at \"%s\"", path);
	if (strcmp(real, parent) != 0)
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "\"%s\": goes through a symbolic link; the policy needs the real "
		                 "path",
		                 path);
	return 1;
}

static int plan_link(struct planner *planner, const struct entry *entry, struct error *err)
{
	if (entry->access == ACCESS_WRITE)
		return error_set(err, EXIT_INPUT, "bad-policy",
		                 "\"%s\": is a symbolic link; a writable root needs the real path",
		                 entry->path);
	if (around(&planner->all, entry->path) == ACCESS_WRITE)
		strings_add(&planner->places->renamed, xstrdup(entry->path));
	return 0;
}

static int plan_present(struct planner *planner, size_t i, const struct stat *st, struct error *err)
{
	const struct entry *entry = &planner->all.entries[i];
	enum access outside = around(&planner->all, entry->path);

	if (S_ISLNK(st->st_mode))
		return plan_link(planner, entry, err);
	switch (entry->access) {
	case ACCESS_WRITE:
		add(planner, PLACE_WRITE, i, st);
		break;
	case ACCESS_READ:
		if (outside != ACCESS_READ || path_depth(entry->path) == 1)
			add(planner, PLACE_READ, i, st);
		break;
	case ACCESS_NONE:
		if (outside != ACCESS_NONE ||
		    (planner->places->all_readable && permissions_reopen(&planner->all, i)))
			add(planner, PLACE_HIDE, i, st);
		break;
	}
	return 0;
}

static int plan_entry(struct planner *planner, size_t i, struct error *err)
{
	static const struct stat directory = {.st_mode = S_IFDIR};
	const struct entry *entry = &planner->all.entries[i];
	cleanup_free char *parent = path_parent(entry->path);
	enum access outside = around(&planner->all, entry->path);
	struct stat st;
	int there;

	if (planner->tmp && strcmp(entry->path, planner->tmp) == 0) {
		add(planner, PLACE_TMP, i, &directory);
		return 0;
	}
	if (in_private_tmp(planner, entry->path))
		return 0;
	if (check_kernel_files(entry, err) < 0)
		return -1;
	if (path_contains("/proc", entry->path) || path_contains("/dev", entry->path))
		return 0;
	there = look(entry->path, outside, &st, err);
	if (there > 0)
		return plan_present(planner, i, &st, err);
	/*
	 * Nothing can be mounted where nothing is: an engine would make it in the host's files.
	 * What is hidden and missing the command could make as well, and read when another did.
	 */
	if (there == 0 && entry->access != ACCESS_WRITE && outside == ACCESS_WRITE &&
	    !in_private_tmp(planner, parent))
		strings_add(&planner->places->missing, xstrdup(entry->path));
	return there;
}

/* Each directory of the top level on its own: no engine mounts something on /. */
static int plan_root(struct planner *planner, struct error *err)
{
	enum access root = permissions_resolve(planner->given, "/", NULL);

	if (root == ACCESS_WRITE)
		return refuse(err, "/", "no engine gives all files to write; name the directories");
	planner->places->all_readable = root == ACCESS_READ;
	return top_level_add(&planner->all, root == ACCESS_READ, &planner->places->links, err);
}

int places_plan(const json_t *policy, const struct permissions *permissions, struct places *places,
                struct error *err)
{
	struct planner planner = {.given = permissions, .places = places};
	int status = 0;

	memset(places, 0, sizeof(*places));
	planner.tmp = tmp_is_private(policy) ? slash_tmp() : NULL;
	places->tmp = planner.tmp && permissions_find(permissions, planner.tmp);
	for (size_t i = 0; i < permissions->count; i++)
		permissions_add(&planner.all, permissions->entries[i].path,
		                permissions->entries[i].access);
	keep_names(&planner);
	status = plan_root(&planner, err);
	for (size_t i = 0; status == 0 && i < planner.all.count; i++)
		if (planner.all.entries[i].path[1])
			status = plan_entry(&planner, i, err);
	free(planner.tmp);
	permissions_free(&planner.all);
	if (status < 0)
		places_free(places);
	return status;
}

void places_free(struct places *places)
{
	for (size_t i = 0; i < places->count; i++)
		free(places->items[i].path);
	free(places->items);
	strings_free(&places->links);
	strings_free(&places->missing);
	strings_free(&places->renamed);
	memset(places, 0, sizeof(*places));
}
