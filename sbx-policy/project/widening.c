#include "project/widening.h"

#include "base/memory.h"
#include "document/json_list.h"
#include "document/json_pool.h"
#include "policy/resource_limits.h"
#include "policy/words.h"

#include <stdbool.h>
#include <string.h>

/* Deeper tables than a project needs are wider without a look at them. */
#define DEPTH_MAX 32

/* How two values of a key compare; `without` is what holds without the file, or NULL. */
enum order {
	HARMLESS,   /* no value widens */
	ASKING,     /* an approval policy; without a value it is on-request */
	INHERITING, /* none, core or all; without a value it is all */
	TRUE_WIDER, /* true is wider; without a value it is false */
	TRUE_LESS,  /* the other way round */
	FEWER,      /* a list that names nothing new */
	MORE,       /* a list that leaves nothing out */
	LESS,       /* a limit: as much as holds without, or less */
	FILTER,     /* a list that names nothing new, where an empty one names everything */
	BOUNDS,     /* the mode or the permission set: see is_wider_bound() */
	SAME,       /* undecided: only what is there already */
};

static const struct row {
	const char *key; /* "*" is any one; a key stands for all that is below it */
	enum order order;
	const char *reason;
} rows[] = {
        {"approval_policy", ASKING,
         "who is asked less often decides less; \"never\" lets patches, destructive commands and, "
         "with full access, everything run unasked.  An answer is the user's own act, so to ask "
         "is never wider"},
        {"sandbox_mode", BOUNDS, "what can be written, and whether anything is held"},
        {"default_permissions", BOUNDS, "the same by another name"},
        {"sandbox_workspace_write.writable_roots", FEWER,
         "a root below the workspace, too, can open a protected name"},
        {"sandbox_workspace_write.network_access", TRUE_WIDER, "the network"},
        {"sandbox_workspace_write.exclude_tmpdir_env_var", TRUE_LESS,
         "false makes $TMPDIR writable"},
        {"sandbox_workspace_write.exclude_slash_tmp", TRUE_LESS, "false makes /tmp writable"},
        {"sandbox_workspace_write.unix_sockets", FEWER, "a service does what it is asked, outside"},
        {"sandbox_workspace_write.hosts", FEWER, "whom the command talks to"},
        {"shell_environment_policy.inherit", INHERITING,
         "variables hold secrets, and the addresses of services"},
        {"shell_environment_policy.ignore_default_excludes", TRUE_WIDER,
         "true hands the secrets on"},
        {"shell_environment_policy.exclude", MORE,
         "a list replaces the user's: what it leaves out is handed on"},
        {"shell_environment_policy.include_only", FILTER,
         "an empty list lets every variable through"},
        {"shell_environment_policy.filters", SAME, "an include, or an exclude that is gone"},
        {"shell_environment_policy.experimental_use_profile", HARMLESS, "not ours"},
        {"approvals_reviewer", HARMLESS, "not ours"},
        {"windows", SAME, "which sandbox holds it there"},
        {"shell_environment_policy.set", SAME,
         "PATH, and the variables of any tool, decide what runs and whom it talks to"},
        {"features", SAME, "a switch means what the version makes of it"},
        {"permissions.*.description", HARMLESS, "for people"},
        {"permissions", SAME,
         "a set merges with the user's of that name, and -P can name it; its entries have no "
         "order"},
        {"limits", LESS, "how much of the machine the command may take"},
        {"sbx.observe", SAME, "off hides what was denied"},
};

struct walk {
	struct widenings *found;
	const struct config *base;
	bool removes;
	const char *path[DEPTH_MAX + 1]; /* NULL-terminated */
	size_t depth;
	size_t first; /* where the key begins: 2 in a profile */
};

/* What holds at the key without the file; in a profile, what the profile says first. */
static const json_t *without(const struct walk *walk, const char *const *key)
{
	const char *inner[DEPTH_MAX + 3] = {walk->path[0], walk->path[1]};
	const json_t *value = NULL;
	size_t count = 0;

	while (key[count])
		count++;
	if (walk->first == 2) {
		memcpy(inner + 2, key, (count + 1) * sizeof(*key));
		value = config_find(walk->base, inner, NULL);
	}
	return value ? value : config_find(walk->base, key, NULL);
}

static bool contains_all(const json_t *list, const json_t *elements)
{
	for (size_t i = 0; i < json_array_size(elements); i++)
		if (!json_list_has(list, json_array_get(elements, i)))
			return false;
	return true;
}

/* The mode that a word of either key means; -1: a set, which no mode compares with. */
static int bound_of(const char *word)
{
	static const char *const sets[] = {":read-only", ":workspace", ":danger-full-access", NULL};
	int mode = word ? word_index(config_mode_names, word) : -1;

	return mode >= 0 || !word ? mode : word_index(sets, word);
}

static bool excludes(const struct walk *walk)
{
	static const char *const keys[] = {"exclude_slash_tmp", "exclude_tmpdir_env_var"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (json_is_true(without(
		            walk, (const char *const[]){"sandbox_workspace_write", keys[i], NULL})))
			return true;
	return false;
}

/*
 * A mode and a set replace each other, whichever layer spoke last: a mode in
 * place of the user's set would undo what the set hides.
 */
static bool is_wider_bound(const struct walk *walk, const json_t *value)
{
	const json_t *set = without(walk, (const char *const[]){"default_permissions", NULL});
	const json_t *mode = without(walk, (const char *const[]){"sandbox_mode", NULL});
	int now = bound_of(json_string_value(value));
	int set_bound = set ? bound_of(json_string_value(set)) : MODE_DANGER;
	int mode_bound = mode ? bound_of(json_string_value(mode)) : MODE_DANGER;

	if (json_equal(value, set ? set : mode) && !(set && mode))
		return false;
	/* A set does not know what the user has excluded from the mode. */
	if (json_string_value(value)[0] == ':' && excludes(walk))
		return true;
	if (!set && !mode)
		return now < 0 || now > MODE_WORKSPACE_WRITE;
	/* Of two in one profile and around it, the stricter. */
	return now < 0 || set_bound < 0 || mode_bound < 0 || now > set_bound || now > mode_bound;
}

/* `words` are in the order of caution. */
static bool is_wider_word(const char *const *words, const char *by_default, const json_t *value,
                          const json_t *old)
{
	int now = word_index(words, json_string_value(value));
	int before = word_index(words, old ? json_string_value(old) : by_default);

	return now < 0 || before < 0 || now > before;
}

/* Where there was no limit, any is one. */
static bool is_more(const char *name, const json_t *value, const json_t *old)
{
	int limit = word_index(limit_names, name);
	struct error ignored = {0};
	int64_t now, before;

	if (!old)
		return false;
	return limit < 0 || limit_value((enum limit)limit, value, &now, &ignored) < 0 ||
	       limit_value((enum limit)limit, old, &before, &ignored) < 0 || now > before;
}

static bool is_wider(const struct walk *walk, const struct row *row, const json_t *value)
{
	static const char *const inherits[] = {"none", "core", "all", NULL};
	const json_t *old = without(walk, walk->path + walk->first);

	switch (row->order) {
	case HARMLESS:
		return false;
	case ASKING:
		return is_wider_word(approval_names, "on-request", value, old);
	case INHERITING:
		return is_wider_word(inherits, "all", value, old);
	case TRUE_WIDER:
		return json_is_true(value) && !json_is_true(old);
	case TRUE_LESS:
		return !json_is_true(value) && json_is_true(old);
	case FEWER:
		return !contains_all(old, value);
	case MORE:
		return !contains_all(value, old);
	case LESS:
		return is_more(walk->path[walk->depth - 1], value, old);
	case FILTER:
		return json_array_size(old) > 0 &&
		       (json_array_size(value) == 0 || !contains_all(old, value));
	case BOUNDS:
		return is_wider_bound(walk, value);
	case SAME:
		break;
	}
	return !old || !json_equal(value, old);
}

/* True when the path is at the key or below it. */
static bool is_at(const char *key, const struct walk *walk)
{
	for (size_t i = walk->first; i < walk->depth && *key; i++) {
		size_t len = strcspn(key, ".");

		if (!(len == 1 && key[0] == '*') &&
		    (strlen(walk->path[i]) != len || strncmp(key, walk->path[i], len) != 0))
			return false;
		key += len + (key[len] == '.');
	}
	return *key == '\0';
}

/* NULL: nobody has thought about this key. */
static const struct row *row_of(const struct walk *walk)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (is_at(rows[i].key, walk))
			return &rows[i];
	return NULL;
}

static void note(struct walk *walk, const json_t *value, const json_t *origin)
{
	struct widenings *found = walk->found;
	char *key = xstrdup(walk->path[0]);

	for (size_t i = 1; i < walk->depth; i++) {
		char *longer = xasprintf("%s.%s", key, walk->path[i]);

		free(key);
		key = longer;
	}
	list_add(found->items, found->count,
	         (struct widening){key, json_text_dump(value, JSON_ENCODE_ANY | JSON_COMPACT),
	                           xstrdup(config_from(origin).source)});
}

static void look(struct walk *walk, json_t *values, json_t *origins);

/* True when nothing is left: a set or a profile of that name is then none. */
static bool judge_table(struct walk *walk, json_t *value, json_t *origin)
{
	bool was_empty = json_object_size(origin) == 0;
	size_t first = walk->first;

	/* A profile is a configuration again. */
	if (first == 0 && walk->depth == 2 && strcmp(walk->path[0], "profiles") == 0)
		walk->first = 2;
	look(walk, value, origin);
	walk->first = first;
	return !was_empty && json_object_size(origin) == 0;
}

/* True when the value is to go.  Leaves are judged: each has a line of its own to show. */
static bool judge(struct walk *walk, json_t *value, json_t *origin)
{
	const struct row *row = row_of(walk);

	if (json_is_object(origin) && walk->depth < DEPTH_MAX)
		return judge_table(walk, value, origin);
	if (row && !json_is_object(origin) && !is_wider(walk, row, value))
		return false;
	note(walk, value, origin);
	return true;
}

static void look(struct walk *walk, json_t *values, json_t *origins)
{
	const char *key;
	json_t *value;
	void *next;

	json_object_foreach_safe(values, next, key, value)
	{
		walk->path[walk->depth++] = key;
		walk->path[walk->depth] = NULL;
		if (judge(walk, value, json_object_get(origins, key)) && walk->removes) {
			json_object_del(origins, key);
			json_object_del(values, key);
		}
		walk->path[--walk->depth] = NULL;
	}
}

void widenings_find(struct widenings *found, const struct config *own, const struct config *base)
{
	struct walk walk = {.found = found, .base = base};

	look(&walk, own->values, own->origins);
}

void widenings_remove(struct widenings *found, struct config *own, const struct config *base)
{
	struct walk walk = {.found = found, .base = base, .removes = true};

	look(&walk, own->values, own->origins);
}

void widenings_free(struct widenings *found)
{
	for (size_t i = 0; i < found->count; i++) {
		free(found->items[i].key);
		free(found->items[i].value);
		free(found->items[i].source);
	}
	free(found->items);
	*found = (struct widenings){0};
}
