#include "managed/requirements_file.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"
#include "config/config_file.h"
#include "config/keys.h"
#include "document/json_pool.h"
#include "toml/toml.h"

#include <stdbool.h>
#include <string.h>

/* A key on its way: what it says goes into `out`, in our words. */
struct requirement {
	const char *path;
	const struct toml_document *document;
	json_t *out; /* a table of configuration */
	struct error *err;
};

static int wrong(const struct requirement *r, const char *key, const char *why)
{
	struct toml_place place = {0};

	toml_find(r->document, (const char *const[]){key, NULL}, &place);
	return error_set(r->err, EXIT_INPUT, "bad-config", "%s:%u: \"%s\": %s", r->path, place.line,
	                 key, why);
}

/* A table in `in`, made if it is missing. */
static json_t *table(json_t *in, const char *name)
{
	json_t *found = json_object_get(in, name);

	if (found)
		return found;
	found = xjson(json_object());
	json_object_set_new(in, name, found);
	return found;
}

static json_t *own(const struct requirement *r)
{
	return table(r->out, "requirements");
}

/* By the same name. */
static int take_same(const struct requirement *r, const char *key, json_t *value)
{
	json_object_set(own(r), key, value);
	return 0;
}

/* By either name, and not by both. */
static int take_features(const struct requirement *r, const char *key, json_t *value)
{
	if (json_object_get(r->out, "features"))
		return wrong(r, key, "features are there by another name as well");
	json_object_set(r->out, "features", value);
	return 0;
}

/* Sets of the administrator's, and under the name "filesystem" what nobody may read. */
static int take_permissions(const struct requirement *r, const char *key, json_t *value)
{
	json_t *files = json_object_get(value, "filesystem");
	json_t *sets = xjson(json_copy(value));

	if (files && (json_object_size(files) != 1 || !json_object_get(files, "deny_read"))) {
		json_decref(sets);
		return wrong(r, key, "filesystem: expected deny_read and nothing else");
	}
	if (files)
		json_object_set(own(r), "deny_read", json_object_get(files, "deny_read"));
	json_object_del(sets, "filesystem");
	json_object_set_new(r->out, "permissions", sets);
	return 0;
}

/* {"token":"git"} is a word, {"any_of":[...]} some. */
static json_t *pattern(const json_t *given)
{
	json_t *out = xjson(json_array());
	size_t i;
	json_t *part;

	json_array_foreach (given, i, part) {
		json_t *word = json_object_get(part, "token");
		json_t *words = json_object_get(part, "any_of");

		if (json_object_size(part) != 1 ||
		    !(json_is_string(word) || json_array_size(words) > 0)) {
			json_decref(out);
			return NULL;
		}
		json_array_append(out, word ? word : words);
	}
	return out;
}

/* As a rule is written in a file of rules, which sbx-approve reads. */
static char *rule_text(const json_t *rule)
{
	const char *decision = json_string_value(json_object_get(rule, "decision"));
	json_t *why = json_object_get(rule, "justification");
	cleanup_json json_t *words = pattern(json_object_get(rule, "pattern"));
	cleanup_free char *shown = NULL, *reason = NULL;
	size_t known = 2 + (why != NULL);

	if (json_array_size(words) == 0 || json_object_size(rule) != known || !decision ||
	    (strcmp(decision, "prompt") != 0 && strcmp(decision, "forbidden") != 0) ||
	    (why && !json_is_string(why)))
		return NULL;
	shown = xjson(json_text_dump(words, JSON_COMPACT));
	reason = why ? xjson(json_text_dump(why, JSON_ENCODE_ANY)) : NULL;
	return xasprintf("prefix_rule(pattern=%s, decision=\"%s\"%s%s)\n", shown, decision,
	                 reason ? ", justification=" : "", reason ? reason : "");
}

static int take_rules(const struct requirement *r, const char *key, json_t *value)
{
	json_t *rules = json_object_get(value, "prefix_rules");
	json_t *out;
	size_t i;
	json_t *rule;

	if (!json_is_array(rules) || json_object_size(value) != 1)
		return wrong(r, key, "expected prefix_rules and nothing else");
	out = xjson(json_array());
	json_object_set_new(own(r), "rules", out);
	json_array_foreach (rules, i, rule) {
		cleanup_free char *text = rule_text(rule);

		if (!text)
			return wrong(
			        r, key,
			        "prefix_rules: expected pattern = [{token = WORD} or {any_of = "
			        "[WORD, ...]}, ...], decision = \"prompt\" or \"forbidden\", "
			        "and perhaps justification");
		json_array_append_new(out, xjson(json_string(text)));
	}
	return 0;
}

/* "allow" and "deny" of a table, as two lists. */
static int sort_domains(const struct requirement *r, const char *key, json_t *domains,
                        json_t *allowed, json_t *denied)
{
	const char *name;
	json_t *value;

	if (domains && !json_is_object(domains))
		return wrong(r, key, "domains: expected a table");
	json_object_foreach (domains, name, value) {
		const char *word = json_string_value(value);

		if (word && strcmp(word, "deny") == 0)
			json_array_append_new(denied, xjson(json_string(name)));
		else if (word && strcmp(word, "allow") == 0)
			json_array_append_new(allowed, xjson(json_string(name)));
		else
			return wrong(r, key, "domains: expected \"allow\" or \"deny\"");
	}
	return 0;
}

/*
 * What codex's table can require.  Its proxy is not ours, so where that listens means nothing
 * here.  What we have no means to hold to is refused, rather than half done.
 */
static const struct network_key {
	const char *key;
	enum { A_TABLE, A_TRUTH, FALSE_ONLY, ANYTHING } takes;
} network_keys[] = {
        {"enabled", A_TRUTH},
        {"domains", A_TABLE},
        {"managed_allowed_domains_only", A_TRUTH},
        {"allow_local_binding", A_TRUTH},
        {"dangerously_allow_all_unix_sockets", FALSE_ONLY},
        {"allow_upstream_proxy", ANYTHING},
        {"dangerously_allow_non_loopback_proxy", ANYTHING},
        {"http_port", ANYTHING},
        {"socks_port", ANYTHING},
};

static bool is_taken(const char *key, const json_t *value)
{
	for (size_t i = 0; i < sizeof(network_keys) / sizeof(network_keys[0]); i++) {
		const struct network_key *known = &network_keys[i];

		if (strcmp(known->key, key) == 0)
			return known->takes == A_TABLE      ? json_is_object(value)
			       : known->takes == A_TRUTH    ? json_is_boolean(value)
			       : known->takes == FALSE_ONLY ? json_is_false(value)
			                                    : true;
	}
	return false;
}

static int check_network(const struct requirement *r, const char *key, json_t *value)
{
	const char *name;
	json_t *said;

	if (!json_is_object(value))
		return wrong(r, key, "expected a table");
	json_object_foreach (value, name, said)
		if (!is_taken(name, said)) {
			cleanup_free char *why =
			        xasprintf("%s: cannot be enforced here with this value", name);

			return wrong(r, key, why);
		}
	return 0;
}

/* Hosts are reached by their names then, and never all of the network. */
static bool is_bounded(const json_t *network, const json_t *denied)
{
	return json_array_size(denied) > 0 || json_is_true(json_object_get(network, "enabled")) ||
	       json_is_false(json_object_get(network, "allow_local_binding"));
}

static int take_network(const struct requirement *r, const char *key, json_t *value)
{
	cleanup_json json_t *allowed = xjson(json_array());
	cleanup_json json_t *denied = xjson(json_array());

	if (check_network(r, key, value) < 0 ||
	    sort_domains(r, key, json_object_get(value, "domains"), allowed, denied) < 0)
		return -1;
	/* An empty list is one as well. */
	if (is_bounded(value, denied))
		json_object_set(own(r), "denied_hosts", denied);
	if (json_is_true(json_object_get(value, "managed_allowed_domains_only")))
		json_object_set(own(r), "allowed_hosts", allowed);
	return 0;
}

static const struct {
	const char *key;
	int (*take)(const struct requirement *r, const char *key, json_t *value);
} keys[] = {
        {"allowed_approval_policies", take_same},
        {"allowed_sandbox_modes", take_same},
        {"allowed_permission_profiles", take_same},
        {"default_permissions", take_same},
        {"permissions", take_permissions},
        {"rules", take_rules},
        {"experimental_network", take_network},
        {"windows", take_same},
        {"features", take_features},
        {"feature_requirements", take_features},
        {"limits", take_same},
};

/* Of codex's, about models, tools and accounts: no sandbox is concerned with them. */
static const char *const of_codex[] = {
        "additional_developer_instructions",
        "allow_appshots",
        "allow_browser_and_computer_use",
        "allow_login_shell",
        "allow_managed_hooks_only",
        "allow_remote_control",
        "allowed_approvals_reviewers",
        "allowed_chatgpt_workspaces",
        "allowed_login_methods",
        "allowed_web_search_modes",
        "application",
        "apps",
        "auto_review",
        "browser_use",
        "chatgpt_base_url",
        "check_for_update_on_startup",
        "cli_auth_credentials_store",
        "computer_use",
        "enforce_residency",
        "feedback",
        "guardian_policy_config",
        "hooks",
        "in_app_browser",
        "log_dir",
        "marketplaces",
        "mcp_servers",
        "model_catalog_json",
        "models",
        "plugins",
        "sqlite_home",
        NULL,
};

static int take(const struct requirement *r, const char *key, json_t *value)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(keys[i].key, key) == 0)
			return keys[i].take(r, key, value);
	if (word_among(key, of_codex))
		return 0;
	return wrong(r, key, "no such requirement is known here, so it could not be enforced");
}

static int take_all(const char *path, const struct toml_document *document, json_t *out,
                    struct error *err)
{
	struct requirement r = {.path = path, .document = document, .out = out, .err = err};
	const char *key;
	json_t *value;

	json_object_foreach (document->root, key, value)
		if (take(&r, key, value) < 0)
			return -1;
	return 0;
}

int requirements_read(int fd, const char *path, struct config *config, struct notes *notes,
                      struct error *err)
{
	cleanup_json json_t *out = xjson(json_object());
	struct layer_text layer = {.layer = LAYER_MANAGED, .name = path};
	struct toml_document document = {0};
	cleanup_free char *text = NULL;
	struct config own;
	size_t len;
	int status;

	text = file_contents(fd, &len);
	if (!text)
		return error_system(err, "reading \"%s\"", path);
	if (toml_read_document(text, len, path, NULL, &document, err) < 0)
		return -1;
	status = take_all(path, &document, out, err);
	toml_document_free(&document);
	if (status < 0)
		return -1;
	config_begin(&own);
	status = keys_take(&layer, out, &own, notes, err);
	if (status == 0)
		config_merge(config, &own);
	config_free(&own);
	return status;
}
