/*
 * A service of systemd, as a unit file.
 */
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"
#include "engine/engine.h"
#include "engine/filter.h"
#include "engine/unit_text.h"
#include "fs/path.h"
#include "policy/resource_limits.h"
#include "process/find_command.h"

#include <errno.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is the same for every policy. */
static const char *const always[] = {
        "Type=exec",
        "StandardInput=null",
        "UMask=0022",
        "NoNewPrivileges=yes",
        "CapabilityBoundingSet=",
        "AmbientCapabilities=",
        "ProtectSystem=strict",
        "PrivateDevices=yes",
        "PrivateIPC=yes",
        /* A private /dev has the machine's own of it. */
        "TemporaryFileSystem=/dev/shm:rw,nosuid,nodev,mode=1777",
        "PrivateMounts=yes",
        /*
         * Without one, /proc/PID/root of any other process of the user is a way to all that
         * the user can write: a process may look into one of its own user namespace.
         */
        "PrivateUsers=yes",
        "MountFlags=private",
        "ProtectProc=invisible",
        "ProtectKernelTunables=yes",
        "ProtectKernelModules=yes",
        "ProtectKernelLogs=yes",
        "ProtectControlGroups=yes",
        "ProtectClock=yes",
        "ProtectHostname=yes",
        "RestrictNamespaces=yes",
        "RestrictSUIDSGID=yes",
        "KeyringMode=private",
        "SystemCallArchitectures=native",
};

static void add(struct strings *lines, char *line)
{
	strings_add(lines, line);
}

/* The first program of that name on the command's own PATH: a unit has to say which. */
static char *program_of(const struct engine_run *run, struct error *err)
{
	char *const *argv = run->wrap->command.argv;
	struct search search;
	char *found = NULL;

	search_begin(&search, argv[0], argv, run->env);
	for (size_t i = 0; !found && search.candidates[i]; i++) {
		cleanup_free char *path = path_join(run->wrap->command.cwd, search.candidates[i]);

		if (access(path, X_OK) == 0)
			found = keep_ptr(path);
	}
	search_free(&search);
	if (!found)
		error_set(err, EXIT_INPUT, "not-found",
		          "\"%s\": no such program on the PATH of the "
		          "command",
		          argv[0]);
	return found;
}

/* "@": the name that the program sees comes after its path; ":": no variables are replaced. */
static int add_command(const struct engine_run *run, struct strings *lines, struct error *err)
{
	cleanup_free char *program = program_of(run, err);
	cleanup_free char *first = program ? xasprintf("@:%s", program) : NULL;
	cleanup_free char *line = first ? unit_quoted(first, "argv[0]", err) : NULL;

	for (char *const *argv = run->wrap->command.argv; line && *argv; argv++) {
		cleanup_free char *word = unit_quoted(*argv, "argv", err);
		cleanup_free char *before = line;

		line = word ? xasprintf("%s %s", before, word) : NULL;
	}
	if (!line)
		return -1;
	add(lines, xasprintf("ExecStart=%s", line));
	return 0;
}

static int add_environment(const struct engine_run *run, struct strings *lines, struct error *err)
{
	for (char *const *env = run->env; *env; env++) {
		cleanup_free char *word = unit_quoted(*env, "variable", err);

		if (!word)
			return -1;
		add(lines, xasprintf("Environment=%s", word));
	}
	return 0;
}

static int refuse(const struct place *place, const char *why, struct error *err)
{
	return error_set(err, EXIT_UNAVAILABLE, "engine", "\"%s\": %s", place->path, why);
}

static int add_place(const struct engine_run *run, const struct place *place, struct strings *lines,
                     struct error *err)
{
	static const char *const settings[] = {[PLACE_READ] = "ReadOnlyPaths",
	                                       [PLACE_WRITE] = "ReadWritePaths",
	                                       [PLACE_HIDE] = "InaccessiblePaths"};
	cleanup_free char *path = unit_path(place->path, err);

	if (!path)
		return -1;
	if (place->kind == PLACE_TMP) {
		if (strcmp(place->path, "/tmp") != 0)
			return refuse(place, "systemd makes a private /tmp only; use --tmp shared",
			              err);
		add(lines, xstrdup("PrivateTmp=yes"));
		return 0;
	}
	if (run->places->tmp && path_contains("/tmp", place->path))
		return refuse(place, "a unit cannot show it in a private /tmp; use --tmp shared",
		              err);
	if (place->reopened)
		return refuse(place, "a unit cannot show something in what it hides", err);
	add(lines, xasprintf("%s=%s", settings[place->kind], path));
	return 0;
}

static int add_places(const struct engine_run *run, struct strings *lines, struct error *err)
{
	if (!run->places->all_readable)
		return error_set(err, EXIT_UNAVAILABLE, "engine",
		                 "a unit cannot hide all but what the policy lists; use "
		                 "--platform oci");
	for (size_t i = 0; i < run->places->count; i++)
		if (add_place(run, &run->places->items[i], lines, err) < 0)
			return -1;
	return 0;
}

static void add_network(const struct engine_run *run, struct strings *lines)
{
	if (run->wrap->permissions.network != NETWORK_ON)
		add(lines, xstrdup("PrivateNetwork=yes"));
	add(lines,
	    xstrdup(engine_has_internet(run) ? "RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK"
	                                     : "RestrictAddressFamilies=AF_UNIX"));
}

/* The calls that are refused whatever their arguments are. */
static void add_filter(const struct engine_run *run, struct strings *lines)
{
	cleanup_json json_t *filter =
	        engine_filter(engine_has_internet(run), geteuid() == 0, engine_is_debugged(run));
	const json_t *rule;
	size_t i;

	json_array_foreach (json_object_get(filter, "syscalls"), i, rule) {
		const json_t *name = json_array_get(json_object_get(rule, "names"), 0);

		if (!json_object_get(rule, "args"))
			add(lines, xasprintf("SystemCallFilter=~%s:%lld", json_string_value(name),
			                     (long long)json_integer_value(
			                             json_object_get(rule, "errnoRet"))));
	}
}

static int add_limits(const struct engine_run *run, struct strings *lines, struct error *err)
{
	struct limits limits;
	const int64_t *most = limits.most;

	if (limits_get(json_object_get(run->wrap->policy, "limits"), &limits, err) < 0)
		return -1;
	if (most[LIMIT_PROCESSES])
		add(lines, xasprintf("TasksMax=%lld", (long long)most[LIMIT_PROCESSES]));
	if (most[LIMIT_MEMORY]) {
		add(lines, xasprintf("MemoryMax=%lld", (long long)most[LIMIT_MEMORY]));
		add(lines, xstrdup("MemorySwapMax=0"));
		add(lines, xstrdup("OOMPolicy=kill"));
	}
	/* A whole percentage of a processor; the least limit is one. */
	if (most[LIMIT_CPU])
		add(lines, xasprintf("CPUQuota=%lld%%", (long long)most[LIMIT_CPU] / 10));
	if (most[LIMIT_FILES])
		add(lines, xasprintf("LimitFSIZE=%lld", (long long)most[LIMIT_FILES]));
	return 0;
}

static int add_rest(const struct engine_run *run, struct strings *lines, struct error *err)
{
	cleanup_free char *cwd = unit_line(run->wrap->command.cwd, err);

	if (!cwd)
		return -1;
	add(lines, xasprintf("WorkingDirectory=%s", cwd));
	if (geteuid() != 0) {
		add(lines, xasprintf("User=%lu", (unsigned long)geteuid()));
		add(lines, xasprintf("Group=%lu", (unsigned long)getegid()));
	}
	if (run->wrap->command.timeout_ms > 0)
		add(lines,
		    xasprintf("RuntimeMaxSec=%lldms", (long long)run->wrap->command.timeout_ms));
	return 0;
}

static char *joined(const struct strings *lines)
{
	char *out = xstrdup("[Unit]\nDescription=A command under a policy of sbx\n"
	                    "CollectMode=inactive-or-failed\n\n[Service]\n");

	for (size_t i = 0; i < lines->count; i++) {
		cleanup_free char *before = out;

		out = xasprintf("%s%s\n", before, lines->items[i]);
	}
	return out;
}

static char *unit_of(const struct engine_run *run, struct error *err)
{
	struct strings lines = {0};
	char *out = NULL;

	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		add(&lines, xstrdup(always[i]));
	add_network(run, &lines);
	add_filter(run, &lines);
	if (add_places(run, &lines, err) == 0 && add_rest(run, &lines, err) == 0 &&
	    add_limits(run, &lines, err) == 0 && add_environment(run, &lines, err) == 0 &&
	    add_command(run, &lines, err) == 0)
		out = joined(&lines);
	strings_free(&lines);
	return out;
}

json_t *systemd_members(struct engine_run *run, struct error *err)
{
	cleanup_free char *unit = unit_of(run, err);
	cleanup_json json_t *content = unit ? xjson(json_string(unit)) : NULL;
	cleanup_json json_t *name = NULL;

	if (!content)
		return NULL;
	engine_name(run, content);
	name = xjson(json_sprintf("%s.service", run->name));
	return xjson(json_pack("{s:{s:O,s:O}}", "unit", "name", name, "text", content));
}
