#include "trust/host_tmp.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/directory_names.h"
#include "fs/path.h"
#include "policy/protected_names.h"
#include "policy/slash_tmp.h"
#include "trust/settings_home.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the look may cost: names in /tmp, and names in each directory there. */
#define NAMES_MAX    20000
#define SOCKETS_LOOK 200

const char *const tmp_socket_places[] = {
        "tmux-", /* a client runs what its server tells it */
        "emacs", /* a client gives its terminal away */
        NULL,
};

struct inside {
	int fd;
	size_t left;
	bool socket;
};

static bool is_socket(int directory, const char *name)
{
	struct stat st;

	return fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISSOCK(st.st_mode);
}

static bool look_inside(void *context, const char *name, enum kind kind)
{
	struct inside *inside = context;

	if (inside->left-- == 0)
		return false;
	inside->socket = kind != KIND_DIRECTORY && is_socket(inside->fd, name);
	return !inside->socket;
}

/* One that we cannot look into is closed to the command as well. */
bool has_socket(int directory, const char *name)
{
	cleanup_close int fd = openat(directory, name,
	                              O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct inside inside = {.fd = fd, .left = SOCKETS_LOOK};

	if (fd < 0)
		return false;
	return listing(fd, look_inside, &inside) < 0 || inside.socket;
}

struct scan {
	struct permissions *permissions;
	const char *tmp;
	int fd;
	size_t names;
};

static void keep(struct permissions *permissions, const char *tmp, const char *path)
{
	if (tmp_decides(permissions, tmp, path))
		permissions_add(permissions, path, ACCESS_READ);
}

static void keep_names(struct permissions *permissions, const char *directory, const char *tmp)
{
	for (const char *const *name = protected_names; *name; name++) {
		cleanup_free char *path = path_join(directory, *name);

		keep(permissions, tmp, path);
	}
}

static void keep_in(struct scan *scan, const char *name)
{
	cleanup_free char *path = path_below(scan->tmp, name);
	cleanup_free char *repository = path_join(path, ".git");
	struct stat st;

	if (has_socket(scan->fd, name))
		keep(scan->permissions, scan->tmp, path);
	else if (lstat(repository, &st) == 0)
		keep_names(scan->permissions, path, scan->tmp);
}

static bool look(void *context, const char *name, enum kind kind)
{
	struct scan *scan = context;
	cleanup_free char *path = path_below(scan->tmp, name);

	if (scan->names++ >= NAMES_MAX)
		return false;
	if (may_be_directory(kind))
		keep_in(scan, name);
	if (kind != KIND_DIRECTORY && is_socket(scan->fd, name))
		keep(scan->permissions, scan->tmp, path);
	return true;
}

/* Where there is too much to look at, all of it is kept. */
static void keep_what_is_there(struct permissions *permissions, const char *tmp)
{
	cleanup_close int fd = open(tmp, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct scan scan = {.permissions = permissions, .tmp = tmp, .fd = fd};

	if (fd >= 0 && listing(fd, look, &scan) == 0)
		return;
	permissions_remove(permissions, tmp);
	permissions_add(permissions, tmp, ACCESS_READ);
}

static void keep_own(struct permissions *permissions, const char *tmp)
{
	for (unsigned i = 0; i < OWN_PLACES; i++) {
		cleanup_free char *path = own_place(i);

		if (path)
			keep(permissions, tmp, path);
	}
	for (const char *const *place = tmp_socket_places; *place; place++) {
		cleanup_free char *path =
		        xasprintf("%s/%s%lu", tmp, *place, (unsigned long)geteuid());

		keep(permissions, tmp, path);
	}
}

static void keep_all(struct permissions *permissions)
{
	cleanup_free char *tmp = slash_tmp();

	/* Nothing is looked for where the command cannot write, or works itself. */
	if (!tmp || !tmp_decides(permissions, tmp, tmp))
		return;
	keep_names(permissions, tmp, tmp);
	keep_own(permissions, tmp);
	keep_what_is_there(permissions, tmp);
}

json_t *tmp_shared(json_t *policy)
{
	struct permissions permissions = {0};
	struct error none = {0};
	json_t *shared, *now;

	if (!tmp_is_private(policy) ||
	    permissions_get(json_object_get(policy, "permissions"), &permissions, &none) < 0)
		return json_incref(policy);
	if (tmp_is_lost(policy))
		keep_all(&permissions);
	shared = xjson(json_deep_copy(policy));
	now = permissions_json(&permissions);
	json_object_update(json_object_get(shared, "permissions"), now);
	json_object_set_new(shared, "tmp", xjson(json_string("shared")));
	json_decref(now);
	permissions_free(&permissions);
	return shared;
}
