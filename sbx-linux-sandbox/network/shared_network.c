#include "network/shared_network.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "base/sha256.h"
#include "fs/path.h"
#include "fs/same_file.h"
#include "fs/take_turns.h"
#include "policy/slash_tmp.h"
#include "tmp/private_tmp.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK_WAIT_MS 10000 /* another run needs some milliseconds to begin */

/* ---- which one ---------------------------------------------------------------- */

static void add(struct sha256 *sha, const char *kind, const char *text)
{
	sha256_add(sha, kind, strlen(kind) + 1);
	sha256_add(sha, text, strlen(text) + 1);
}

/*
 * What is closed again inside of a root is left out: a build that makes a
 * repository there would part the next run from the server of this one.
 */
static bool is_carve_out(const struct permissions *permissions, const struct entry *entry)
{
	cleanup_free char *parent = path_parent(entry->path);

	return entry->access == ACCESS_READ && entry->path[1] &&
	       permissions_resolve(permissions, parent, NULL) == ACCESS_WRITE;
}

static char *digest_of(const struct request *request)
{
	const struct permissions *permissions = &request->permissions;
	char text[SHA256_TEXT_SIZE];
	struct sha256 sha;

	sha256_begin(&sha);
	add(&sha, "name", permissions->network_name);
	add(&sha, "workspace", request->workspace);
	for (size_t i = 0; i < permissions->count; i++)
		if (!is_carve_out(permissions, &permissions->entries[i]))
			add(&sha, access_names[permissions->entries[i].access],
			    permissions->entries[i].path);
	for (char *const *socket = permissions->unix_sockets; socket && *socket; socket++)
		add(&sha, "socket", *socket);
	add(&sha, "debug", request->debugged ? "1" : "0");
	sha256_end(&sha, text);
	return xstrdup(strchr(text, ':') + 1);
}

static int open_directory(struct shared_network *network, struct error *err)
{
	cleanup_free char *tmp = slash_tmp(), *name = NULL;
	struct private_tmp place;

	if (!tmp)
		return error_set(err, EXIT_UNAVAILABLE, "shared-network", "there is no /tmp");
	if (private_place_open(tmp, &place, &name, err) < 0)
		return -1;
	network->directory = private_enter(place.place, "networks");
	private_tmp_close(&place);
	/* The time of the last use; see stale_tmp.c. */
	if (network->directory < 0 || futimens(network->directory, NULL) < 0)
		return error_system(err, "opening \"%s/%s/networks\"", tmp, name);
	return 0;
}

/* ---- who is there --------------------------------------------------------------- */

/* In ticks since the machine was started; 0: there is no such process. */
static unsigned long long started(int process)
{
	char text[1024];
	const char *at;

	read_small(process, "stat", text, sizeof(text));
	/* The second field is a name with anything in it; the one wanted is the 22nd. */
	at = strrchr(text, ')');
	for (int i = 2; at && i < 22; i++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at + 1, NULL, 10) : 0;
}

static int open_process(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* A child of our own user namespace that this user made. */
static bool is_our_namespace(int user)
{
	cleanup_close int parent = ioctl(user, NS_GET_PARENT);
	cleanup_close int own = open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);
	struct stat a, b;
	uid_t owner;

	return parent >= 0 && own >= 0 && fstat(parent, &a) == 0 && fstat(own, &b) == 0 &&
	       same_file(&a, &b) && ioctl(user, NS_GET_OWNER_UID, &owner) == 0 &&
	       owner == geteuid();
}

/* A number may be another process's by now: its beginning tells. */
static bool find_member(struct shared_network *network, pid_t pid, unsigned long long start)
{
	cleanup_close int process = open_process(pid), net = -1, user = -1;

	if (process < 0 || start == 0 || started(process) != start)
		return false;
	if (network->net >= 0)
		return true;
	net = openat(process, "ns/net", O_RDONLY | O_CLOEXEC);
	user = net < 0 ? -1 : ioctl(net, NS_GET_USERNS);
	if (user < 0 || !is_our_namespace(user))
		return false;
	network->net = keep_fd(&net);
	network->user = keep_fd(&user);
	return true;
}

struct list {
	char *text; /* a line for each that is there */
	size_t size;
};

/* Of the runs in the file, those that are still there, without this one. */
static int read_members(struct shared_network *network, struct list *alive)
{
	int file = openat(network->directory, network->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	FILE *in = file < 0 ? NULL : fdopen(file, "r");
	FILE *out = in || errno == ENOENT ? open_memstream(&alive->text, &alive->size) : NULL;
	unsigned long long start;
	int pid;

	while (in && out && fscanf(in, "%d %llu", &pid, &start) == 2)
		if (pid != network->member && find_member(network, pid, start))
			fprintf(out, "%d %llu\n", pid, start);
	if (in)
		fclose(in);
	return out && fclose(out) == 0 ? 0 : -1;
}

static int write_members(const struct shared_network *network, const struct list *alive)
{
	cleanup_close int file =
	        openat(network->directory, network->name,
	               O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);

	return file >= 0 && write(file, alive->text, alive->size) == (ssize_t)alive->size ? 0 : -1;
}

/* ---- joining and leaving ---------------------------------------------------------- */

static void unlock(struct shared_network *network)
{
	int *const fds[] = {&network->lock, &network->user, &network->net};

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
}

int shared_network_open(const struct request *request, struct shared_network *network,
                        struct error *err)
{
	struct list alive = {0};
	int status;

	if (network->directory < 0 && open_directory(network, err) < 0)
		return -1;
	if (!network->name)
		network->name = digest_of(request);
	network->lock = lock_take(network->directory, "lock", LOCK_WAIT_MS, err);
	if (network->lock < 0)
		return -1;
	status = read_members(network, &alive);
	free(alive.text);
	return status < 0 ? error_system(err, "looking for the network \"%s\"",
	                                 request->permissions.network_name)
	                  : 0;
}

int shared_network_joined(struct shared_network *network, pid_t member, struct error *err)
{
	cleanup_close int process = open_process(member);
	unsigned long long start = process < 0 ? 0 : started(process);
	struct list alive = {0};
	int status = start ? read_members(network, &alive) : -1;

	if (status == 0) {
		cleanup_free char *before = alive.text;

		alive.text = xasprintf("%s%d %llu\n", before, (int)member, start);
		alive.size = strlen(alive.text);
		network->member = member;
		status = write_members(network, &alive);
	}
	free(alive.text);
	unlock(network);
	return status < 0 ? error_system(err, "joining a network") : 0;
}

/* The last one takes the file away; what a SIGKILL leaves, the next run of that name. */
static void leave(struct shared_network *network)
{
	struct error ignored;
	struct list alive = {0};

	network->lock = lock_take(network->directory, "lock", LOCK_WAIT_MS, &ignored);
	if (network->lock >= 0 && read_members(network, &alive) == 0 &&
	    (alive.size ? write_members(network, &alive)
	                : unlinkat(network->directory, network->name, 0)) < 0)
		errno = 0;
	free(alive.text);
}

void shared_network_forget(struct shared_network *network)
{
	if (network->directory < 0)
		return;
	unlock(network);
	close(network->directory);
	free(network->name);
	*network = (struct shared_network)SHARED_NETWORK_NONE;
}

void shared_network_close(struct shared_network *network)
{
	if (network->directory < 0)
		return;
	unlock(network);
	if (network->member)
		leave(network);
	shared_network_forget(network);
}
