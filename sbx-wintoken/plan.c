#include "plan.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "capability.h"
#include "codex_home.h"
#include "document/document.h"
#include "offline.h"
#include "plan_words.h"
#include "policy/not_windows.h"
#include "policy/words.h"
#include "rules.h"

#include <string.h>

static json_t *words(const char *const *list)
{
	json_t *array = xjson(json_array());

	for (; *list; list++)
		json_array_append_new(array, xjson(json_string(*list)));
	return array;
}
#define WORDS(...) words((const char *const[]){__VA_ARGS__, NULL})

/* [windows] sandbox; or the administrator allows nothing else. */
static bool asks_for_elevated(const json_t *policy)
{
	const json_t *required = json_object_get(policy, "requirements");
	const json_t *allowed = json_object_get(json_object_get(required, "windows"),
	                                        "allowed_sandbox_implementations");
	const char *word =
	        json_string_value(json_object_get(json_object_get(policy, "windows"), "sandbox"));
	bool listed = !allowed;

	for (size_t i = 0; i < json_array_size(allowed); i++) {
		const char *one = json_string_value(json_array_get(allowed, i));

		listed |= one && strcmp(one, "unelevated") == 0;
	}
	return !listed || (word && strcmp(word, "elevated") == 0);
}

const char *plan_level(const json_t *policy)
{
	const json_t *features = json_object_get(policy, "features");

	if (!windows_is_on(policy))
		return PLAN_LEVEL_OFF;
	return json_is_true(json_object_get(features, "elevated_windows_sandbox")) ||
	                       asks_for_elevated(policy)
	               ? PLAN_LEVEL_ELEVATED
	               : PLAN_LEVEL;
}

static json_t *off_plan(void)
{
	return xjson(json_pack("{s:i,s:s,s:[{s:s,s:s,s:s}]}", "sbx_plan", PLAN_VERSION,
	                       "windows_sandbox_level", PLAN_LEVEL_OFF, "lost", "guarantee",
	                       "sandbox", "why",
	                       "features.enable_experimental_windows_sandbox is not true", "cure",
	                       "-c features.enable_experimental_windows_sandbox=true"));
}

/* Capabilities, then the session, then Everyone: without the last two no pipe works. */
static json_t *token(const json_t *sids)
{
	json_t *restricting = xjson(json_array());

	for (size_t i = 0; i < json_array_size(sids); i++)
		json_array_append(restricting, json_object_get(json_array_get(sids, i), "sid"));
	json_array_append_new(restricting, xjson(json_string(PLAN_LOGON)));
	json_array_append_new(restricting, xjson(json_string(PLAN_EVERYONE)));
	return xjson(json_pack("{s:o,s:o,s:o}", "flags", WORDS(PLAN_TOKEN_FLAGS),
	                       "restricting_sids", restricting, "keep_privileges",
	                       WORDS(PLAN_PRIVILEGES)));
}

static const char *sid_of(const json_t *sids, const struct rule *root)
{
	for (size_t i = 0; i < json_array_size(sids); i++) {
		const json_t *one = json_array_get(sids, i);
		const char *path = json_string_value(json_object_get(one, "path"));

		if (path && strcmp(path, root->path.path) == 0)
			return json_string_value(json_object_get(one, "sid"));
	}
	return NULL;
}

static void add_ace(json_t *list, const struct rule *rule, const char *type, const char *sid,
                    const char *if_missing)
{
	json_array_append_new(list,
	                      xjson(json_pack("{s:s,s:s,s:s,s:s}", "path", rule->path.path, "type",
	                                      type, "sid", sid, "if_missing", if_missing)));
}

/* Roots first: a carve-out that has to be made needs the directory above it. */
static json_t *aces(const struct rules *rules, const json_t *sids)
{
	json_t *list = xjson(json_array());

	for (size_t i = 0; i < rules->count; i++)
		if (rules->list[i].is_root)
			add_ace(list, &rules->list[i], "allow", sid_of(sids, &rules->list[i]),
			        "skip");
	for (size_t i = 0; i < rules->count; i++)
		if (rules->list[i].is_carve_out)
			add_ace(list, &rules->list[i], "deny",
			        sid_of(sids, &rules->list[rules->list[i].root - 1]),
			        "make-directory");
	return list;
}

static json_t *assemble(const struct command *command, const struct rules *rules,
                        const struct home *home, struct error *err)
{
	enum network network = rules->keys.network;
	cleanup_json json_t *sids = NULL;
	cleanup_free char *stubs = xasprintf("%s\\stubs", home->state.path);
	struct winpath cwd = {0};
	struct error why = {0};
	json_t *plan;

	if (network == NETWORK_HOSTS) {
		error_set(err, EXIT_UNAVAILABLE, "hosts",
		          "a restricted token cannot hold a network by name");
		return NULL;
	}
	if (winpath_get(command->cwd, &cwd, &why) < 0) {
		error_set(err, why.exit, why.code, "command.cwd: %s", why.message);
		return NULL;
	}
	sids = capability_sids(home->native, rules, rules_root_of(rules, &cwd), err);
	plan = !sids ? NULL
	             : xjson(json_pack(
	                       "{s:i,s:s,s:s,s:I,s:o,s:O,s:o,s:o,s:{s:s,s:o},s:{s:o,s:o,s:b},s:s,"
	                       "s:o}",
	                       "sbx_plan", PLAN_VERSION, "windows_sandbox_level", PLAN_LEVEL, "cwd",
	                       cwd.path, "timeout_ms", command->timeout_ms, "token", token(sids),
	                       "capability_sids", sids, "aces", aces(rules, sids), "environment",
	                       offline_environment(network, stubs), "stubs", "directory", stubs,
	                       "files", offline_stubs(network), "job", "limits",
	                       WORDS(PLAN_JOB_LIMITS), "ui_limits", WORDS(PLAN_UI_LIMITS),
	                       "breakaway", 0, "state", home->state.path, "lost",
	                       windows_lost(network)));
	winpath_free(&cwd);
	return plan;
}

static json_t *make_for(json_t *doc, const json_t *policy, const struct command *command,
                        struct error *err)
{
	struct rules rules = {0};
	struct home home = {0};
	json_t *plan = NULL;

	if (rules_get(policy, RULES_OF_TOKEN, &rules, err) == 0 &&
	    home_find(doc, &home, err) == 0 && home_check(&home, &rules, err) == 0)
		plan = assemble(command, &rules, &home, err);
	home_free(&home);
	rules_free(&rules);
	return plan;
}

json_t *plan_make(json_t *doc, struct error *err)
{
	const json_t *policy = json_object_get(doc, "policy");
	const char *level = plan_level(policy);
	struct command command;
	json_t *plan;

	if (strcmp(level, PLAN_LEVEL_OFF) == 0)
		return off_plan();
	if (strcmp(level, PLAN_LEVEL) != 0) {
		error_set(
		        err, EXIT_UNAVAILABLE, "no-elevated-sandbox",
		        "features.elevated_windows_sandbox, or [windows] sandbox, or the only one "
		        "allowed: needs users and firewall rules that "
		        "an administrator makes, which this version does not: unset it "
		        "(--elevated-plan shows what it would be)");
		return NULL;
	}
	if (command_get_for("windows", doc, &command, err) < 0)
		return NULL;
	plan = make_for(doc, policy, &command, err);
	command_free(&command);
	return plan;
}
