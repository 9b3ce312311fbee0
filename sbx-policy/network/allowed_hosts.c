#include "network/allowed_hosts.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "config/config.h"
#include "policy/words.h"
#include "network/tool_hosts.h"
#include "sets/permission_sets.h"

#include <string.h>

static const json_t *project_list(const struct policy *policy, struct from *from)
{
	const char *path = policy->settings->trust.path;

	return path ? config_get(policy->settings->config, from, "projects", path, "hosts") : NULL;
}

static const json_t *mode_list(const struct policy *policy, struct from *from)
{
	if (policy->settings->set.name)
		return config_get(&policy->set, from, "hosts");
	if (policy->settings->mode.value != MODE_WORKSPACE_WRITE || policy->settings->mode.built_in)
		return NULL;
	return config_get(policy->settings->config, from, "sandbox_workspace_write", "hosts");
}

enum network hosts_are_configured(const struct policy *policy, const char **source)
{
	struct from from;
	bool listed = json_array_size(mode_list(policy, &from)) > 0 ||
	              json_array_size(project_list(policy, &from)) > 0;

	if (listed)
		*source = from.source;
	return listed ? NETWORK_HOSTS : NETWORK_OFF;
}

static int add(struct policy *policy, const char *text, const char *source, struct error *err)
{
	size_t count = policy->permissions.hosts.count;

	if (hosts_add(&policy->permissions.hosts, text, err) < 0)
		return -1;
	if (policy->permissions.hosts.count > count)
		root_list_add(&policy->host_sources, source);
	return 0;
}

static int add_list(struct policy *policy, const json_t *list, const char *prefix,
                    const char *source, struct error *err)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		cleanup_free char *text =
		        xasprintf("%s%s", prefix, json_string_value(json_array_get(list, i)));

		if (add(policy, text, source, err) < 0)
			return -1;
	}
	return 0;
}

/*
 * What codex's table can say besides hosts.  Its proxy is not ours, so how that
 * listens and whom it asks means nothing here; what would need to look into
 * the traffic cannot be held, and half of it would be the whole network.
 */
static const struct {
	const char *key;
	enum { ANY_VALUE, ONLY_FALSE, ONLY_FULL, NOTHING } takes;
} known[] = {
        {"enabled", ANY_VALUE},
        {"domains", ANY_VALUE},
        {"unix_sockets", ANY_VALUE},
        {"mode", ONLY_FULL},                /* limited: some methods of HTTP */
        {"allow_local_binding", ANY_VALUE}, /* the loopback inside is the command's own */
        {"allow_upstream_proxy", ANY_VALUE},
        {"enable_socks5", ANY_VALUE},
        {"enable_socks5_udp", ONLY_FALSE}, /* nothing relays datagrams */
        {"proxy_url", ANY_VALUE},
        {"socks_url", ANY_VALUE},
        {"dangerously_allow_all_unix_sockets", ONLY_FALSE},
        {"dangerously_allow_non_loopback_proxy", ANY_VALUE},
        {"mitm", NOTHING},
};

static bool is_taken(const char *key, const json_t *value)
{
	const char *text = json_string_value(value);

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(known[i].key, key) != 0)
			continue;
		return known[i].takes == ANY_VALUE ||
		       (known[i].takes == ONLY_FALSE && json_is_false(value)) ||
		       (known[i].takes == ONLY_FULL && text && strcmp(text, "full") == 0);
	}
	return false;
}

static int check_table(const struct config *set, json_t *table, const char *fallback,
                       struct error *err)
{
	const char *key;
	json_t *value;

	json_object_foreach (table, key, value) {
		struct from from = {.source = fallback};

		/* A table comes from as many lines as it has. */
		if (!json_is_object(value))
			config_get(set, &from, "network", key);
		if (!is_taken(key, value))
			return error_set(err, EXIT_INPUT, "bad-config",
			                 "%s: network.%s: cannot be enforced", from.source, key);
		if (strcmp(key, "enabled") == 0 && !json_is_boolean(value))
			return error_set(err, EXIT_INPUT, "bad-config",
			                 "%s: network.enabled: expected true or false",
			                 from.source);
	}
	return 0;
}

/* domains = {"x" = "allow"|"deny"} */
static int add_domains(struct policy *policy, const char *fallback, struct error *err)
{
	json_t *table = json_object_get(policy->set.values, "network");
	const char *name;
	json_t *domain;

	if (!json_is_object(table))
		return 0;
	if (check_table(&policy->set, table, fallback, err) < 0)
		return -1;
	domain = json_object_get(table, "domains");
	if (domain && !json_is_object(domain))
		return error_set(err, EXIT_INPUT, "bad-config",
		                 "%s: network.domains: expected a table", fallback);
	json_object_foreach (json_object_get(table, "domains"), name, domain) {
		const char *word = json_string_value(domain);
		bool deny = word && strcmp(word, "deny") == 0;
		cleanup_free char *text = xasprintf("%s%s", deny ? "!" : "", name);
		struct from from = {.source = fallback};

		config_get(&policy->set, &from, "network", "domains", name);
		if (!deny && !(word && strcmp(word, "allow") == 0))
			return error_set(err, EXIT_INPUT, "bad-config",
			                 "%s: network.domains.\"%s\": expected allow or deny",
			                 from.source, name);
		if (add(policy, text, from.source, err) < 0)
			return -1;
	}
	return 0;
}

struct adding {
	struct policy *policy;
	const char *preset;
	int status;
	struct error *err;
};

static void add_found(void *context, const char *host, const char *place)
{
	struct adding *a = context;
	cleanup_free char *source = xasprintf("%s: %s", a->preset, place);

	if (a->status == 0)
		a->status = add(a->policy, host, source, a->err);
}

/* The user's own list of that name, or what the tool's settings say. */
static int add_preset(struct policy *policy, const char *name, const struct repository *repository,
                      struct error *err)
{
	struct adding adding = {.policy = policy, .preset = name, .err = err};
	struct from from;
	const json_t *list;

	if (!is_tool_hosts(name))
		return 0;
	list = config_get(policy->settings->config, &from, "hosts",
	                  name + strlen(TOOL_HOSTS_PREFIX), "allow");
	if (list)
		return add_list(policy, list, "", from.source, err);
	return tool_hosts_find(name, repository, add_found, &adding, err) < 0 ? -1 : adding.status;
}

static int add_presets(struct policy *policy, const struct repository *repository,
                       struct error *err)
{
	const struct root_list *names = &policy->settings->presets;
	const json_t *list = config_get(&policy->set, NULL, "allow");

	for (size_t i = 0; i < names->count; i++)
		if (add_preset(policy, names->paths[i], repository, err) < 0)
			return -1;
	for (size_t i = 0; i < json_array_size(list); i++)
		if (add_preset(policy, json_string_value(json_array_get(list, i)), repository,
		               err) < 0)
			return -1;
	return 0;
}

bool hosts_are_asked_for(const struct policy *policy, const char **source)
{
	const struct settings *settings = policy->settings;
	struct from from = {0};
	const json_t *list = settings->set.name ? config_get(&policy->set, &from, "allow") : NULL;

	*source = settings->hosts.count ? settings->hosts.source : settings->presets.source;
	if (settings->hosts.count > 0)
		return true;
	for (size_t i = 0; i < settings->presets.count; i++)
		if (is_tool_hosts(settings->presets.paths[i]))
			return true;
	*source = from.source;
	for (size_t i = 0; i < json_array_size(list); i++)
		if (is_tool_hosts(json_string_value(json_array_get(list, i))))
			return true;
	return false;
}

static int add_all(struct policy *policy, const struct repository *repository, struct error *err)
{
	const struct root_list *flags = &policy->settings->hosts;
	struct from from = {.source = "default"};
	const json_t *list = mode_list(policy, &from);

	if (add_list(policy, list, "", from.source, err) < 0)
		return -1;
	list = project_list(policy, &from);
	if (add_list(policy, list, "", from.source, err) < 0)
		return -1;
	for (size_t i = 0; i < flags->count; i++)
		if (add(policy, flags->paths[i], flags->source, err) < 0)
			return -1;
	return add_presets(policy, repository, err);
}

/* Every host that is allowed is one that the administrator allows, whole. */
static int check_limit(const struct policy *policy, const char *source, struct error *err)
{
	const struct hosts *hosts = &policy->permissions.hosts;

	for (size_t i = 0; i < hosts->count; i++) {
		cleanup_free char *text = host_rule_text(&hosts->rules[i]);

		if (!hosts_cover(&policy->allowed_hosts, &hosts->rules[i]))
			return error_set(err, EXIT_INPUT, "not-allowed",
			                 "host \"%s\" (%s): not among the allowed_hosts of %s",
			                 text, policy->host_sources.paths[i], source);
	}
	return 0;
}

/* What asks for more than the chosen set itself gives; NULL: nothing does. */
static const char *asks_for_more(const struct policy *policy)
{
	const struct settings *settings = policy->settings;
	struct from from = {0};
	const char *ignored = NULL;
	int own = settings->set.name ? set_network(&policy->set, &ignored) : NETWORK_UNSET;

	if (settings->network.value > (own == NETWORK_UNSET ? NETWORK_LOOPBACK : own))
		return settings->network.source;
	if (settings->network_access.value && settings->network_access.layer != LAYER_MANAGED)
		return settings->network_access.source;
	if (settings->hosts.count > 0)
		return settings->hosts.source;
	for (size_t i = 0; i < settings->presets.count; i++)
		if (is_tool_hosts(settings->presets.paths[i]))
			return settings->presets.source;
	return json_array_size(project_list(policy, &from)) > 0 ? from.source : NULL;
}

/* An administrator who lists permission sets has said with them what is reached. */
static int keep_to_set(const struct policy *policy, struct error *err)
{
	static const char list[] = "allowed_permission_profiles";
	const char *by = asks_for_more(policy);

	if (!by || policy->settings->mode.value == MODE_DANGER ||
	    !config_get(policy->settings->config, NULL, "requirements", list))
		return 0;
	return error_set(err, EXIT_INPUT, "not-allowed",
	                 "network (%s): more than the permission set gives, and the administrator "
	                 "lists those: %s",
	                 by, list);
}

static int narrow(struct policy *policy, struct error *err)
{
	const struct config *config = policy->settings->config;
	struct from from = {0};
	const json_t *denied = config_get(config, &from, "requirements", "denied_hosts");
	const char *by = from.source;
	const json_t *allowed = config_get(config, &from, "requirements", "allowed_hosts");

	if ((allowed || denied) && policy->permissions.network == NETWORK_ON)
		return error_set(err, EXIT_INPUT, "not-allowed",
		                 "network on (%s): %s allows some hosts only",
		                 policy->network_source, from.source ? from.source : by);
	policy->hosts_limited = allowed != NULL;
	if (allowed && hosts_get(allowed, "allowed_hosts", &policy->allowed_hosts, err) < 0)
		return -1;
	if (allowed && check_limit(policy, from.source, err) < 0)
		return -1;
	return policy->permissions.network == NETWORK_HOSTS ? add_list(policy, denied, "!", by, err)
	                                                    : 0;
}

int hosts_resolve(struct policy *policy, const struct repository *repository, struct error *err)
{
	const char *set_source = policy->settings->set.source;

	if (keep_to_set(policy, err) < 0)
		return -1;
	if (policy->settings->set.name && add_domains(policy, set_source, err) < 0)
		return -1;
	if (policy->permissions.network == NETWORK_ON) {
		/* All of them; what a set denies cannot be held then. */
		for (size_t i = 0; i < policy->permissions.hosts.count; i++)
			if (policy->permissions.hosts.rules[i].deny)
				return error_set(err, EXIT_INPUT, "bad-config",
				                 "%s: denies a host, which --network on cannot",
				                 set_source);
	}
	if (policy->permissions.network >= NETWORK_HOSTS && add_all(policy, repository, err) < 0)
		return -1;
	if (policy->permissions.network < NETWORK_HOSTS) {
		hosts_free(&policy->permissions.hosts);
		root_list_free(&policy->host_sources);
	}
	return narrow(policy, err);
}
