/*
 * An OCI bundle: config.json of the runtime specification, for crun and runc.
 */
#include "base/cleanup.h"
#include "base/memory.h"
#include "engine/engine.h"
#include "engine/filter.h"
#include "policy/resource_limits.h"

#include <string.h>
#include <unistd.h>

/* What the kernel shows of itself, and what of it root could switch. */
static const char *const masked[] = {"/proc/kcore",      "/proc/keys",        "/proc/latency_stats",
                                     "/proc/timer_list", "/proc/timer_stats", "/proc/sched_debug",
                                     "/proc/acpi",       "/proc/scsi",        NULL};
static const char *const read_only[] = {
        "/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", NULL};

/* Of a runtime that does not know "rro" the "ro" before it is what counts. */
static const char *const read_options[] = {"rbind", "ro",       "rro", "nosuid",
                                           "nodev", "rprivate", NULL};
static const char *const write_options[] = {"rbind", "rw", "nosuid", "nodev", "rprivate", NULL};
/* There is nothing below a file, and crun 1.8 takes what is recursive for a directory. */
static const char *const read_file_options[] = {"bind", "ro", "nosuid", "nodev", "rprivate", NULL};
static const char *const tmp_options[] = {"nosuid", "nodev", "mode=1777", NULL};
static const char *const empty_options[] = {"ro",        "nosuid",  "nodev", "noexec",
                                            "mode=0111", "size=4k", NULL};
/* A device that is on a mount without devices cannot be opened. */
static const char *const no_file_options[] = {"bind", "ro", "nosuid", "nodev", "noexec", NULL};

static json_t *words(const char *const *list)
{
	json_t *out = xjson(json_array());

	for (; *list; list++)
		json_array_append_new(out, xjson(json_string(*list)));
	return out;
}

static void add_mount(json_t *mounts, json_t *at, const char *type, json_t *source,
                      const char *const *options)
{
	json_array_append_new(mounts,
	                      xjson(json_pack("{s:o,s:s,s:o,s:o}", "destination", at, "type", type,
	                                      "source", source, "options", words(options))));
}

static void add_own(json_t *mounts)
{
	static const struct {
		const char *at, *type;
		const char *options[6];
	} own[] = {
	        {"/proc", "proc", {"nosuid", "noexec", "nodev"}},
	        {"/dev", "tmpfs", {"nosuid", "noexec", "mode=755", "size=64k"}},
	        {"/dev/pts",
	         "devpts",
	         {"nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620"}},
	        {"/dev/shm", "tmpfs", {"nosuid", "noexec", "nodev", "mode=1777"}},
	        {"/dev/mqueue", "mqueue", {"nosuid", "noexec", "nodev"}},
	};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		add_mount(mounts, xjson(json_string(own[i].at)), own[i].type,
		          xjson(json_string(own[i].type)), own[i].options);
}

static int add_place(json_t *mounts, const struct place *place, struct error *err)
{
	json_t *at = engine_text(place->path, "path", err);

	if (!at)
		return -1;
	switch (place->kind) {
	case PLACE_READ:
		add_mount(mounts, at, "bind", json_incref(at),
		          place->directory ? read_options : read_file_options);
		break;
	case PLACE_WRITE:
		add_mount(mounts, at, "bind", json_incref(at), write_options);
		break;
	case PLACE_TMP:
		add_mount(mounts, at, "tmpfs", xjson(json_string("tmpfs")), tmp_options);
		break;
	case PLACE_HIDE:
		if (place->directory)
			add_mount(mounts, at, "tmpfs", xjson(json_string("tmpfs")), empty_options);
		else
			add_mount(mounts, at, "bind", xjson(json_string("/dev/null")),
			          no_file_options);
		break;
	}
	return 0;
}

static json_t *mounts_of(const struct places *places, struct error *err)
{
	cleanup_json json_t *mounts = xjson(json_array());

	add_own(mounts);
	for (size_t i = 0; i < places->count; i++)
		if (add_place(mounts, &places->items[i], err) < 0)
			return NULL;
	return json_incref(mounts);
}

static json_t *links_of(const struct places *places, struct error *err)
{
	cleanup_json json_t *links = xjson(json_object());

	for (size_t i = 0; i + 1 < places->links.count; i += 2) {
		json_t *name = engine_text(places->links.items[i], "/", err);
		json_t *target = name ? engine_text(places->links.items[i + 1], "/", err) : NULL;

		json_decref(name);
		if (!target)
			return NULL;
		json_object_set_new(links, places->links.items[i], target);
	}
	return json_incref(links);
}

static void add_namespace(json_t *linux_part, const char *type)
{
	json_array_append_new(json_object_get(linux_part, "namespaces"),
	                      xjson(json_pack("{s:s}", "type", type)));
}

/* Without root there is one number to map; runtimes want it to be 0 inside. */
static void map_user(json_t *linux_part)
{
	add_namespace(linux_part, "user");
	json_object_set_new(linux_part, "uidMappings",
	                    xjson(json_pack("[{s:i,s:I,s:i}]", "containerID", 0, "hostID",
	                                    (json_int_t)geteuid(), "size", 1)));
	json_object_set_new(linux_part, "gidMappings",
	                    xjson(json_pack("[{s:i,s:I,s:i}]", "containerID", 0, "hostID",
	                                    (json_int_t)getegid(), "size", 1)));
}

static json_t *resources_of(const struct limits *limits)
{
	const int64_t *most = limits->most;
	json_t *out = xjson(json_object());

	if (most[LIMIT_PROCESSES])
		json_object_set_new(
		        out, "pids",
		        xjson(json_pack("{s:I}", "limit", (json_int_t)most[LIMIT_PROCESSES])));
	if (most[LIMIT_MEMORY])
		json_object_set_new(
		        out, "memory",
		        xjson(json_pack("{s:I,s:I}", "limit", (json_int_t)most[LIMIT_MEMORY],
		                        "swap", (json_int_t)most[LIMIT_MEMORY])));
	/* Of each tenth of a second. */
	if (most[LIMIT_CPU])
		json_object_set_new(
		        out, "cpu",
		        xjson(json_pack("{s:I,s:I}", "quota", (json_int_t)most[LIMIT_CPU] * 100,
		                        "period", (json_int_t)100000)));
	return out;
}

/* What a runtime can set without root is in the process; the rest needs a cgroup. */
static int add_limits(const struct engine_run *run, json_t *process, json_t *linux_part,
                      struct error *err)
{
	struct limits limits;
	json_int_t file;

	if (limits_get(json_object_get(run->wrap->policy, "limits"), &limits, err) < 0)
		return -1;
	file = limits.most[LIMIT_FILES];
	if (file)
		json_object_set_new(process, "rlimits",
		                    xjson(json_pack("[{s:s,s:I,s:I}]", "type", "RLIMIT_FSIZE",
		                                    "hard", file, "soft", file)));
	if (geteuid() == 0 && limits_any(&limits))
		json_object_set_new(linux_part, "resources", resources_of(&limits));
	return 0;
}

static json_t *linux_of(const struct engine_run *run)
{
	static const char *const always[] = {"pid", "mount", "ipc", "uts"};
	bool root = geteuid() == 0;
	json_t *out = xjson(json_pack(
	        "{s:[],s:s,s:o,s:o,s:o}", "namespaces", "rootfsPropagation", "private",
	        "maskedPaths", words(masked), "readonlyPaths", words(read_only), "seccomp",
	        engine_filter(engine_has_internet(run), root, engine_is_debugged(run))));

	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		add_namespace(out, always[i]);
	if (run->wrap->permissions.network != NETWORK_ON)
		add_namespace(out, "network");
	if (!root)
		map_user(out);
	return out;
}

static json_t *process_of(const struct engine_run *run, struct error *err)
{
	static const char *const sets[] = {"bounding", "effective", "inheritable", "permitted",
	                                   "ambient"};
	cleanup_json json_t *args = engine_texts(run->wrap->command.argv, "argv", err);
	cleanup_json json_t *env = args ? engine_texts(run->env, "variable", err) : NULL;
	cleanup_json json_t *cwd = env ? engine_text(run->wrap->command.cwd, "cwd", err) : NULL;
	json_t *none = xjson(json_object());
	bool root = geteuid() == 0;

	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		json_object_set_new(none, sets[i], xjson(json_array()));
	if (!cwd) {
		json_decref(none);
		return NULL;
	}
	return xjson(json_pack("{s:b,s:{s:i,s:I},s:O,s:O,s:O,s:o,s:b}", "terminal", 0, "user",
	                       "uid", 0, "gid", root ? (json_int_t)getegid() : 0, "args", args,
	                       "env", env, "cwd", cwd, "capabilities", none, "noNewPrivileges", 1));
}

json_t *oci_members(struct engine_run *run, struct error *err)
{
	cleanup_json json_t *process = process_of(run, err);
	cleanup_json json_t *mounts = process ? mounts_of(run->places, err) : NULL;
	cleanup_json json_t *links = mounts ? links_of(run->places, err) : NULL;
	cleanup_json json_t *linux_part = links ? linux_of(run) : NULL;
	cleanup_json json_t *config = NULL;

	if (!links || add_limits(run, process, linux_part, err) < 0)
		return NULL;
	config = xjson(json_pack("{s:s,s:O,s:{s:s,s:b},s:O,s:O}", "ociVersion", "1.0.2", "process",
	                         process, "root", "path", "rootfs", "readonly", 1, "mounts", mounts,
	                         "linux", linux_part));
	engine_name(run, config);
	return xjson(json_pack("{s:{s:O,s:O}}", "bundle", "config", config, "links", links));
}
