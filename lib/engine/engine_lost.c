#include "engine/engine_lost.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/approval.h"
#include "document/json_list.h"
#include "hosts/hosts.h"
#include "policy/own_loopback.h"
#include "policy/resource_limits.h"

#include <string.h>
#include <unistd.h>

/* Of which engines a row is. */
enum {
	OCI = 1,
	KUBERNETES = 2,
	SYSTEMD = 4,
	ALL = OCI | KUBERNETES | SYSTEMD,
};

static unsigned engine_bit(const char *platform)
{
	if (strcmp(platform, "oci") == 0)
		return OCI;
	return strcmp(platform, "kubernetes") == 0 ? KUBERNETES : SYSTEMD;
}

static bool always(const struct engine_asked *asked)
{
	(void)asked;
	return true;
}

static bool pins(const struct engine_asked *asked)
{
	return asked->places->pins;
}

static bool pins_nothing(const struct engine_asked *asked)
{
	return !pins(asked);
}

static bool names_hosts(const struct engine_asked *asked)
{
	return asked->permissions->network == NETWORK_HOSTS;
}

/* A NetworkPolicy knows addresses. */
static bool names_other_hosts(const struct engine_asked *asked)
{
	const struct hosts *hosts = &asked->permissions->hosts;

	for (size_t i = 0; names_hosts(asked) && i < hosts->count; i++)
		if (hosts->rules[i].kind != HOST_NETWORK || hosts->rules[i].deny)
			return true;
	return false;
}

/* The filter refuses every socket of the internet where the network is off. */
static bool needs_network_policy(const struct engine_asked *asked)
{
	enum network network = network_without_own(asked->policy, asked->permissions->network);

	return network == NETWORK_LOOPBACK || network == NETWORK_HOSTS;
}

static bool network_on(const struct engine_asked *asked)
{
	return asked->permissions->network == NETWORK_ON;
}

static bool lists_sockets(const struct engine_asked *asked)
{
	return asked->permissions->unix_sockets && asked->permissions->unix_sockets[0];
}

static bool has_time_limit(const struct engine_asked *asked)
{
	return asked->timeout_ms > 0;
}

static bool limits(const struct engine_asked *asked, enum limit limit)
{
	return json_object_get(json_object_get(asked->policy, "limits"), limit_names[limit]);
}

static bool limits_tmp(const struct engine_asked *asked)
{
	return limits(asked, LIMIT_TMP);
}

/* Without root a runtime has no cgroup to set them in. */
static bool limits_of_bundle(const struct engine_asked *asked)
{
	return limits_tmp(asked) ||
	       (geteuid() != 0 && (limits(asked, LIMIT_PROCESSES) || limits(asked, LIMIT_MEMORY) ||
	                           limits(asked, LIMIT_CPU)));
}

/* A node limits processes as it likes. */
static bool limits_of_pod(const struct engine_asked *asked)
{
	return limits_tmp(asked) || limits(asked, LIMIT_PROCESSES) || limits(asked, LIMIT_FILES);
}

static bool has_caches(const struct engine_asked *asked)
{
	return json_array_size(json_object_get(asked->policy, "caches")) > 0;
}

static bool has_tmp(const struct engine_asked *asked)
{
	return asked->places->tmp;
}

static bool is_user(const struct engine_asked *asked)
{
	(void)asked;
	return geteuid() != 0;
}

enum consent {
	TOLD,
	ASKED_FOR,
};

/* One line each; of two with one name the conditions exclude each other. */
static const struct loss {
	const char *guarantee;
	enum consent consent;
	unsigned engines;
	bool (*asked)(const struct engine_asked *asked);
	const char *why, *cure;
} losses[] = {
        {"pinned-paths", ASKED_FOR, OCI | SYSTEMD, pins,
         "the engine looks paths up when it starts and follows links: a process that can write in "
         "a root by then can have it mount another directory, writable",
         "start nothing else there between wrapping and running, or use --platform linux"},
        {"pinned-paths", TOLD, OCI | SYSTEMD, pins_nothing,
         "the engine looks paths up when it starts, and follows links made since they were wrapped",
         "start nothing else there between wrapping and running"},
        {"pinned-paths", TOLD, KUBERNETES, always, "the node looks paths up when the pod starts",
         "give the pod a volume of its own"},
        {"hosts", ASKED_FOR, OCI | SYSTEMD, names_hosts,
         "no host of the list is reached: the engine gives no network by name",
         "use --network on or loopback, or --platform linux"},
        {"hosts", ASKED_FOR, KUBERNETES, names_other_hosts,
         "a NetworkPolicy allows addresses: no name is reached, and nothing at all where the "
         "list denies something",
         "list addresses, or use --platform linux"},
        {"network", ASKED_FOR, KUBERNETES, needs_network_policy,
         "a NetworkPolicy is held by the network plugin of the cluster, if it does that, and "
         "never against the node itself",
         "--network off, which the system call filter holds"},
        {"unix-sockets", ASKED_FOR, ALL, lists_sockets,
         "the listed sockets are not reached: nobody connects on behalf of the command",
         "leave them out, or use --platform linux"},
        {"time-limit", ASKED_FOR, OCI, has_time_limit, "the runtime ends no command after a time",
         "run the runtime under timeout(1)"},
        {"limits", ASKED_FOR, SYSTEMD, limits_tmp, "a unit gives its private /tmp no size",
         "leave it out, or use --platform linux"},
        {"limits", ASKED_FOR, OCI, limits_of_bundle,
         "that of /tmp, and without root those of processes, memory and cpu, are not in the bundle",
         "write it as root, or use --platform linux"},
        {"limits", ASKED_FOR, KUBERNETES, limits_of_pod,
         "a container has limits of memory and cpu, and of nothing else",
         "use the limits of the namespace, or --platform linux"},
        {"cache-copies", TOLD, ALL, has_caches,
         "caches of tools are read-only: no copy of them is shown", "--allow cache:NAME"},
        {"kept-tmp", TOLD, ALL, has_tmp, "the private /tmp is gone after the run",
         "keep files in the workspace"},
        {"host-loopback", TOLD, OCI | SYSTEMD, network_on,
         "servers of this machine can be reached at 127.0.0.1",
         "--platform linux, where --network on does not reach them"},
        {"process-isolation", TOLD, SYSTEMD, always,
         "no PID namespace: processes of the same user can be signalled", "use --platform oci"},
        {"system-call-arguments", TOLD, SYSTEMD, always,
         "system calls are refused as a whole or not at all: of those that our filter judges "
         "by argument some are left, and a datagram can be sent to a unix socket of this "
         "machine",
         "use --platform oci"},
        {"system-call-names", TOLD, ALL, always,
         "a system call that the engine's libseccomp has no name for, or newer than this sbx, "
         "is not refused",
         "an engine with libseccomp 2.6 or later"},
        {"host-files", TOLD, KUBERNETES, always,
         "what can be read outside the roots is the image's, not this machine's",
         "use an image that has what the command needs"},
        {"own-uid", TOLD, OCI, is_user, "the user has the number 0 inside",
         "nothing; files outside belong to the user as before"},
        {"second-layer", TOLD, ALL, always,
         "no Landlock and no canary: what the engine sets up is believed", "use --platform linux"},
        {"supervision", TOLD, ALL, always,
         "nobody watches: protected names replaced from outside, and repositories that the "
         "command makes, are not found",
         "look at what the run changed"},
        {"observation", TOLD, ALL, always, "denials are not observed", "use --platform linux"},
};
#define LOSSES (sizeof(losses) / sizeof(losses[0]))

static void add(json_t *list, const char *guarantee, const char *why, const char *cure)
{
	/* A path in it may have no text; the rest does. */
	json_t *text = json_string(why);

	json_array_append_new(list,
	                      xjson(json_pack("{s:s,s:o,s:s}", "guarantee", guarantee, "why",
	                                      text ? text : xjson(json_string("a protected name")),
	                                      "cure", cure)));
}

static void add_unprotected(json_t *list, const struct places *places)
{
	for (size_t i = 0; i < places->missing.count; i++) {
		cleanup_free char *why =
		        xasprintf("\"%s\" is not there, and the command can make it",
		                  places->missing.items[i]);

		add(list, accepted_names[0], why,
		    "make it (an empty directory), or --accept-lost protected-paths");
	}
	for (size_t i = 0; i < places->renamed.count; i++) {
		cleanup_free char *why =
		        xasprintf("\"%s\" is a symbolic link, and the command can replace it",
		                  places->renamed.items[i]);

		add(list, accepted_names[0], why,
		    "put what it resolves to in its place, or --accept-lost protected-paths");
	}
}

json_t *engine_lost(const struct engine_asked *asked)
{
	json_t *list = xjson(json_array());
	unsigned engine = engine_bit(asked->platform);

	add_unprotected(list, asked->places);
	for (size_t i = 0; i < LOSSES; i++)
		if ((losses[i].engines & engine) && losses[i].asked(asked))
			add(list, losses[i].guarantee, losses[i].why, losses[i].cure);
	return list;
}

/* By its words: one name can be a matter of consent, or not. */
static const struct loss *loss_of(const json_t *item)
{
	const char *guarantee = json_string_value(json_object_get(item, "guarantee"));
	const char *why = json_string_value(json_object_get(item, "why"));

	for (size_t i = 0; guarantee && why && i < LOSSES; i++)
		if (strcmp(losses[i].guarantee, guarantee) == 0 && strcmp(losses[i].why, why) == 0)
			return &losses[i];
	return NULL;
}

static bool is_accepted(const json_t *doc, const char *guarantee)
{
	const json_t *own = json_object_get(json_object_get(doc, "policy"), "sbx");

	return json_list_has_text(json_object_get(own, "accept_lost"), guarantee);
}

int engine_lost_check(const json_t *doc, const json_t *list, struct error *err)
{
	const json_t *item;
	size_t i;

	json_array_foreach (list, i, item) {
		const char *guarantee = json_string_value(json_object_get(item, "guarantee"));
		const char *why = json_string_value(json_object_get(item, "why"));
		const struct loss *loss = loss_of(item);

		if ((loss && loss->consent == TOLD) || approval_grants_no_sandbox(doc) ||
		    (guarantee && word_index(accepted_names, guarantee) >= 0 &&
		     is_accepted(doc, guarantee)))
			continue;
		return error_set(err, EXIT_UNAVAILABLE, "lost",
		                 "%s: %s (--accept-lost %s, or an approval of a run without a "
		                 "sandbox)",
		                 guarantee ? guarantee : "a guarantee of the policy is lost",
		                 why ? why : "unknown", guarantee ? guarantee : "NAME");
	}
	return 0;
}

int engine_fits(const struct engine_asked *asked, struct error *err)
{
	const json_t *own = json_object_get(asked->policy, "sbx");

	if (json_is_true(json_object_get(own, "nested")))
		return error_set(err, EXIT_UNAVAILABLE, "engine",
		                 "namespaces inside (sbx.nested) are not given on %s",
		                 asked->platform);
	if (network_is_named(asked->permissions))
		return error_set(err, EXIT_UNAVAILABLE, "shared-network",
		                 "a loopback that runs share needs --platform linux; use --network "
		                 "loopback");
	return 0;
}
