#include "config/keys.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/nearest_word.h"
#include "policy/host_rule.h"
#include "policy/loads_code.h"
#include "policy/words.h"

#include <string.h>
#include <strings.h>

enum type {
	WORD,    /* one of `words` */
	TRUTH,   /* true or false */
	TEXT,    /* a string */
	NAME,    /* a string; a table of that name is another key, spelled wrong */
	TEXTS,   /* a list of strings */
	WORDS,   /* a list of `words` */
	PATHS,   /* a list of absolute paths */
	ROOTS,   /* a list of paths, maybe relative to the workspace */
	HOSTS,   /* a list of hosts */
	TABLE,   /* what is in it is judged where it is used */
	NETWORK, /* a word, or a table */
	ASKING,  /* an approval policy: a word, or {granular = {CLASS = true or false}} */
	FILTERS, /* patterns of names, each to include or exclude */
	FEATURE, /* true or false, or a table of its own */
};

/* Which layers a key counts in. */
enum where {
	USER = 1,    /* the user's file, -c, a profile file of the user's */
	PROJECT = 2, /* attacker-controlled text, although a person trusts it */
	MANAGED = 4,
	ANY = USER | PROJECT | MANAGED,
};

static const char *const trust_words[] = {"trusted", "untrusted", NULL};
static const char *const hide_words[] = {"secrets", "gitignored", NULL};
static const char *const inherit_words[] = {"all", "core", "none", NULL};
static const char *const sni_words[] = {"check", "off", NULL};
static const char *const windows_words[] = {"elevated", "unelevated", NULL};
static const char *const reviewer_words[] = {"user", "auto_review", "guardian_subagent", NULL};
static const char *const caches_words[] = {"64M", "256M", "1G", "4G", "16G", "64G", NULL};
static const char *const observe_words[] = {"auto", "on", "off", NULL};

/* "*" is any key. */
static const struct key {
	const char *path;
	enum type type;
	const char *const *words;
	enum where where;
} keys[] = {
        {"approval_policy", ASKING, approval_names, ANY},
        /* Who is asked is decided by --approver, sessions and sbx.approver. */
        {"approvals_reviewer", WORD, reviewer_words, ANY},
        /* Which profile counts when no option names one. */
        {"profile", NAME, NULL, USER | MANAGED},
        {"sandbox_mode", WORD, config_mode_names, ANY},
        {"default_permissions", TEXT, NULL, ANY},
        {"sandbox_workspace_write.writable_roots", ROOTS, NULL, ANY},
        {"sandbox_workspace_write.network_access", TRUTH, NULL, ANY},
        {"sandbox_workspace_write.exclude_tmpdir_env_var", TRUTH, NULL, ANY},
        {"sandbox_workspace_write.exclude_slash_tmp", TRUTH, NULL, ANY},
        {"sandbox_workspace_write.unix_sockets", PATHS, NULL, ANY},
        {"sandbox_workspace_write.hosts", HOSTS, NULL, ANY},
        {"shell_environment_policy.inherit", WORD, inherit_words, ANY},
        {"shell_environment_policy.ignore_default_excludes", TRUTH, NULL, ANY},
        {"shell_environment_policy.exclude", TEXTS, NULL, ANY},
        {"shell_environment_policy.include_only", TEXTS, NULL, ANY},
        {"shell_environment_policy.set.*", TEXT, NULL, ANY},
        {"shell_environment_policy.filters", FILTERS, NULL, ANY},
        {"shell_environment_policy.experimental_use_profile", TRUTH, NULL, ANY},
        {"windows.sandbox", WORD, windows_words, ANY},
        {"windows.sandbox_private_desktop", TRUTH, NULL, ANY},
        {"features.*", FEATURE, NULL, ANY},
        {"permissions.*.description", TEXT, NULL, ANY},
        {"permissions.*.extends", TEXT, NULL, ANY},
        {"permissions.*.filesystem", TABLE, NULL, ANY},
        {"permissions.*.workspace_roots.*", TRUTH, NULL, ANY},
        {"permissions.*.network", NETWORK, network_names, ANY},
        {"permissions.*.unix_sockets", PATHS, NULL, ANY},
        {"permissions.*.hosts", HOSTS, NULL, ANY},
        {"permissions.*.allow", TEXTS, NULL, ANY},
        {"permissions.*.macos", TABLE, NULL, ANY},
        {"hosts.*.allow", HOSTS, NULL, USER | MANAGED},
        {"sbx.observe", WORD, observe_words, ANY},
        /* A disk is the user's. */
        {"sbx.caches.max", WORD, caches_words, USER | MANAGED},
        /* These weaken the sandbox itself, and are no matter of a project. */
        {"sbx.nested", TRUTH, NULL, USER | MANAGED},
        {"sbx.accept_lost", WORDS, accepted_names, USER | MANAGED},
        /* The host's /tmp holds sockets that keys and terminals are reached by. */
        {"sbx.tmp", WORD, tmp_names, USER | MANAGED},
        /* Off, one listed host can stand for all that share its address. */
        {"sbx.network.sni", WORD, sni_words, USER | MANAGED},
        /* These choose, or name, programs that run outside the sandbox. */
        {"sbx.bwrap", WORD, bwrap_names, USER | MANAGED},
        {"sbx.assessor", TABLE, NULL, USER | MANAGED},
        {"sbx.approver", TEXTS, NULL, USER | MANAGED},
        /* A project that could say this would trust itself, or its neighbour. */
        {"projects.*.trust_level", WORD, trust_words, USER | MANAGED},
        {"projects.*.hosts", HOSTS, NULL, USER | MANAGED},
        {"projects.*.sbx_config", TEXT, NULL, USER | MANAGED},
        {"projects.*.sbx_rules", TEXT, NULL, USER | MANAGED},
        {"projects.*.sbx_write", PATHS, NULL, USER | MANAGED},
        {"projects.*.sbx_hide", WORD, hide_words, USER | MANAGED},
        /* What the administrator lets everybody choose from. */
        {"requirements.allowed_sandbox_modes", WORDS, config_mode_names, MANAGED},
        {"requirements.allowed_approval_policies", WORDS, approval_names, MANAGED},
        {"requirements.allowed_permission_profiles.*", TRUTH, NULL, MANAGED},
        {"requirements.deny_read", TEXTS, NULL, MANAGED},
        {"requirements.rules", TEXTS, NULL, MANAGED},
        {"requirements.windows.allowed_sandbox_implementations", WORDS, windows_words, MANAGED},
        {"requirements.allowed_hosts", HOSTS, NULL, MANAGED},
        {"requirements.denied_hosts", HOSTS, NULL, MANAGED},
};

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

static int note_unknown(struct walk *walk)
{
	cleanup_free char *source = source_of(walk);
	cleanup_free char *name = dotted(walk);
	const char *last = walk->path[walk->depth - 1];
	struct nearest nearest = nearest_begin(last);

	if (walk->depth == walk->base + 1 && word_index(of_codex, last) >= 0)
		return 0;
	/* Its neighbours: the keys that the path would lead to with another last word. */
	walk->depth--;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *p = keys[i].path;

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
	for (size_t i = 0; !inner && i < sizeof(keys) / sizeof(keys[0]); i++) {
		int how = compare(keys[i].path, walk);

		if (how == 0)
			inner = true;
		if (how != 1 || (keys[i].type == NAME && is_table(value)))
			continue;
		if (!is_for_this_layer(walk, &keys[i]))
			return 0;
		if (check(walk, &keys[i], value) < 0)
			return -1;
		json_object_set_new(values, name, xjson(json_deep_copy(value)));
		json_object_set_new(origins, name,
		                    keys[i].type == ASKING ? origin_here(walk)
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
