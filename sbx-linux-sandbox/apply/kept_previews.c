#include "apply/kept_previews.h"

#include "apply/apply.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/memory.h"
#include "changes/diff.h"
#include "changes/list.h"
#include "changes/record.h"
#include "changes/renames.h"
#include "document/json_pool.h"
#include "document/stage.h"
#include "fs/take_turns.h"
#include "repositories/left_in_git.h"
#include "repositories/made_repository.h"
#include "repositories/planted_head.h"
#include "tmp/private_tmp.h"
#include "tmp/stale_tmp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TURN_MS     60000
#define PATIENCE_MS 600000

struct visit {
	int place, journals;
	const char *id;
	struct state state;
	struct changes changes;
	char **paths;
};

static int open_place(struct visit *v, const char *path, struct error *err)
{
	v->place = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (v->place < 0 || private_directory(v->place) < 0)
		return error_system(err, "\"%s\"", path);
	v->journals = private_enter(v->place, "journals");
	return v->journals < 0 ? error_system(err, "\"%s/journals\"", path) : 0;
}

static int open_state(struct visit *v, const char *place, struct error *err)
{
	cleanup_free char *path = xasprintf("%s/%s", place, v->id);

	if (state_open(path, &v->state, err) < 0 || scan(&v->state, &v->changes, err) < 0 ||
	    record_compare(&v->state, &v->changes, err) < 0)
		return -1;
	renames_find(&v->state, &v->changes);
	return 0;
}

static int print_changes(const struct visit *v, struct error *err)
{
	cleanup_json json_t *all = changes_json(&v->state, &v->changes);
	cleanup_free char *text = xjson(json_text_dump(all, JSON_COMPACT));

	return puts(text) < 0 || fflush(stdout) != 0 ? error_system(err, "writing") : 0;
}

/* ---- apply --------------------------------------------------------------------- */

static int read_policies(struct permissions *then, struct permissions *now, struct error *err)
{
	cleanup_json json_t *both = json_loadf(stdin, JSON_REJECT_DUPLICATES, NULL);

	if (!both)
		return error_set(err, EXIT_INPUT, "bad-policy", "no policy to apply changes under");
	if (permissions_get(json_object_get(both, "then"), then, err) < 0)
		return -1;
	return permissions_get(json_object_get(both, "now"), now, err);
}

/* What a run would have put right at its end is put right here. */
struct afterwards {
	struct git_parts git;
	struct bare_roots bare;
	struct plain_roots plain;
};

static int look_before(const struct permissions *now, struct afterwards *after, struct error *err)
{
	if (git_parts_find(now, &after->git, err) < 0 ||
	    bare_roots_find(now, &after->bare, err) < 0)
		return -1;
	return plain_roots_find(now, NULL, &after->plain, err);
}

static void put_right(struct afterwards *after)
{
	git_parts_clean(&after->git);
	bare_roots_restore(&after->bare);
	plain_roots_restore(&after->plain);
}

static void discard(struct visit *v)
{
	cleanup_free char *other = tree_take_away(v->place, v->id);

	if (other)
		tree_remove(v->place, other, now_ms() + PATIENCE_MS);
}

static bool anything_left(struct visit *v)
{
	struct error none = {0};
	bool left = false;

	changes_free(&v->changes);
	if (scan(&v->state, &v->changes, &none) < 0)
		return true;
	for (size_t i = 0; i < v->changes.count; i++)
		left |= v->changes.items[i].kind != CHANGE_SAME;
	return left;
}

static int apply_changes(struct visit *v, bool force, struct error *err)
{
	struct permissions then = {0}, now = {0};
	struct afterwards after = {0};
	const struct apply what = {.state = &v->state,
	                           .changes = &v->changes,
	                           .then = &then,
	                           .now = &now,
	                           .paths = v->paths,
	                           .force = force,
	                           .place = v->place,
	                           .journals = v->journals};
	int status;

	if (read_policies(&then, &now, err) < 0)
		status = -1;
	else
		status = look_before(&now, &after, err) < 0 ? -1 : apply(&what, err);
	put_right(&after);
	if (status == 0 && (!v->paths[0] || !anything_left(v)))
		discard(v);
	permissions_free(&then);
	permissions_free(&now);
	return status;
}

/* ---- */

static int visit(struct visit *v, const char *verb, const char *place, struct error *err)
{
	cleanup_close int turn = -1;

	if (open_place(v, place, err) < 0)
		return -1;
	turn = lock_take(v->place, "turn", TURN_MS, err);
	if (turn < 0)
		return -1;
	apply_recover(v->journals);
	if (strcmp(verb, "recover") == 0)
		return 0;
	if (strcmp(verb, "discard") == 0) {
		cleanup_free char *path = xasprintf("%s/%s", place, v->id);
		struct error why = {0};

		if (state_open(path, &v->state, &why) < 0 && strcmp(why.code, "locked") == 0) {
			*err = why;
			return -1;
		}
		discard(v);
		return 0;
	}
	if (open_state(v, place, err) < 0)
		return -1;
	if (strcmp(verb, "changes") == 0)
		return print_changes(v, err);
	if (strcmp(verb, "diff") == 0)
		return changes_diff(&v->state, &v->changes, v->paths, err);
	return apply_changes(v, strcmp(verb, "force") == 0, err);
}

int kept_previews_main(char **words)
{
	static const char *const verbs[] = {"changes", "diff",    "apply", "force",
	                                    "discard", "recover", NULL};
	struct visit v = {.place = -1, .journals = -1, .state = {.fd = -1}};
	struct error err = {0};
	size_t count = 0;
	int status;

	while (words[count])
		count++;
	if (count < 2 || !word_among(words[0], verbs) ||
	    (count < 3 && strcmp(words[0], "recover") != 0))
		return 2;
	v.id = words[2];
	v.paths = count > 3 ? words + 3 : words + count;
	status = visit(&v, words[0], words[1], &err);
	changes_free(&v.changes);
	state_close(&v.state);
	if (v.journals >= 0)
		close(v.journals);
	if (v.place >= 0)
		close(v.place);
	return status < 0 ? stage_fail(&err) : 0;
}
