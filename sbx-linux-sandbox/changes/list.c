#include "changes/list.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "changes/runs_later.h"
#include "changes/same_content.h"
#include "document/osstring.h"
#include "fs/path.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* How many different warnings are kept apart. */
#define REASONS_MAX 20

static const char *type_of(mode_t mode)
{
	return S_ISREG(mode)    ? "file"
	       : S_ISDIR(mode)  ? "directory"
	       : S_ISLNK(mode)  ? "link"
	       : S_ISFIFO(mode) ? "fifo"
	       : S_ISSOCK(mode) ? "socket"
	                        : "device";
}

static bool binary(const struct state *state, const struct change *c)
{
	const struct state_root *root = &state->roots[c->root];
	const char *host = c->path + strlen(root->lower);
	cleanup_close int fd = c->has ? path_open_beneath(root->upper, below_upper(state, c),
	                                                  O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
	                              : path_open_beneath(root->host, host + (*host == '/'),
	                                                  O_RDONLY | O_NOFOLLOW | O_NONBLOCK);

	return fd >= 0 && is_binary(fd);
}

static void add_mode(json_t *item, const char *name, mode_t mode)
{
	char text[16];

	snprintf(text, sizeof(text), "%04o", mode & 07777);
	json_object_set_new(item, name, json_string(text));
}

/* Where a link leads now; in the text, not by following it. */
static void add_target(json_t *item, const struct state *state, const struct change *c)
{
	cleanup_free char *target = c->has && S_ISLNK(c->now.st_mode) ? link_text(state, c) : NULL;

	if (target)
		json_object_set_new(item, "target", os_string(target));
}

static json_t *item_json(const struct state *state, const struct change *c, const char *warning)
{
	mode_t mode = c->has ? c->now.st_mode : c->was.st_mode;
	json_t *item = xjson(json_pack("{s:s,s:o,s:s}", "kind",
	                               c->from ? "renamed" : change_names[c->kind], "path",
	                               os_string(c->path), "type", type_of(mode)));

	if (c->has && S_ISREG(mode))
		json_object_set_new(item, "size", json_integer(c->now.st_size));
	if (c->had && S_ISREG(c->was.st_mode))
		json_object_set_new(item, "old_size", json_integer(c->was.st_size));
	if (c->has && !S_ISLNK(mode))
		add_mode(item, "mode", c->now.st_mode);
	if (c->had && c->has && c->was.st_mode != c->now.st_mode && !S_ISLNK(c->was.st_mode))
		add_mode(item, "old_mode", c->was.st_mode);
	if (c->kind == CHANGE_TYPE)
		json_object_set_new(item, "old_type", json_string(type_of(c->was.st_mode)));
	if (c->from)
		json_object_set_new(item, "from", os_string(c->from->path));
	if (S_ISREG(mode))
		json_object_set_new(item, "binary", json_boolean(binary(state, c)));
	add_target(item, state, c);
	if (warning)
		json_object_set_new(item, "warning", json_string(warning));
	if (c->conflict)
		json_object_set_new(item, "conflict", json_string(c->conflict));
	return item;
}

/* How many of a reason are in a list that is cut. */
struct reason {
	const char *why;
	size_t count;
};

struct listed {
	size_t plain, told, warned;
	bool times; /* nothing else has changed */
	struct reason reasons[REASONS_MAX];
};

/*
 * A list that is too long has all kinds of what is warned of: ten thousand recipes do not
 * hide one hook.
 */
static bool has_room(struct listed *listed, const char *warning)
{
	size_t i = 0;

	if (!warning)
		return listed->plain++ < LIST_MAX / 2;
	listed->warned++;
	while (i < REASONS_MAX - 1 && listed->reasons[i].why &&
	       strcmp(listed->reasons[i].why, warning) != 0)
		i++;
	listed->reasons[i].why = warning;
	return listed->reasons[i].count++ < LIST_MAX / 2 / REASONS_MAX;
}

/*
 * That a file has another time matters to nobody who reads a list of changes; where it is all
 * that the command did, as touch does it, it is what is there to be applied.
 */
static bool is_listed(const struct listed *listed, const struct change *c)
{
	return listed->times ? c->kind == CHANGE_TIMES : change_is_told(c);
}

static void count_told(struct listed *listed, const struct changes *changes)
{
	for (int i = 0; i < 2 && listed->told == 0; i++) {
		listed->times = i > 0;
		for (size_t k = 0; k < changes->count; k++)
			listed->told += is_listed(listed, &changes->items[k]);
	}
}

json_t *changes_json(const struct state *state, const struct changes *changes)
{
	json_t *list = xjson(json_array());
	json_int_t added = 0, deleted = 0;
	struct listed listed = {0};
	bool cut;

	count_told(&listed, changes);
	cut = listed.told > LIST_MAX;
	for (size_t i = 0; i < changes->count; i++) {
		const struct change *c = &changes->items[i];
		const char *warning;

		if (!is_listed(&listed, c))
			continue;
		added += c->kind == CHANGE_ADDED;
		deleted += c->kind == CHANGE_DELETED;
		warning = runs_later(state, changes, c);
		if (has_room(&listed, warning) || !cut)
			json_array_append_new(list, item_json(state, c, warning));
	}
	return xjson(json_pack("{s:o,s:I,s:I,s:I,s:I,s:b}", "list", list, "added", added, "deleted",
	                       deleted, "changed", (json_int_t)listed.told - added - deleted,
	                       "warned", (json_int_t)listed.warned, "cut", cut));
}
