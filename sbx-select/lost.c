#include "lost.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"
#include "linux/surroundings.h"
#include "obstacle.h"
#include "policy/words.h"

#include <stdbool.h>
#include <string.h>

void lost_add(json_t *list, const char *guarantee, const char *why, const char *cure)
{
	json_array_append_new(list, xjson(json_pack("{s:s,s:s,s:s}", "guarantee", guarantee, "why",
	                                            why, "cure", cure)));
}

static bool always(const struct permissions *permissions)
{
	(void)permissions;
	return true;
}

/* With the network off, the system call filter refuses every address. */
static bool sockets_open(const struct permissions *permissions)
{
	return permissions->network != NETWORK_OFF;
}

static bool hides_some(const struct permissions *permissions)
{
	for (size_t i = 0; i < permissions->count; i++)
		if (permissions->entries[i].access == ACCESS_NONE)
			return true;
	return false;
}

/* Nobody executes for somebody else, and Landlock cannot give the right around it. */
static bool hides_in_root(const struct permissions *permissions)
{
	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		cleanup_free char *parent = path_parent(entry->path);

		if (entry->access == ACCESS_NONE && entry->path[1] &&
		    permissions_resolve(permissions, parent, NULL) == ACCESS_WRITE)
			return true;
	}
	return false;
}

static bool hides_files(const struct permissions *permissions)
{
	return permissions_resolve(permissions, "/", NULL) == ACCESS_NONE ||
	       hides_some(permissions);
}

/* Where nothing is writable the helper refuses the calls that change metadata. */
static bool keeps_files(const struct permissions *permissions)
{
	bool writes = false;

	for (size_t i = 0; i < permissions->count; i++)
		writes |= permissions->entries[i].access == ACCESS_WRITE;
	return writes && permissions_resolve(permissions, "/", NULL) != ACCESS_WRITE &&
	       !surroundings_read_only(permissions);
}

/*
 * Landlock, by what it leaves open below each ABI (0: at every one), alone or
 * only with the broker.
 */
static const struct {
	const char *guarantee;
	enum { EITHER, ALONE, WITH_BROKER } how;
	int abi;
	bool (*asked)(const struct permissions *permissions);
	const char *why;
} landlock_leaves[] = {
        {"process-isolation", EITHER, 0, always,
         "no PID namespace: processes of the same user can be seen, though not traced"},
        {"ipc-isolation", EITHER, 0, always,
         "no IPC namespace: System V IPC and POSIX message queues are shared"},
        {"file-metadata", ALONE, 0, keeps_files,
         "chmod, chown, times and extended attributes outside the writable roots are held by "
         "file ownership only"},
        {"hidden-names", EITHER, 0, hides_files,
         "names, sizes and times of files without read access can be seen with stat()"},
        {"new-programs", WITH_BROKER, 0, hides_in_root,
         "what the command makes in a directory with something hidden in it cannot be executed"},
        {"signals", EITHER, 6, always, "processes of the same user outside can be signalled"},
        {"abstract-sockets", EITHER, 6, sockets_open,
         "abstract Unix sockets outside can be reached"},
        {"unix-sockets", EITHER, 9, sockets_open, "connect() to pathname sockets is not covered"},
};

json_t *lost_with_bubblewrap(const struct machine *machine)
{
	json_t *list = xjson(json_array());

	/* Without Landlock the helper shows none at all: see plan_mounts() there. */
	if (machine->outer_proc && machine->landlock_abi > 0)
		lost_add(list, "process-visibility",
		         "parts of /proc are masked here, so that no fresh one can be mounted: "
		         "processes outside and their command lines can be seen, though not traced",
		         "start the container with --security-opt systempaths=unconfined");
	return list;
}

json_t *lost_with_landlock(const struct machine *machine, const struct permissions *permissions,
                           bool brokered)
{
	json_t *list = xjson(json_array());
	struct obstacle obstacle;

	obstacle_look(machine, &obstacle);
	for (size_t i = 0; i < sizeof(landlock_leaves) / sizeof(landlock_leaves[0]); i++) {
		int abi = landlock_leaves[i].abi;

		if (landlock_leaves[i].how == (brokered ? ALONE : WITH_BROKER))
			continue;
		if ((abi == 0 || machine->landlock_abi < abi) &&
		    landlock_leaves[i].asked(permissions))
			lost_add(list, landlock_leaves[i].guarantee, landlock_leaves[i].why,
			         obstacle.cure);
	}
	return list;
}

json_t *lost_with_network_on(const struct machine *machine, bool nested, json_t *list)
{
	list = list ? list : xjson(json_array());
	if (strcmp(machine->platform, "linux") == 0 && machine->notify && !nested &&
	    (machine->foreign || sockets_can_be_taken()))
		lost_add(list, "host-loopback-datagrams",
		         "datagrams reach servers of this machine; connections do not",
		         "--allow-host '*' has no datagrams, and this machine is not in it");
	else
		lost_add(list, "host-loopback",
		         "servers of this machine can be reached at 127.0.0.1",
		         "--allow-host instead of --network on, on Linux with namespaces");
	return list;
}

json_t *lost_with_proxy(const struct permissions *permissions, json_t *list)
{
	if (permissions->network != NETWORK_HOSTS)
		return list;
	list = list ? list : xjson(json_array());
	lost_add(list, "hosts-without-proxy",
	         "hosts are reached through a proxy that variables name: a program that takes no "
	         "notice of them reaches nobody, and nobody is asked about other hosts",
	         "use Linux, where programs need to know nothing");
	return list;
}

json_t *lost_on_linux(const struct machine *machine, const struct error *fit)
{
	json_t *list = xjson(json_array());
	struct obstacle obstacle;

	obstacle_look(machine, &obstacle);
	if (!machine->seccomp) {
		lost_add(list, "system-call-filter", "the kernel has no seccomp filters",
		         "use a kernel with CONFIG_SECCOMP_FILTER");
	} else {
		cleanup_free char *why = xasprintf("%s; and %s", obstacle.why, fit->message);

		/* The message may quote a path that is not UTF-8; the word does not. */
		json_t *text = json_string(why);

		cleanup_free char *cure =
		        xasprintf("%s%s", obstacle.cure,
		                  strcmp(fit->code, accepted_names[0]) == 0
		                          ? "; --accept-lost protected-paths does without them"
		                          : "");

		lost_add(list, fit->code, text ? why : obstacle.why, cure);
		json_decref(text);
	}
	return list;
}
