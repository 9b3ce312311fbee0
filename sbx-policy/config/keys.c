#include "config/keys.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "typed/nearest_word.h"
#include "config/known_keys.h"
#include "hosts/host_rule.h"
#include "policy/loads_code.h"
#include "policy/resource_limits.h"
#include "policy/words.h"

#include <string.h>
#include <strings.h>

/* toml_limits_default.depth and the keys of -c stay far below. */
#define DEPTH_MAX 128

struct walk {
	const struct layer_text *layer;
	struct notes *notes;
	struct error *err;
	const char *path[DEPTH_MAX + 1]; /* NULL-terminated */
	size_t depth;
	size_t base; /* where the path of the table above begins: in a profile, 2 */
};

static enum where where_of(enum layer layer)
{
	return layer == LAYER_PROJECT ? PROJECT : layer == LAYER_MANAGED ? MANAGED : USER;
}

static char *dotted(const struct walk *walk)
{
	char *name = xstrdup(walk->path[0]);

	for (size_t i = 1; i < walk->depth; i++) {
		char *longer = xasprintf("%s.%s", name, walk->path[i]);

		free(name);
		name = longer;
	}
	return name;
}

/* "file:line" of the key being looked at, or the flag. */
static char *source_of(const struct walk *walk)
{
	struct toml_place place;

	if (walk->layer->document && toml_find(walk->layer->document, walk->path, &place))
		return xasprintf("%s:%u", walk->layer->name, place.line);
	return xstrdup(walk->layer->name);
}

static int wrong(const struct walk *walk, const char *expected, const json_t *found)
{
	cleanup_free char *name = dotted(walk);
	struct toml_place place;
	const char *text = json_string_value(found);
	cleanup_free char *shown = text ? xasprintf("\"%s\"", text) : xstrdup(toml_type(found));

	if (walk->layer->document && toml_find(walk->layer->document, walk->path, &place))
		return error_set(walk->err, EXIT_INPUT, "bad-config",
		                 "%s:%u:%u: %s: expected %s, found %s", walk->layer->name,
		                 place.line, place.column, name, expected, shown);
	/* A flag is named by its key, a file that was read in other words by its path. */
	if (walk->layer->layer == LAYER_MANAGED)
		return error_set(walk->err, EXIT_INPUT, "bad-config",
		                 "%s: %s: expected %s, found %s", walk->layer->name, name, expected,
		                 shown);
	return error_set(walk->err, EXIT_INPUT, "bad-config", "%s: expected %s, found %s", name,
	                 expected, shown);
}

static bool is_table(const json_t *value)
{
	return json_is_object(value) && strcmp(toml_type(value), "table") == 0;
}

/* TOML can write a NUL; no word, name or path can contain one. */
static bool is_text(const json_t *value)
{
	return json_is_string(value) &&
	       strlen(json_string_value(value)) == json_string_length(value);
}

static bool is_word(const char *const *words, const json_t *value)
{
	return is_text(value) && word_index(words, json_string_value(value)) >= 0;
}

static int check_host(const struct walk *walk, const char *text)
{
	cleanup_free char *source = source_of(walk);
	cleanup_free char *name = dotted(walk);
	struct host_rule rule;
	struct error why = {0};

	if (host_rule_parse(text, &rule, &why) == 0)
		return 0;
	return error_set(walk->err, EXIT_INPUT, "bad-config", "%s: %s: %s", source, name,
	                 why.message);
}

static int check_list(struct walk *walk, const struct key *key, const json_t *value)
{
	cleanup_free char *words = key->words ? words_joined(key->words) : NULL;
	char index[24];

	if (!json_is_array(value))
		return wrong(walk, "a list", value);
	for (size_t i = 0; i < json_array_size(value); i++) {
		const json_t *element = json_array_get(value, i);
		bool good = is_text(element);
		int status = 0;

		snprintf(index, sizeof(index), "%zu", i);
		walk->path[walk->depth++] = index;
		walk->path[walk->depth] = NULL;
		if (key->type == WORDS && !is_word(key->words, element))
			status = wrong(walk, words, element);
		else if (key->type == PATHS &&
		         !(good && (json_string_value(element)[0] == '/' ||
		                    strncmp(json_string_value(element), "~/", 2) == 0)))
			status = wrong(walk, "an absolute path", element);
		else if (key->type == ROOTS && !(good && json_string_value(element)[0]))
			status = wrong(walk, "a path", element);
		else if (!good)
			status = wrong(walk, "a string", element);
		else if (key->type == HOSTS)
			status = check_host(walk, json_string_value(element));
		walk->path[--walk->depth] = NULL;
		if (status < 0)
			return -1;
	}
	return 0;
}

/* {granular = {...}}: each class of question may be asked, or is refused unasked. */
static int check_granular(const struct walk *walk, json_t *value)
{
	json_t *classes = json_object_get(value, "granular");
	const char *name;
	json_t *truth;

	if (!is_table(classes) || json_object_size(value) != 1)
		return wrong(walk, "a word, or {granular = {...}}", value);
	json_object_foreach (classes, name, truth)
		if (word_index(granular_names, name) < 0 || !json_is_boolean(truth))
			return wrong(walk,
			             "granular: sandbox_approval, rules, mcp_elicitations, "
			             "request_permissions and skill_approval, true or false",
			             truth);
	return 0;
}

/* Names of variables have no case where it matters, so neither have two patterns. */
static int check_filters(const struct walk *walk, json_t *value)
{
	static const char *const words[] = {"include", "exclude", NULL};
	const char *pattern, *other;
	json_t *word, *ignored;

	if (!is_table(value))
		return wrong(walk, "a table", value);
	json_object_foreach (value, pattern, word) {
		if (!is_word(words, word))
			return wrong(walk, "PATTERN = \"include\" or \"exclude\"", word);
		json_object_foreach (value, other, ignored)
			if (pattern != other && strcasecmp(pattern, other) == 0)
				return wrong(walk, "each pattern once, in whatever case", word);
	}
	return 0;
}

static int check_limit(const struct walk *walk, const json_t *value)
{
	int limit = word_index(limit_names, walk->path[walk->depth - 1]);
	cleanup_free char *source = source_of(walk);
	cleanup_free char *name = dotted(walk);
	struct error why = {0};
	int64_t most;

	if (limit_value((enum limit)limit, value, &most, &why) == 0)
		return 0;
	return error_set(walk->err, EXIT_INPUT, "bad-config", "%s: %s: %s", source, name,
	                 why.message);
}

static int check(struct walk *walk, const struct key *key, json_t *value)
{
	cleanup_free char *words = key->words ? words_joined(key->words) : NULL;

	switch (key->type) {
	case WORD:
		return is_word(key->words, value) ? 0 : wrong(walk, words, value);
	case NETWORK:
		return is_table(value) || is_word(key->words, value) ? 0
		                                                     : wrong(walk, words, value);
	case ASKING:
		return is_table(value)              ? check_granular(walk, value)
		       : is_word(key->words, value) ? 0
		                                    : wrong(walk, words, value);
	case FILTERS:
		return check_filters(walk, value);
	case FEATURE:
		return json_is_boolean(value) || is_table(value)
		               ? 0
		               : wrong(walk, "true, false or a table", value);
	case LIMIT:
		return check_limit(walk, value);
	case TRUTH:
		return json_is_boolean(value) ? 0 : wrong(walk, "true or false", value);
	case TEXT:
	case NAME:
		return is_text(value) ? 0 : wrong(walk, "a string", value);
	case TABLE:
		return is_table(value) ? 0 : wrong(walk, "a table", value);
	case TEXTS:
	case WORDS:
	case PATHS:
	case ROOTS:
	case HOSTS:
		return check_list(walk, key, value);
	}
	return -1;
}

/* 1: the pattern is this path; 0: it begins with this path; -1: neither. */
static int compare(const char *pattern, const struct walk *walk)
{
	for (size_t i = walk->base; i < walk->depth; i++) {
		size_t len = strcspn(pattern, ".");

		if (len == 0 ||
		    !((len == 1 && pattern[0] == '*') ||
		      (strlen(walk->path[i]) == len && strncmp(pattern, walk->path[i], len) == 0)))
			return -1;
		pattern += len + (pattern[len] == '.');
	}
	return *pattern == '\0';
}

/* Keys of codex that are nothing to us, although they look like ours spelled wrong. */
static const char *const of_codex[] = {"hooks", "notice", "notify", "tools", "apps", NULL};

/*
 * A file may be another program's as well, and newer than we are; what somebody
 * typed for this run was meant to hold.
 */
static int refuse_typed(const struct walk *walk, const char *name, const struct nearest *nearest)
{
	if (walk->layer->layer != LAYER_OVERRIDE)
		return 0;
	return error_set(walk->err, EXIT_INPUT, "bad-config", "-c %s: unknown key%s%.*s%s", name,
	                 nearest->word ? "; did you mean \"" : "", (int)nearest->len,
	                 nearest->word ? nearest->word : "", nearest->word ? "\"?" : "");
}

/* The option for what somebody types as a key: "network=on" would otherwise mean nothing. */
static const char *option_for(const struct walk *walk)
{
	static const char *const keys[][2] = {
	        {"add_dir", "--add-dir"},
	        {"allow", "--allow"},
	        {"allow_host", "--allow-host"},
	        {"approval", "--ask-for-approval"},
	        {"auto", "--auto"},
	        {"cwd", "--cd"},
	        {"env", "--env"},
	        {"full_auto", "--auto"},
	        {"hide", "--hide"},
	        {"hosts", "--allow-host"},
	        {"limit", "--limit"},
	        {"network", "--network"},
	        {"sandbox", "--sandbox"},
	        {"timeout", "--timeout"},
	        {"tmp", "--tmp"},
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (walk->layer->layer == LAYER_OVERRIDE && walk->depth == 1 &&
		    strcmp(walk->path[0], keys[i][0]) == 0)
			return keys[i][1];
	return NULL;
}

static int note_unknown(struct walk *walk)
{
	cleanup_free char *source = source_of(walk);
	cleanup_free char *name = dotted(walk);
	const char *last = walk->path[walk->depth - 1];
	struct nearest nearest = nearest_begin(last);

	if (walk->depth == walk->base + 1 && word_index(of_codex, last) >= 0)
		return 0;
	if (option_for(walk))
		return error_set(walk->err, EXIT_INPUT, "bad-config",
		                 "-c %s: unknown key; did you mean %s?", name, option_for(walk));
	/* Its neighbours: the keys that the path would lead to with another last word. */
	walk->depth--;
	for (size_t i = 0; i < known_key_count; i++) {
		const char *p = known_keys[i].path;

		if (compare(p, walk) != 0)
			continue;
		for (size_t k = walk->base; k < walk->depth; k++)
			p = strchr(p, '.') + 1;
		if (strcspn(p, ".") != strlen(last) || strncmp(p, last, strlen(last)) != 0)
			nearest_try(&nearest, p, strcspn(p, "."));
	}
	if (walk->depth == 0)
		nearest_try(&nearest, "profiles", 8);
	walk->depth++;
	/* A program that we know nothing about has its own keys beside ours; in ours, it has none.
	 */
	if (!nearest.word && walk->depth <= walk->base + 1)
		return 0;
	if (refuse_typed(walk, name, &nearest) < 0)
		return -1;
	if (nearest.word)
		notes_add(walk->notes, "%s: \"%s\": unknown key, ignored; did you mean \"%.*s\"?",
		          source, name, (int)nearest.len, nearest.word);
	else
		notes_add(walk->notes, "%s: \"%s\": unknown key, ignored", source, name);
	return 0;
}

static json_t *origin_here(const struct walk *walk)
{
	cleanup_free char *source = source_of(walk);

	return config_origin(walk->layer->layer, source);
}

/* A table that is judged later: every value in it gets its origin now. */
static json_t *origins_below(struct walk *walk, json_t *value)
{
	json_t *origins, *below;
	const char *key;

	if (!is_table(value) || walk->depth >= DEPTH_MAX)
		return origin_here(walk);
	origins = xjson(json_object());
	json_object_foreach (value, key, below) {
		walk->path[walk->depth++] = key;
		walk->path[walk->depth] = NULL;
		json_object_set_new(origins, key, origins_below(walk, below));
		walk->path[--walk->depth] = NULL;
	}
	return origins;
}

/* A project may not turn a program that runs into another one. */
static bool is_for_this_layer(struct walk *walk, const struct key *key)
{
	cleanup_free char *source = NULL;
	cleanup_free char *name = NULL;
	bool loads =
	        walk->layer->layer == LAYER_PROJECT &&
	        strcmp(key->path, "shell_environment_policy.set.*") == 0 &&
	        loader_variable(walk->path[walk->depth - 1], strlen(walk->path[walk->depth - 1]));

	if ((key->where & where_of(walk->layer->layer)) && !loads)
		return true;
	source = source_of(walk);
	name = dotted(walk);
	notes_add(walk->notes, "%s: \"%s\": ignored: %s", source, name,
	          walk->layer->layer == LAYER_PROJECT ? "a project cannot set this"
	                                              : "only the managed configuration sets this");
	return false;
}

static int take_table(struct walk *walk, json_t *table, json_t *values, json_t *origins);

static int take(struct walk *walk, json_t *value, json_t *values, json_t *origins)
{
	const char *name = walk->path[walk->depth - 1];
	bool inner = false;
	json_t *below, *below_origins;
	int status;

	/* A profile is a configuration again, without profiles. */
	if (walk->base == 0 && walk->depth == 2 && strcmp(walk->path[0], "profiles") == 0) {
		walk->base = 2;
		inner = true;
	} else if (walk->base == 0 && walk->depth == 1 && strcmp(name, "profiles") == 0) {
		inner = true;
	}
	for (size_t i = 0; !inner && i < known_key_count; i++) {
		int how = compare(known_keys[i].path, walk);

		if (how == 0)
			inner = true;
		if (how != 1 || (known_keys[i].type == NAME && is_table(value)))
			continue;
		if (!is_for_this_layer(walk, &known_keys[i]))
			return 0;
		if (check(walk, &known_keys[i], value) < 0)
			return -1;
		json_object_set_new(values, name, xjson(json_deep_copy(value)));
		json_object_set_new(origins, name,
		                    known_keys[i].type == ASKING ? origin_here(walk)
		                                                 : origins_below(walk, value));
		return 0;
	}
	if (!inner && strcmp(walk->path[0], "requirements") == 0 &&
	    walk->layer->layer == LAYER_MANAGED)
		return wrong(walk, "a requirement that is known here", value);
	if (!inner)
		return note_unknown(walk);
	if (!is_table(value))
		return wrong(walk, "a table", value);
	below = xjson(json_object());
	below_origins = xjson(json_object());
	status = take_table(walk, value, below, below_origins);
	json_object_set_new(values, name, below);
	json_object_set_new(origins, name, below_origins);
	if (walk->base == 2 && walk->depth == 2)
		walk->base = 0;
	return status;
}

static int take_table(struct walk *walk, json_t *table, json_t *values, json_t *origins)
{
	const char *key;
	json_t *value;

	json_object_foreach (table, key, value) {
		int status;

		if (walk->depth >= DEPTH_MAX - 1)
			return error_set(walk->err, EXIT_INPUT, "bad-config", "%s: nested too deep",
			                 walk->layer->name);
		walk->path[walk->depth++] = key;
		walk->path[walk->depth] = NULL;
		status = take(walk, value, values, origins);
		walk->path[--walk->depth] = NULL;
		if (status < 0)
			return -1;
	}
	return 0;
}

int keys_take(const struct layer_text *layer, json_t *table, struct config *out,
              struct notes *notes, struct error *err)
{
	struct walk walk = {.layer = layer, .notes = notes, .err = err};

	return take_table(&walk, table, out->values, out->origins);
}
