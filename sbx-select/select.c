#include "select.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/approval.h"
#include "document/document.h"
#include "document/osstring.h"
#include "document/platform.h"
#include "engine/engine_lost.h"
#include "grant/effective.h"
#include "limits/lost_limits.h"
#include "linux/kernel_release.h"
#include "linux/landlock_fit.h"
#include "linux/overlay_fit.h"
#include "linux/surroundings.h"
#include "lost.h"
#include "policy/hidden.h"
#include "policy/not_windows.h"
#include "policy/own_loopback.h"
#include "policy/permissions.h"
#include "policy/slash_tmp.h"
#include "policy/words.h"
#include "trust/host_tmp.h"

#include <string.h>

struct choice {
	enum sandbox_type type;
	const char *backend; /* NULL: none */
	const char *reason;
	json_t *lost; /* NULL: nothing */
};

static bool is(const char *a, const char *b)
{
	return a && strcmp(a, b) == 0;
}

/* The helper uses the system's bwrap when there is one, unless told not to. */
static bool may_use_system_bwrap(const json_t *policy)
{
	const json_t *own = json_object_get(policy, "sbx");

	return !is(json_string_value(json_object_get(own, "bwrap")), "vendored");
}

/* The policy with the host's /tmp and no loopback of its own, which is all that Landlock has. */
static int landlock_fits_shared(json_t *policy, bool *brokered, struct error *err)
{
	cleanup_json json_t *quiet = without_own_loopback(policy);
	cleanup_json json_t *shared = tmp_shared(quiet);
	struct permissions held;
	int status = permissions_get(json_object_get(shared, "permissions"), &held, err);

	if (status == 0) {
		status = landlock_fits(&held, brokered, err);
		permissions_free(&held);
	}
	return status;
}

/* Caches that can be written without effect on the host need an overlay. */
static json_t *with_caches(const json_t *policy, bool overlays, json_t *list)
{
	if (overlays || json_array_size(json_object_get(policy, "caches")) == 0)
		return list;
	list = list ? list : xjson(json_array());
	lost_add(
	        list, "cache-copies", "caches of tools are read-only: no overlay can show a copy",
	        "use bubblewrap, Linux 5.11 or later, and a home that is not itself an overlay (in a "
	        "container: on a volume), or --allow cache:NAME");
	return list;
}

static bool caches_can_be_kept(const json_t *policy)
{
	struct error ignored = {0};
	cleanup_free char *kept = os_string_get(json_object_get(policy, "kept"), "kept", &ignored);

	return kept && overlay_can_keep(kept);
}

/*
 * Adds what is lost where there are no mounts; list may be NULL, and stays so if nothing is.
 */
static json_t *with_tmp(const json_t *policy, json_t *list)
{
	list = with_caches(policy, false, list);
	if (!tmp_is_lost(policy))
		return list;
	list = list ? list : xjson(json_array());
	lost_add(list, "private-tmp", "/tmp is the host's: only mounts can show another",
	         "use bubblewrap, which needs user namespaces, or say --tmp shared");
	return list;
}

static bool is_nested(const json_t *policy)
{
	return json_is_true(json_object_get(json_object_get(policy, "sbx"), "nested"));
}

/*
 * Somebody said that the protected paths may be lost: the rest is held.  The
 * helper leaves out the same ones, and says so.
 */
static struct choice choose_unprotected(const struct machine *machine, json_t *policy,
                                        const struct permissions *permissions, struct error *fit)
{
	cleanup_json json_t *quiet = without_own_loopback(policy);
	cleanup_json json_t *shared = tmp_shared(quiet);
	cleanup_free char *first = NULL;
	struct permissions held = {0};
	struct choice choice = {SANDBOX_NONE, NULL,
	                        "no sandbox of this machine can hold the policy", NULL};
	json_t *protected = lost_on_linux(machine, fit);
	bool brokered = false;

	if (permissions_get(json_object_get(shared, "permissions"), &held, fit) == 0 &&
	    landlock_without_protected(&held, &first) > 0 &&
	    landlock_fits(&held, &brokered, fit) == 0) {
		choice = (struct choice){
		        SANDBOX_LINUX, "landlock",
		        "no user namespaces; Landlock holds all but the protected paths",
		        with_tmp(policy, lost_with_landlock(machine, permissions, brokered))};
		json_array_insert(choice.lost, 0, json_array_get(protected, 0));
		json_decref(protected);
	} else {
		choice.lost = with_tmp(policy, protected);
	}
	permissions_free(&held);
	return choice;
}

static struct choice choose_linux(const struct machine *machine, json_t *policy,
                                  const struct permissions *permissions)
{
	/* A view: nothing in it is freed. */
	struct permissions quiet = *permissions;
	struct error fit = {0};
	bool brokered;

	if (machine->seccomp && machine->userns)
		return (struct choice){SANDBOX_LINUX, "bubblewrap", "user namespaces work",
		                       with_caches(policy, caches_can_be_kept(policy),
		                                   lost_with_bubblewrap(machine))};
	if (machine->seccomp && machine->bwrap_userns && may_use_system_bwrap(policy))
		return (struct choice){SANDBOX_LINUX, "bubblewrap",
		                       "user namespaces work for the system's bwrap",
		                       with_caches(policy, false, lost_with_bubblewrap(machine))};
	quiet.network = network_without_own(policy, permissions->network);
	if (machine->seccomp && landlock_fits_shared(policy, &brokered, &fit) == 0)
		return (struct choice){
		        SANDBOX_LINUX, "landlock",
		        brokered ? "no user namespaces; Landlock denies, the broker grants"
		                 : "no user namespaces; the policy fits Landlock",
		        with_tmp(policy, lost_with_landlock(machine, &quiet, brokered))};
	if (machine->seccomp && strcmp(fit.code, accepted_names[0]) == 0 &&
	    protected_may_be_lost(json_object_get(policy, "sbx")))
		return choose_unprotected(machine, policy, &quiet, &fit);
	return (struct choice){SANDBOX_NONE, NULL, "no sandbox of this machine can hold the policy",
	                       with_tmp(policy, lost_on_linux(machine, &fit))};
}

static struct choice choose_macos(const struct machine *machine, const json_t *policy,
                                  const struct permissions *permissions)
{
	struct choice none = {SANDBOX_NONE, NULL, "sandbox-exec is not available", NULL};

	if (machine->sandbox_exec)
		return (struct choice){SANDBOX_MACOS, "sandbox-exec", "sandbox-exec is there",
		                       lost_with_proxy(permissions, with_tmp(policy, NULL))};
	none.lost = xjson(json_array());
	lost_add(none.lost, "sandbox", "/usr/bin/sandbox-exec cannot be executed",
	         "use a macOS that has it");
	return none;
}

static struct choice choose_windows(const json_t *policy, const struct permissions *permissions)
{
	struct choice none = {SANDBOX_NONE, NULL, "the Windows sandbox is not switched on", NULL};

	if (windows_is_on(policy))
		return (struct choice){
		        SANDBOX_WINDOWS, "restricted-token", "the Windows sandbox is switched on",
		        with_tmp(policy,
		                 windows_lost(network_without_own(policy, permissions->network)))};
	none.lost = xjson(json_array());
	lost_add(none.lost, "sandbox", "features.enable_experimental_windows_sandbox is not true",
	         "-c features.enable_experimental_windows_sandbox=true");
	return none;
}

/* As if it were there: paths are looked at here, the engine is not. */
static int choose_engine(const struct machine *machine, const struct command *command,
                         json_t *policy, const struct permissions *permissions,
                         struct choice *choice, struct error *err)
{
	static const enum sandbox_type types[] = {SANDBOX_OCI, SANDBOX_KUBERNETES, SANDBOX_SYSTEMD};
	static const char *const platforms[] = {"oci", "kubernetes", "systemd", NULL};
	struct places places;
	const struct engine_asked asked = {.platform = machine->platform,
	                                   .policy = policy,
	                                   .permissions = permissions,
	                                   .places = &places,
	                                   .timeout_ms = command->timeout_ms};
	int status;

	if (places_plan(policy, permissions, &places, err) < 0)
		return -1;
	status = engine_fits(&asked, err);
	if (status == 0)
		*choice = (struct choice){types[word_index(platforms, machine->platform)],
		                          machine->platform, "asked for by its name",
		                          engine_lost(&asked)};
	places_free(&places);
	return status;
}

static struct choice choose_platform(const struct machine *machine, json_t *policy,
                                     const struct permissions *permissions)
{
	if (is(machine->platform, "macos"))
		return choose_macos(machine, policy, permissions);
	if (is(machine->platform, "windows"))
		return choose_windows(policy, permissions);
	return choose_linux(machine, policy, permissions);
}

/* "require" is an error without a sandbox; the line says what is in the way. */
static int refuse_required(const struct choice *choice, struct error *err)
{
	const json_t *first = json_array_get(choice->lost, 0);
	const char *why = json_string_value(json_object_get(first, "why"));
	const char *cure = json_string_value(json_object_get(first, "cure"));

	return error_set(err, EXIT_UNAVAILABLE, "no-sandbox",
	                 "a sandbox is required and none is available: %s (%s)",
	                 why ? why : choice->reason, cure ? cure : "see sbx-select --probe");
}

/* What this machine cannot count exactly.  Without a sandbox sbx-run says so, when it has tried. */
static int with_limits(const struct machine *machine, const json_t *policy, struct choice *choice,
                       struct error *err)
{
	bool mounted = is(choice->backend, "bubblewrap") && tmp_is_private(policy);
	struct limits limits;
	unsigned lost;

	if (limits_get(json_object_get(policy, "limits"), &limits, err) < 0)
		return -1;
	lost = machine->foreign || !limits_any(&limits)
	               ? 0
	               : lost_limits(&limits, mounted, machine->root);
	if (!lost)
		return 0;
	choice->lost = choice->lost ? choice->lost : xjson(json_array());
	lost_limits_add(choice->lost, lost);
	return 0;
}

/*
 * A copy is shown by an overlay that a user may mount, and nothing else: whoever wants
 * to see the changes first has not agreed to a run that makes them.
 */
static int refuse_unpreviewed(const json_t *policy, const struct machine *machine,
                              const struct choice *choice, struct error *err)
{
	if (!policy_is_previewed(policy) || (is(choice->backend, "bubblewrap") && machine->userns &&
	                                     (machine->foreign || kernel_at_least(5, 11))))
		return 0;
	return error_set(err, EXIT_UNAVAILABLE, "preview",
	                 "--preview: %s; a copy of the writable roots needs a sandbox with user "
	                 "namespaces and Linux 5.11 or later",
	                 choice->reason);
}

/* The tree: preference first, then mode, then grant, then what the platform has. */
static int choose(const json_t *doc, json_t *policy, const struct command *command,
                  const struct machine *machine, const struct permissions *permissions,
                  struct choice *choice, struct error *err)
{
	bool required = command->preference == PREFERENCE_REQUIRE;
	int mode = policy_mode(policy);

	if (command->preference == PREFERENCE_FORBID)
		*choice =
		        (struct choice){SANDBOX_NONE, NULL, "the command forbids a sandbox", NULL};
	else if (!required && mode == MODE_DANGER)
		*choice = (struct choice){SANDBOX_NONE, NULL, "the policy is danger-full-access",
		                          NULL};
	else if (!required && mode == MODE_EXTERNAL)
		*choice = (struct choice){SANDBOX_NONE, NULL,
		                          "an external sandbox holds the command", NULL};
	else if (platform_is_engine(machine->platform))
		return choose_engine(machine, command, policy, permissions, choice, err);
	else if (!required && approval_grants_no_sandbox(doc))
		*choice = (struct choice){SANDBOX_NONE, NULL, "approved to run without a sandbox",
		                          NULL};
	else if (is(machine->platform, "windows") && permissions->network == NETWORK_HOSTS)
		return error_set(err, EXIT_UNAVAILABLE, "hosts",
		                 "a network by name needs Linux or macOS; use --network on or off");
	else if (!is(machine->platform, "linux") && network_is_named(permissions))
		return error_set(err, EXIT_UNAVAILABLE, "shared-network",
		                 "a loopback that runs share needs Linux; use --network loopback");
	else if (is(machine->platform, "linux") && is_nested(policy) &&
	         nested_fits(permissions, err) < 0)
		return -1;
	else
		*choice = choose_platform(machine, policy, permissions);
	if (choice->type != SANDBOX_NONE && with_limits(machine, policy, choice, err) < 0)
		return -1;
	if (choice->type != SANDBOX_NONE && permissions->network == NETWORK_ON)
		choice->lost = lost_with_network_on(machine, is_nested(policy), choice->lost);
	/* Whoever approved it, however: nothing hides them without a sandbox. */
	if (choice->type == SANDBOX_NONE && json_object_get(doc, "approval") &&
	    mode != MODE_EXTERNAL && json_array_size(choice->lost) == 0 &&
	    hidden_check(doc, err) < 0)
		return -1;
	if (!required || choice->type != SANDBOX_NONE)
		return 0;
	refuse_required(choice, err);
	json_decref(choice->lost);
	return -1;
}

int select_sandbox(json_t *doc, const struct machine *machine, struct error *err)
{
	const json_t *policy = json_object_get(doc, "policy");
	cleanup_json json_t *enforced = NULL;
	struct permissions permissions;
	struct choice choice = {0};
	struct command command;
	int status;

	/* What an earlier pass selected must not outlive a refusal. */
	json_object_del(doc, "sandbox");
	if (!json_is_object(policy))
		return error_set(err, EXIT_INPUT, "no-policy",
		                 "policy: missing: the document has not been through sbx-policy");
	if (json_object_get(doc, "approval") && approval_check(doc, err) < 0)
		return -1;
	if (command_get_for(machine->platform, doc, &command, err) < 0)
		return -1;
	/* With what an approver gave beyond the policy. */
	enforced = effective_policy(doc, err);
	status = enforced ? permissions_get_for(machine->platform,
	                                        json_object_get(enforced, "permissions"),
	                                        &permissions, err)
	                  : -1;
	if (status == 0) {
		status = choose(doc, enforced, &command, machine, &permissions, &choice, err);
		if (status == 0 && (status = refuse_unpreviewed(policy, machine, &choice, err)) < 0)
			json_decref(choice.lost);
		permissions_free(&permissions);
	}
	command_free(&command);
	if (status < 0)
		return -1;
	return json_object_set_new(
	        doc, "sandbox",
	        xjson(json_pack("{s:s,s:s?,s:s,s:o,s:o}", "type", sandbox_names[choice.type],
	                        "backend", choice.backend, "reason", choice.reason, "capabilities",
	                        machine_capabilities(machine), "lost",
	                        choice.lost ? choice.lost : xjson(json_array()))));
}
