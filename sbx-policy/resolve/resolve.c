#include "resolve/resolve.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "managed/requirements.h"
#include "config/workspace.h"
#include "entries/workbench.h"
#include "policy/words.h"
#include "resolve/allow_presets.h"
#include "resolve/chosen_limits.h"
#include "network/allowed_hosts.h"
#include "resolve/granted_roots.h"
#include "resolve/hidden_paths.h"
#include "resolve/narrowed.h"
#include "sets/permission_sets.h"
#include "closed/protected_roots.h"
#include "sets/set_entries.h"
#include "resolve/temporary_directories.h"
#include "resolve/tool_caches.h"
#include "network/unix_sockets.h"
#include "trust/settings_home.h"

#include <stdlib.h>
#include <string.h>

/*
 * The network that results from the mode, the set and the settings.  Where nobody
 * is to be reached, and no word says how, that is NETWORK_UNSET.
 */
static int network_of(const struct policy *policy, const char **source)
{
	const struct settings *settings = policy->settings;

	if (settings->mode.value == MODE_DANGER) {
		*source = settings->mode.source;
		return NETWORK_ON;
	}
	if (settings->network.value == NETWORK_UNSET && hosts_are_asked_for(policy, source))
		return NETWORK_HOSTS;
	if (settings->network.value == NETWORK_UNSET && settings->set.name) {
		*source = settings->set.source;
		return set_network(&policy->set, source);
	}
	if (settings->network.value == NETWORK_UNSET &&
	    settings->mode.value == MODE_WORKSPACE_WRITE) {
		enum network listed = hosts_are_configured(policy, source);

		if (listed != NETWORK_OFF && !settings->network_access.value)
			return listed;
		*source = settings->network_access.source;
		return settings->network_access.value ? NETWORK_ON : NETWORK_UNSET;
	}
	*source = settings->network.source;
	return settings->network.value;
}

/* The one that was named, else that of the session: its runs reach each other's servers. */
static void name_network(struct policy *policy)
{
	const char *session = getenv("SBX_SESSION"), *given = policy->settings->network_name;
	char digest[SHA256_TEXT_SIZE];

	policy->network_name_source = given ? "flag --network" : "SBX_SESSION";
	if (policy->permissions.network != NETWORK_LOOPBACK)
		return;
	if (given) {
		policy->permissions.network_name = xstrdup(given);
	} else if (session && session[0]) {
		sha256_text(session, strlen(session), digest);
		policy->permissions.network_name = xasprintf(":%.16s", strchr(digest, ':') + 1);
	}
}

/* Nobody outside: servers of the command's own are nobody's concern. */
static void resolve_network(struct policy *policy)
{
	int network = network_of(policy, &policy->network_source);

	policy->loopback_optional = network == NETWORK_UNSET;
	policy->permissions.network =
	        policy->loopback_optional ? NETWORK_LOOPBACK : (enum network)network;
	name_network(policy);
}

/* codex's proxy would judge what is reached; ours judges hosts, and nothing stands in between. */
static int refuse_proxy(const struct policy *policy, struct error *err)
{
	struct from from = {.source = "features.network_proxy"};
	const struct config *config = policy->settings->config;
	const json_t *proxy = config_get(config, &from, "features", "network_proxy");
	const json_t *enabled = json_is_object(proxy) ? config_get(config, &from, "features",
	                                                           "network_proxy", "enabled")
	                                              : proxy;

	if (policy->permissions.network != NETWORK_ON || !json_is_true(enabled) ||
	    policy->settings->mode.value == MODE_DANGER)
		return 0;
	return error_set(err, EXIT_INPUT, "bad-config",
	                 "%s: features.network_proxy: no proxy judges an open network here; "
	                 "list the hosts with --allow-host or [permissions.NAME] hosts",
	                 from.source);
}

/* --add-dir adds to the project as well as to what is writable. */
static int find_workspaces(struct workbench *bench, struct error *err)
{
	const struct root_list *added = &bench->policy->settings->added;

	root_list_add(&bench->workspaces, bench->policy->workspace);
	for (size_t i = 0; i < added->count; i++) {
		cleanup_free char *path = directory_canonical(added->paths[i], "--add-dir", err);

		if (!path)
			return -1;
		root_list_add(&bench->workspaces, path);
	}
	return 0;
}

static int find_set(struct workbench *bench, struct error *err)
{
	struct policy *policy = bench->policy;
	const struct settings *settings = policy->settings;

	if (!settings->set.name)
		return 0;
	policy->deny_globs = xjson(json_array());
	config_begin(&policy->set);
	if (find_workspaces(bench, err) < 0)
		return -1;
	return set_find(settings->config, settings->set.name, &policy->set, err);
}

static int grant_set(struct workbench *bench, struct error *err)
{
	const struct settings *settings = bench->policy->settings;

	if (grant_roots(bench, &settings->added, "--add-dir", err) < 0 || set_apply(bench, err) < 0)
		return -1;
	if (permissions_resolve(&bench->policy->permissions, bench->policy->workspace, NULL) ==
	    ACCESS_NONE)
		notes_add(bench->notes, "permissions \"%s\": the workspace \"%s\" cannot be read",
		          settings->set.name, bench->policy->workspace);
	return 0;
}

static int resolve_roots(struct workbench *bench, struct error *err)
{
	bool has_set = bench->policy->settings->set.name != NULL;

	if ((has_set ? grant_set(bench, err) : grant_mode(bench, err)) < 0 ||
	    hide_paths(bench, err) < 0 || deny_read(bench, err) < 0)
		return -1;
	decide_tmp(bench);
	grant_tmpdir(bench);
	if (presets_apply(bench, err) < 0)
		return -1;
	narrow_roots(bench);
	bench_judge(bench);
	if (protect_roots(bench, err) < 0)
		return -1;
	bench_judge_again(bench);
	narrow_workspace(bench);
	bench->policy->caches = tool_caches(bench->policy);
	return 0;
}

static int resolve_files(struct workbench *bench, struct error *err)
{
	const struct setting *mode = &bench->policy->settings->mode;

	switch ((enum mode)mode->value) {
	case MODE_READ_ONLY:
		policy_add(bench->policy, "/", ACCESS_READ, mode->source, false);
		return hide_paths(bench, err) < 0 ? -1 : deny_read(bench, err);
	case MODE_WORKSPACE_WRITE:
		return resolve_roots(bench, err) < 0 ? -1 : sockets_check(bench->policy, err);
	case MODE_DANGER:
	case MODE_EXTERNAL:
		if (bench->policy->settings->narrowed.count > 0)
			return error_set(err, EXIT_USAGE, "usage",
			                 "--narrow: without a sandbox of ours nothing narrows the "
			                 "workspace");
		policy_add(bench->policy, "/", ACCESS_WRITE, mode->source, false);
		return 0;
	}
	return error_set(err, EXIT_USAGE, "usage", "sandbox mode %d is unknown", mode->value);
}

/* What was read must not be what the command is about to write. */
static int check_home(const struct policy *policy, struct error *err)
{
	enum mode mode = (enum mode)policy->settings->mode.value;
	/* A view: nothing in it is freed. */
	const struct could_write w = {.permissions = policy->permissions,
	                              .cwd = policy->workspace,
	                              .held = mode == MODE_READ_ONLY ||
	                                      mode == MODE_WORKSPACE_WRITE};

	return settings_home_reach(&w, err);
}

static int resolve(struct workbench *bench, struct error *err)
{
	struct policy *policy = bench->policy;

	if (find_set(bench, err) < 0)
		return -1;
	resolve_network(policy);
	if (refuse_proxy(policy, err) < 0)
		return -1;
	limits_resolve(policy, bench->notes);
	if (hosts_resolve(policy, bench->repository, err) < 0 || sockets_resolve(policy, err) < 0 ||
	    resolve_files(bench, err) < 0)
		return -1;
	deny_read_finally(policy);
	say_other_names(&policy->permissions, bench->notes);
	if (check_home(policy, err) < 0)
		return -1;
	policy->tmp_source = tmp_source(policy);
	return settings_require_set(policy->settings, &policy->permissions, bench->notes, err);
}

int policy_resolve(struct policy *policy, const struct loaded *loaded, struct notes *notes,
                   struct error *err)
{
	struct workbench bench = {
	        .policy = policy, .repository = &loaded->repository, .notes = notes};
	int status;

	*policy = (struct policy){.settings = &loaded->settings,
	                          .workspace = xstrdup(loaded->workspace)};
	status = resolve(&bench, err);
	bench_free(&bench);
	return status;
}
