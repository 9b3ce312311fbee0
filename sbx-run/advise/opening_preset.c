#include "advise/opening_preset.h"

#include "base/memory.h"
#include "fs/followed_path.h"
#include "fs/path.h"
#include "git/repository.h"
#include "grant/presets.h"

#include <stdlib.h>
#include <string.h>

void opened_free(struct opened_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].path);
	free(list->items);
	*list = (struct opened_list){0};
}

static void keep_path(void *context, const struct preset_path *found)
{
	struct opened_list *list = context;
	struct error none = {0};
	struct trail trail;

	if (trail_follow(&trail, found->base, found->path[0] ? found->path : ".", &none) == 0 &&
	    (found->access == ACCESS_READ || !trail.stopped || found->new || found->bare)) {
		list->items = xrealloc_array(list->items, list->count + 1, sizeof(*list->items));
		list->items[list->count++] =
		        (struct opened){found->preset, xstrdup(trail.target), found->access};
	}
	trail_free(&trail);
}

static void expand(struct opened_list *list, const char *workspace)
{
	struct repository repository = {0};
	struct notes notes = {0};
	struct preset_place place = {workspace, &repository, &notes};
	const char *name, *last = "";

	list->expanded = true;
	if (!workspace)
		return;
	repository_find(&repository, workspace);
	for (size_t i = 0; (name = preset_name(i)) != NULL; i++) {
		struct error none = {0};

		/* The lines of a preset stand together. */
		if (strcmp(name, last) != 0)
			preset_expand(name, &place, keep_path, list, &none);
		last = name;
	}
	repository_free(&repository);
	notes_free(&notes);
}

/* What the preset says of the path: its most specific entry. */
static const struct opened *entry_of(const struct opened_list *list, const char *preset,
                                     const char *path)
{
	const struct opened *best = NULL;

	for (size_t i = 0; i < list->count; i++) {
		const struct opened *o = &list->items[i];

		if (strcmp(o->preset, preset) == 0 && path_contains(o->path, path) &&
		    (!best || path_depth(o->path) > path_depth(best->path) ||
		     (strcmp(o->path, best->path) == 0 && o->access > best->access)))
			best = o;
	}
	return best;
}

/* "flag --allow NAME", or the place in a file that says so. */
static bool is_in_force(const struct opened_list *list, const char *preset)
{
	size_t i;
	json_t *root;

	json_array_foreach (list->sources, i, root) {
		const char *source = json_string_value(json_object_get(root, "source"));
		const char *word = source ? strstr(source, "allow ") : NULL;

		if (word && strcmp(word + strlen("allow "), preset) == 0)
			return true;
	}
	return false;
}

const char *opened_by(struct opened_list *list, const char *workspace, const char *path)
{
	const char *chosen = NULL;
	size_t depth = 0;

	if (!list->expanded)
		expand(list, workspace);
	for (size_t i = 0; i < list->count; i++) {
		const struct opened *o = entry_of(list, list->items[i].preset, path);

		if (o && o->access == ACCESS_WRITE && !is_in_force(list, o->preset) &&
		    (!chosen || path_depth(o->path) > depth)) {
			chosen = o->preset;
			depth = path_depth(o->path);
		}
	}
	return chosen;
}
