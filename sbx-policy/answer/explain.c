#include "answer/explain.h"

#include "answer/policy_member.h"
#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/fold.h"
#include "base/memory.h"
#include "config/config.h"
#include "document/osstring.h"
#include "fs/home_sign.h"
#include "fs/path.h"
#include "policy/environment.h"
#include "policy/loads_code.h"
#include "policy/words.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* With it, values and usual sources fit into 80 columns. */
#define NAME_WIDTH 34

struct paper {
	FILE *out;
	bool colour;
	unsigned columns; /* 0: no terminal */
};

static const char *const access_colours[] = {
        [ACCESS_READ] = "\033[33m", [ACCESS_WRITE] = "\033[32m", [ACCESS_NONE] = "\033[31m"};

/* On a terminal "~" stands for the home directory; a program gets whole paths. */
static char *shown(const struct paper *paper, const char *text)
{
	cleanup_free char *path = paper->columns ? home_sign_path(text) : NULL;

	return fold_shown(path ? path : text);
}

/* The name alone, and the rest below it: both cannot stand in one row of the terminal. */
static void two_rows(const struct paper *paper, int indent, const char *name, const char *value,
                     const char *source)
{
	struct fold fold = {.out = paper->out, .columns = paper->columns, .end = "\n", .hang = 4};
	cleanup_free char *head = xasprintf("%*s", indent, "");
	cleanup_free char *below = xasprintf("%*s", indent + 4, "");
	cleanup_free char *rest = xasprintf("%s  %s", value, source);

	fold_ready(&fold, head, name);
	fold_ready(&fold, below, rest);
}

static void line(const struct paper *paper, int indent, const char *name, const char *colour,
                 const char *value, const char *source)
{
	cleanup_free char *clean = shown(paper, name);
	cleanup_free char *clean_value = fold_shown(value);
	cleanup_free char *clean_source = shown(paper, source);
	int width = NAME_WIDTH - indent;
	cleanup_free char *plain =
	        xasprintf("%*s%-*s %-18s %s", indent, "", width, clean, clean_value, clean_source);

	/* Without colours; a byte is a column at most. */
	if (paper->columns > 0 && strlen(plain) >= paper->columns) {
		two_rows(paper, indent, clean, clean_value, clean_source);
		return;
	}
	fprintf(paper->out, "%*s%-*s %s%-18s%s %s%s%s\n", indent, "", width, clean,
	        paper->colour && colour ? colour : "", clean_value,
	        paper->colour && colour ? "\033[0m" : "", paper->colour ? "\033[2m" : "",
	        clean_source, paper->colour ? "\033[0m" : "");
}

static const char *source_in(const struct policy *policy, const char *key)
{
	struct from from = {.source = "default"};
	const json_t *value =
	        config_get(policy->settings->config, &from, "shell_environment_policy", key);

	/* Each of the variables that are set may come from elsewhere. */
	return json_is_object(value) ? "shell_environment_policy.set" : from.source;
}

static void entries(const struct paper *paper, const struct policy *policy)
{
	const struct permissions *permissions = &policy->permissions;

	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		const struct origin *origin = policy_origin(policy, entry->path);
		int depth = 0;

		/* Each entry above this one indents it by one step. */
		for (size_t k = 0; k < i; k++)
			depth += path_contains(permissions->entries[k].path, entry->path);
		line(paper, 2 + 2 * depth, entry->path, access_colours[entry->access],
		     access_names[entry->access], origin ? origin->source : "");
	}
}

/* The set, and what its author says it is for. */
static void set_lines(const struct paper *paper, const struct policy *policy)
{
	const struct settings *settings = policy->settings;
	struct from from = {.source = ""};
	const char *text = json_string_value(config_get(&policy->set, &from, "description"));

	line(paper, 0, "permissions", NULL, settings->set.name, settings->set.source);
	if (text)
		line(paper, 2, text, NULL, "", from.source);
}

/* What the command's environment loses, and what the policy gives it. */
static int environment(const struct paper *paper, const struct policy *policy, struct error *err)
{
	extern char **environ;
	cleanup_json json_t *member = policy_member(policy);
	const json_t *rules = json_object_get(member, "shell_environment_policy");
	json_t *set = json_object_get(rules, "set");
	bool sandboxed = policy->settings->mode.value == MODE_READ_ONLY ||
	                 policy->settings->mode.value == MODE_WORKSPACE_WRITE;
	cleanup_vector char **left = environment_copy(environ);
	const char *name;
	json_t *value;

	if (environment_apply_policy(&left, rules, sandboxed && !LOADERS_PASS, err) < 0)
		return -1;
	fprintf(paper->out, "environment\n");
	line(paper, 2, "inherit", NULL, json_string_value(json_object_get(rules, "inherit")),
	     source_in(policy, "inherit"));
	json_object_foreach (set, name, value) {
		line(paper, 2, name, access_colours[ACCESS_WRITE], "set", source_in(policy, "set"));
	}
	for (char **variable = environ; *variable; variable++) {
		size_t len = strcspn(*variable, "=");
		cleanup_free char *word = xstrndup(*variable, len);
		bool kept = false;

		for (size_t i = 0; left[i] && !kept; i++)
			kept = strncmp(left[i], *variable, len + 1) == 0;
		if (!kept && len > 0)
			line(paper, 2, word, access_colours[ACCESS_NONE], "dropped",
			     sandboxed && !LOADERS_PASS && loader_variable(word, len)
			             ? "names code to load or run"
			     : environment_secret(word, len) ? "default excludes"
			                                     : "shell_environment_policy");
	}
	return 0;
}

static void cut(const struct paper *paper, const struct policy *policy)
{
	for (size_t i = 0; i < json_array_size(policy->deny_globs); i++)
		line(paper, 2, json_string_value(json_array_get(policy->deny_globs, i)),
		     access_colours[ACCESS_NONE], "none", "pattern");
	for (size_t i = 0; i < policy->cut_roots.count; i++) {
		cleanup_free char *root = text_clean(policy->cut_roots.paths[i]);

		fprintf(paper->out,
		        "The search for repositories in %s was cut short; there may be more.\n",
		        root);
	}
}

static void trust(const struct paper *paper, const struct trust *trust)
{
	static const char *const words[] = {[CONTENT_NONE] = NULL,
	                                    [CONTENT_UNSEEN] = "not looked at",
	                                    [CONTENT_CHANGED] = "changed",
	                                    [CONTENT_SEEN] = "as trusted"};
	cleanup_free char *path = path_join(trust->path, ".codex/config.toml");

	line(paper, 0, "trust", NULL, trust_names[trust->level], trust->source);
	if (trust->lent)
		line(paper, 2, "of the main checkout", NULL, "lent", trust->path);
	if (words[trust->content])
		line(paper, 2, "project file", NULL, words[trust->content], path);
}

static void limits(const struct paper *paper, const struct policy *policy)
{
	for (int i = 0; i < LIMIT_COUNT; i++) {
		cleanup_free char *name = xasprintf("limit %s", limit_names[i]);
		cleanup_free char *most = limit_text((enum limit)i, policy->limits.most[i]);

		if (policy->limits.most[i])
			line(paper, 0, name, NULL, most, policy->limit_sources[i]);
	}
}

int explain_policy(const struct policy *policy, FILE *out, struct error *err)
{
	const struct settings *settings = policy->settings;
	const char *no_colour = getenv("NO_COLOR");
	struct paper paper = {out, isatty(fileno(out)) && !(no_colour && no_colour[0]),
	                      fold_columns(fileno(out))};
	const json_t *features = json_object_get(settings->config->values, "features");
	const char *name;
	json_t *value;

	if (settings->set.name)
		set_lines(&paper, policy);
	else
		line(&paper, 0, "sandbox", NULL, mode_names[settings->mode.value],
		     settings->mode.source);
	line(&paper, 0, "approval", NULL, approval_names[settings->approval.value],
	     settings->approval.source);
	line(&paper, 0, "network", NULL, network_names[policy->permissions.network],
	     policy->network_source);
	if (policy->permissions.network_name)
		line(&paper, 2, "shared as", NULL,
		     policy->permissions.network_name[0] == ':' ? "the session's"
		                                                : policy->permissions.network_name,
		     policy->network_name_source);
	for (size_t i = 0; i < policy->permissions.hosts.count; i++) {
		cleanup_free char *text = host_rule_text(&policy->permissions.hosts.rules[i]);

		line(&paper, 2, "host", NULL, text, policy->host_sources.paths[i]);
	}
	for (char *const *socket = policy->permissions.unix_sockets; socket && *socket; socket++)
		line(&paper, 0, "unix_socket", NULL, *socket, policy->sockets_source);
	line(&paper, 0, "tmp", NULL, tmp_names[policy->tmp_private ? TMP_PRIVATE : TMP_SHARED],
	     policy->tmp_source);
	limits(&paper, policy);
	trust(&paper, &settings->trust);
	line(&paper, 0, "bwrap", NULL, bwrap_names[settings->bwrap.value], settings->bwrap.source);
	line(&paper, 0, "nested", NULL, settings->nested.value ? "true" : "false",
	     settings->nested.source);
	fprintf(out, "files\n");
	entries(&paper, policy);
	cut(&paper, policy);
	if (environment(&paper, policy, err) < 0)
		return -1;
	if (json_object_size(features) > 0)
		fprintf(out, "features\n");
	json_object_foreach (json_object_get(settings->config->values, "features"), name, value) {
		struct from from;

		config_get(settings->config, &from, "features", name);
		line(&paper, 2, name, NULL, json_is_true(value) ? "true" : "false", from.source);
	}
	if (fflush(out) == EOF || ferror(out))
		return error_system(err, "writing the policy");
	return 0;
}
