#include "elevated.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/document.h"
#include "document/json_list.h"
#include "plan_words.h"
#include "policy/words.h"
#include "rules.h"

#include <string.h>

/* What every program needs to run, unless the policy leaves it out. */
static const char *const platform_roots[] = {
        "C:\\Windows", "C:\\Program Files", "C:\\Program Files (x86)", "C:\\ProgramData", NULL,
};

/* By user: the system has no rule for one run alone. */
static const struct {
	const char *remote, *protocol;
} blocked[] = {
        {"not-loopback", "any"}, /* everybody outside */
        {"loopback", "tcp"},     /* the host's own services */
        {"loopback", "udp"},
        {"any", "icmp"}, /* not bound to a port, and so by a filter */
};

static json_t *firewall(bool online)
{
	json_t *list = xjson(json_array());

	for (size_t i = 0; !online && i < sizeof(blocked) / sizeof(blocked[0]); i++)
		json_array_append_new(
		        list, xjson(json_pack("{s:s,s:s,s:s,s:s,s:s}", "user", PLAN_USER_OFFLINE,
		                              "direction", "out", "action", "block", "remote",
		                              blocked[i].remote, "protocol", blocked[i].protocol)));
	return list;
}

/* What can be read: everything, or what is named, the directory of the command and what is written.
 */
static json_t *reading(const struct rules *rules, const json_t *policy, const char *cwd)
{
	const json_t *permissions = json_object_get(policy, "permissions");
	bool all = permissions_find(&rules->keys, "/") != NULL;
	bool defaults = json_is_true(json_object_get(permissions, "platform_defaults"));
	json_t *roots = xjson(json_array());

	for (size_t i = 0; !all && i < rules->count; i++)
		if (!rules->list[i].is_carve_out)
			json_list_add_text(roots, rules->list[i].path.path);
	if (!all)
		json_list_add_text(roots, cwd);
	for (size_t i = 0; !all && defaults && platform_roots[i]; i++)
		json_list_add_text(roots, platform_roots[i]);
	return xjson(json_pack("{s:b,s:b,s:o}", "all", all, "platform_defaults", !all && defaults,
	                       "roots", roots));
}

static json_t *writing(const struct rules *rules)
{
	json_t *roots = xjson(json_array()), *closed = xjson(json_array());

	for (size_t i = 0; i < rules->count; i++)
		if (rules->list[i].is_root)
			json_list_add_text(roots, rules->list[i].path.path);
		else if (rules->list[i].is_carve_out)
			json_list_add_text(closed, rules->list[i].path.path);
	return xjson(json_pack("{s:o,s:o}", "roots", roots, "read_only", closed));
}

static json_t *assemble(const json_t *policy, const struct command *command,
                        const struct rules *rules, struct error *err)
{
	bool online = rules->keys.network == NETWORK_ON;
	struct winpath cwd = {0};
	struct error why = {0};
	json_t *plan;

	if (rules->keys.network == NETWORK_HOSTS) {
		error_set(err, EXIT_UNAVAILABLE, "hosts",
		          "a firewall rule cannot hold a network by name");
		return NULL;
	}
	if (winpath_get(command->cwd, &cwd, &why) < 0) {
		error_set(err, why.exit, why.code, "command.cwd: %s", why.message);
		return NULL;
	}
	plan = xjson(json_pack(
	        "{s:i,s:s,s:s,s:I,s:s,s:[s,s],s:o,s:o,s:o,s:[]}", "sbx_plan", PLAN_VERSION,
	        "windows_sandbox_level", PLAN_LEVEL_ELEVATED, "cwd", cwd.path, "timeout_ms",
	        command->timeout_ms, "user", online ? PLAN_USER_ONLINE : PLAN_USER_OFFLINE, "users",
	        PLAN_USER_OFFLINE, PLAN_USER_ONLINE, "firewall", firewall(online), "read",
	        reading(rules, policy, cwd.path), "write", writing(rules), "lost"));
	winpath_free(&cwd);
	return plan;
}

json_t *elevated_plan(const json_t *doc, struct error *err)
{
	const json_t *policy = json_object_get(doc, "policy");
	struct rules rules = {0};
	struct command command;
	json_t *plan = NULL;

	if (command_get_for("windows", doc, &command, err) < 0)
		return NULL;
	if (rules_get(policy, RULES_OF_USER, &rules, err) == 0)
		plan = assemble(policy, &command, &rules, err);
	rules_free(&rules);
	command_free(&command);
	return plan;
}
