#include "apply/apply.h"

#include "apply/judge.h"
#include "apply/stage.h"
#include "apply/stage_place.h"
#include "apply/steps.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/complain.h"
#include "base/memory.h"
#include "base/strings.h"
#include "document/journal.h"
#include "document/osstring.h"
#include "fs/fd_path.h"
#include "fs/path.h"
#include "linux/confine.h"
#include "policy/protected_names.h"
#include "tmp/stale_tmp.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define PATIENCE_MS 600000

static const char prefix[] = ".sbx-apply-";

/* ---- which changes ------------------------------------------------------------------- */

static bool is_named(char *const *paths, const char *path)
{
	for (; *paths; paths++)
		if (path_contains(*paths, path))
			return true;
	return false;
}

/* A directory on the way to a wanted change, which has to be made for it, or keeps its times. */
static bool is_on_the_way(const struct apply *a, const struct change *c)
{
	for (char *const *path = a->paths; *path; path++)
		if (path_contains(c->path, *path))
			return c->has && S_ISDIR(c->now.st_mode);
	return false;
}

static bool is_wanted(const struct apply *a, const struct change *c)
{
	return !a->paths[0] || is_named(a->paths, c->path) || is_on_the_way(a, c);
}

/* A name that was mistyped is not a change that was made. */
static int expect_changes(const struct apply *a, struct error *err)
{
	for (char *const *path = a->paths; *path; path++) {
		bool found = false;

		for (size_t i = 0; i < a->changes->count && !found; i++)
			found = path_contains(*path, a->changes->items[i].path) &&
			        a->changes->items[i].kind != CHANGE_SAME;
		if (!found)
			return error_set(err, EXIT_INPUT, "preview",
			                 "\"%s\": nothing has changed there; nothing was changed",
			                 *path);
	}
	return 0;
}

static void choose(const struct apply *a)
{
	struct changes *all = a->changes;
	size_t kept = 0;

	for (size_t i = 0; i < all->count; i++) {
		struct change *c = &all->items[i];

		if (is_wanted(a, c) && !is_left_out(c))
			all->items[kept++] = *c;
		else
			free(c->path);
	}
	all->count = kept;
}

static int judge_all(const struct apply *a, struct error *err)
{
	const struct judges judges = {.then = a->then, .now = a->now};

	for (size_t i = 0; i < a->changes->count; i++) {
		const struct change *c = &a->changes->items[i];
		const char *why = judge(&judges, a->changes, c);

		if (why)
			return error_set(err, EXIT_DENIED, "preview",
			                 "\"%s\": %s; nothing was changed (name the paths to apply "
			                 "without it)",
			                 c->path, why);
		if (c->conflict && !a->force)
			return error_set(err, EXIT_INPUT, "preview",
			                 "\"%s\": %s; nothing was changed (--force applies all the "
			                 "same)",
			                 c->path, c->conflict);
	}
	return 0;
}

static bool is_needed(const struct changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		if (changes->items[i].kind != CHANGE_SAME)
			return true;
	return false;
}

/* ---- stages ---------------------------------------------------------------------------- */

static int note(const struct journal *journal, json_t *line, struct error *err)
{
	int status = journal_add(journal, line, err);

	json_decref(line);
	return status;
}

static json_t *times_json(const struct stat *st)
{
	return xjson(json_pack("[I,I,I,I]", (json_int_t)(st ? st->st_atim.tv_sec : 0),
	                       (json_int_t)(st ? st->st_atim.tv_nsec : UTIME_OMIT),
	                       (json_int_t)(st ? st->st_mtim.tv_sec : 0),
	                       (json_int_t)(st ? st->st_mtim.tv_nsec : UTIME_OMIT)));
}

/* The root itself, which changes by a stage in it; NULL: it is elsewhere. */
static const struct change *changed_by_stage(const struct apply *a, size_t root, const char *stage)
{
	const char *lower = a->state->roots[root].lower;

	return path_contains(lower, stage) ? changes_find(a->changes, lower) : NULL;
}

/* The times of the root are those that it gets when the stage is no more. */
static json_t *stage_line(const struct apply *a, size_t root, const char *stage)
{
	const struct change *c = changed_by_stage(a, root, stage);

	return xjson(json_pack("{s:o,s:o,s:o}", "staged", os_string(stage), "made",
	                       times_json(c ? &c->now : NULL), "undone",
	                       times_json(c ? &c->was : NULL)));
}

/* What is made in it has the attributes of its preview, none by the directory it is made in. */
static int forget_acl(int parent, const char *stage)
{
	cleanup_close int fd =
	        openat(parent, stage, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return -1;
	return fremovexattr(fd, "system.posix_acl_default") < 0 && errno != ENODATA &&
	                       errno != ENOTSUP
	               ? -1
	               : 0;
}

/* One that other commands may reach is no way to what they may not write. */
static int expect_unprotected(const struct apply *a, size_t root, struct error *err)
{
	for (size_t i = 0; i < a->changes->count; i++) {
		const struct change *c = &a->changes->items[i];

		if (c->root == root && c->kind != CHANGE_SAME && inside_protected_name(c->path))
			return error_set(err, EXIT_UNAVAILABLE, "preview",
			                 "\"%s\": the file system of \"%s\" has no place outside "
			                 "of it for a change of a protected name; nothing was "
			                 "changed",
			                 c->path, a->state->roots[root].lower);
	}
	return 0;
}

/*
 * Nothing is read in a stage by whoever may only read where it is made: it is called by
 * chance, in a directory that cannot be listed.
 */
static char *name_by_chance(const char *directory)
{
	uint64_t chance[2];

	if (getrandom(chance, sizeof(chance), 0) != (ssize_t)sizeof(chance))
		return NULL;
	return xasprintf("%s/%016" PRIx64 "%016" PRIx64, directory, chance[0], chance[1]);
}

static int make_unlisted(int place, const char *outer, const char *inner)
{
	cleanup_close int fd = -1;

	if (forget_acl(place, outer) < 0)
		return -1;
	fd = openat(place, outer, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 || mkdirat(fd, inner, 0700) < 0 ? -1 : fchmod(fd, 0300);
}

static char *stage_name(const struct apply *a, size_t root)
{
	const char *id = strrchr(a->state->path, '/') + 1;

	return root ? xasprintf("%s%s-%zu", prefix, id, root) : xasprintf("%s%s", prefix, id);
}

static int make_stage(const struct apply *a, const struct journal *journal, size_t root,
                      char **stage, struct error *err)
{
	const char *lower = a->state->roots[root].lower;
	cleanup_free char *place = stage_place(a->place, lower);
	cleanup_close int fd = open_without_links(place);
	cleanup_free char *name = stage_name(a, root);
	cleanup_free char *path = path_below(place, name);
	cleanup_free char *inner = NULL;
	struct stat st;

	if (fd < 0)
		return error_system(err, "\"%s\"", place);
	if (strcmp(place, lower) == 0 && expect_unprotected(a, root, err) < 0)
		return -1;
	/* Of that name already: somebody else's, which must not go with the stage. */
	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return error_set(err, EXIT_INPUT, "preview",
		                 "\"%s\": is in the way; nothing was changed", path);
	if (note(journal, stage_line(a, root, path), err) < 0)
		return -1;
	inner = name_by_chance(path);
	if (!inner || mkdirat(fd, name, 0700) < 0)
		return error_system(err, "\"%s\"", path);
	*stage = keep_ptr(inner);
	return make_unlisted(fd, name, strrchr(*stage, '/') + 1) < 0
	               ? error_system(err, "\"%s\"", path)
	               : 0;
}

/* The root has then the times that the preview gave it, or as before. */
static void remove_stage(const char *stage, const struct timespec times[2])
{
	cleanup_free char *lower = path_parent(stage);
	cleanup_close int fd = open_without_links(lower);
	const char *name = strrchr(stage, '/') + 1;

	if (fd < 0 || strncmp(name, prefix, strlen(prefix)) != 0)
		return;
	tree_remove(fd, name, now_ms() + PATIENCE_MS);
	if (utimensat(fd, ".", times, 0) < 0)
		errno = 0;
}

/* ---- making them ------------------------------------------------------------------------- */

static int note_steps(const struct journal *journal, const struct steps *steps, struct error *err)
{
	for (size_t i = 0; i < steps->count; i++)
		if (note(journal, step_json(&steps->items[i]), err) < 0)
			return -1;
	if (note(journal, xjson(json_pack("{s:b}", "changing", 1)), err) < 0)
		return -1;
	return fsync(journal->fd) < 0 ? error_system(err, "the journal") : 0;
}

/* The stages go at the end, wherever they are. */
static int confine(const struct apply *a, char *const *stages, struct error *err)
{
	struct strings all = {0}, emptied = {0};
	int status;

	for (size_t i = 0; i < a->state->count; i++) {
		cleanup_free char *stage = path_parent(stages[i]);

		strings_add(&all, xstrdup(a->state->roots[i].lower));
		strings_add(&all, xstrdup(stage));
		strings_add(&emptied, path_parent(stage));
	}
	status = confine_to(all.items, emptied.items, a->place, CONFINED_TO_TREES, err);
	strings_free(&all);
	strings_free(&emptied);
	return status;
}

static int make(const struct apply *a, const struct journal *journal, char **stages,
                enum undone *undone, struct error *err)
{
	struct steps steps = {0};
	int status = 0;

	*undone = UNDONE;
	for (size_t i = 0; status == 0 && i < a->state->count; i++)
		status = make_stage(a, journal, i, &stages[i], err);
	if (status == 0)
		status = confine(a, stages, err);
	if (status == 0)
		status = steps_plan(a->state, a->changes, stages, &steps, err);
	if (status == 0)
		status = note_steps(journal, &steps, err);
	if (status == 0) {
		status = steps_do(&steps, err);
		if (status == 0)
			status = note(journal, xjson(json_pack("{s:b}", "done", 1)), err);
		if (status < 0)
			*undone = steps_undo(&steps);
	}
	steps_free(&steps);
	return status;
}

static void end_stages(const struct apply *a, char **stages, bool done, bool keep)
{
	for (size_t i = 0; i < a->state->count && stages[i]; i++) {
		cleanup_free char *stage = path_parent(stages[i]);
		const struct change *c = changed_by_stage(a, i, stages[i]);
		const struct stat *st = c ? (done ? &c->now : &c->was) : NULL;
		const struct timespec times[2] = {
		        st ? st->st_atim : (struct timespec){.tv_nsec = UTIME_OMIT},
		        st ? st->st_mtim : (struct timespec){.tv_nsec = UTIME_OMIT}};

		if (!keep)
			remove_stage(stage, times);
		free(stages[i]);
	}
}

/*
 * Directories that the command closed, open for as long as something is copied out of
 * them; what they are is known by now.  Parents first, and closed again children first.
 */
static void open_uppers(const struct apply *a, bool open)
{
	for (size_t n = a->changes->count, k = 0; k < n; k++) {
		const struct change *c = &a->changes->items[open ? k : n - 1 - k];
		cleanup_close int fd = -1;

		if (!c->has || !S_ISDIR(c->now.st_mode) ||
		    (c->now.st_mode & (S_IRUSR | S_IXUSR)) == (S_IRUSR | S_IXUSR))
			continue;
		fd = path_open_beneath(a->state->roots[c->root].upper, below_upper(a->state, c),
		                       O_PATH | O_DIRECTORY | O_NOFOLLOW);
		if (fd >= 0 && fd_chmod(fd, (c->now.st_mode & 07777) | (open ? S_IRWXU : 0)) < 0)
			errno = 0;
	}
}

int apply(const struct apply *a, struct error *err)
{
	cleanup_free char **stages = xcalloc(a->state->count + 1, sizeof(*stages));
	struct journal journal;
	enum undone undone;
	int status;

	if (expect_changes(a, err) < 0)
		return -1;
	choose(a);
	if (judge_all(a, err) < 0)
		return -1;
	if (!is_needed(a->changes))
		return 0;
	if (journal_begin(&journal, a->journals, err) < 0)
		return -1;
	open_uppers(a, true);
	status = make(a, &journal, stages, &undone, err);
	open_uppers(a, false);
	end_stages(a, stages, status == 0, undone != UNDONE);
	/* Otherwise the next one tries again. */
	if (undone != NOT_UNDONE)
		journal_end(&journal);
	return status;
}

/* ---- after a kill ------------------------------------------------------------------------- */

static long long number(const json_t *list, size_t i)
{
	return json_integer_value(json_array_get(list, i));
}

static void end_stage(const json_t *line, bool done)
{
	struct error none = {0};
	cleanup_free char *stage = os_string_get(json_object_get(line, "staged"), "staged", &none);
	const json_t *list = json_object_get(line, done ? "made" : "undone");
	const struct timespec times[2] = {{(time_t)number(list, 0), (long)number(list, 1)},
	                                  {(time_t)number(list, 2), (long)number(list, 3)}};

	if (stage && path_is_normal(stage))
		remove_stage(stage, times);
}

static enum undone undo_lines(const json_t *lines, bool done)
{
	struct steps steps = {0};
	bool changing = false;
	enum undone undone = UNDONE;

	for (size_t i = 0; i < json_array_size(lines); i++) {
		const json_t *line = json_array_get(lines, i);
		struct step step;

		changing |= json_object_get(line, "changing") != NULL;
		if (json_object_get(line, "do") && step_get(line, &step) == 0)
			steps_add(&steps, step);
	}
	if (changing && !done)
		undone = steps_undo(&steps);
	steps_free(&steps);
	return undone;
}

static bool recover_lines(const json_t *lines, bool done)
{
	enum undone undone = undo_lines(lines, done);

	for (size_t i = 0; undone == UNDONE && i < json_array_size(lines); i++)
		if (json_object_get(json_array_get(lines, i), "staged"))
			end_stage(json_array_get(lines, i), done);
	return undone != NOT_UNDONE;
}

void apply_recover(int journals)
{
	journal_recover(journals, recover_lines);
}
