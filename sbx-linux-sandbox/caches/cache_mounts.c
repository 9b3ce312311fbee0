#include "caches/cache_mounts.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "fs/fd_path.h"
#include "fs/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

struct caching {
	struct request *request;
	struct layers *layers;
	struct mounts *mounts;
	size_t at; /* where the next one belongs in the order */
	int root, home;
	int last;     /* the highest descriptor that a cache may take */
	bool crowded; /* some had none */
};

/* Each takes two or three, and what comes after them needs some as well. */
#define DESCRIPTORS_LEFT 64

static int last_descriptor(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) < 0 || files.rlim_cur > INT_MAX)
		return INT_MAX;
	return (int)files.rlim_cur - DESCRIPTORS_LEFT;
}

/* After what is around it, before what is in it. */
static size_t place_in(const struct mounts *mounts, const char *path)
{
	size_t at = 0;

	for (size_t i = 0; i < mounts->count; i++)
		if (path_contains(mounts->items[i].path, path))
			at = i + 1;
	return at;
}

static void settle(struct caching *c)
{
	mounts_move_last(c->mounts, c->at++);
}

static void allow(struct caching *c, const char *path, enum access access)
{
	permissions_add(&c->request->inside, path, access);
	if (c->request->passing)
		permissions_add(&c->request->explained, path, access);
}

/* As the host has it; where it has none, there is none to be made. */
static int close_name(struct caching *c, const char *path, bool missing_too)
{
	cleanup_close int fd = path_open_beneath(c->root, path + 1, O_PATH | O_NOFOLLOW);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && !S_ISLNK(st.st_mode)) {
		mounts_append_source(c->mounts, MOUNT_READ, path, keep_fd(&fd), &st);
		settle(c);
	} else if (fd < 0 && errno == ENOENT && missing_too) {
		mounts_append_empty(c->mounts, path, 0555);
		settle(c);
		mounts_append(c->mounts, MOUNT_SEAL, path);
		settle(c);
	} else if (fd < 0 && errno != ENOENT) {
		return -1;
	}
	allow(c, path, ACCESS_READ);
	return 0;
}

/* A read entry in what is read anyway has no mount of its own yet. */
static int close_entries(struct caching *c, const char *cache)
{
	const struct permissions *given = &c->request->permissions;

	for (size_t i = 0; i < given->count; i++) {
		const struct entry *entry = &given->entries[i];
		cleanup_free char *parent = path_parent(entry->path);

		if (entry->access == ACCESS_READ && strcmp(entry->path, cache) != 0 &&
		    path_contains(cache, entry->path) &&
		    permissions_resolve(given, parent, NULL) == ACCESS_READ &&
		    close_name(c, entry->path, false) < 0)
			return -1;
	}
	return 0;
}

static int close_kept(struct caching *c, const struct cache *cache)
{
	for (char **name = cache->keep; *name; name++) {
		cleanup_free char *path = path_join(cache->path, *name);

		if (permissions_resolve(&c->request->permissions, path, NULL) == ACCESS_READ &&
		    !permissions_find(&c->request->permissions, path) &&
		    close_name(c, path, true) < 0)
			return -1;
	}
	return close_entries(c, cache->path);
}

/* By an entry of its own, not with what is around it. */
static bool is_mounted(const struct mounts *mounts, const char *path)
{
	for (size_t i = 0; i < mounts->count; i++)
		if (strcmp(mounts->items[i].path, path) == 0)
			return true;
	return false;
}

/* Somebody else's, a link, or not to be made: it stays as the policy has it. */
static bool is_usable(int fd)
{
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

static void add_part(struct layers *layers, const struct stat *st, const char *name)
{
	struct overlay *o = &layers->overlay;

	o->parts = xrealloc_array(o->parts, o->count + 1, sizeof(*o->parts));
	o->parts[o->count++] =
	        (struct overlay_part){.dev = st->st_dev, .ino = st->st_ino, .name = name};
}

static int show(struct caching *c, const struct cache *cache)
{
	const char *name = cache->path + strlen(c->request->home) + 1;
	int made;
	cleanup_close int host = made_open(&c->layers->made, c->home, name, &made);
	cleanup_close int upper = -1;
	struct mount *mount;
	struct stat st;

	if (!is_usable(host) || (c->layers->plain && !made))
		return 0;
	c->crowded |= host > c->last;
	if (c->crowded)
		return 0;
	upper = layer_open(c->layers, name);
	/* What a command made of it is not for us to mend: it is what it wrote. */
	if (upper < 0)
		return 0;
	if (fstat(upper, &st) < 0)
		return -1;
	c->at = place_in(c->mounts, cache->path);
	mounts_append_source(c->mounts, MOUNT_WRITE, cache->path, keep_fd(&upper), &st);
	mount = &c->mounts->items[c->mounts->count - 1];
	mount->source = xasprintf("%s/upper/%s", c->layers->path, name);
	/* With nothing below there is nothing to be copied. */
	mount->overlay = !c->layers->plain && !made;
	if (mount->overlay && layers_need_overlay(c->layers) < 0)
		return -1;
	if (mount->overlay)
		add_part(c->layers, &st, name);
	settle(c);
	allow(c, cache->path, ACCESS_WRITE);
	return close_kept(c, cache);
}

static void hide(struct caching *c, const char *path)
{
	mounts_append_empty(c->mounts, path, 0);
	mounts_append(c->mounts, MOUNT_SEAL, path);
}

/* What other commands changed is to be looked at before it counts. */
static int hide_previews(struct caching *c)
{
	cleanup_close int kept = openat(c->layers->home.place, "..", O_PATH | O_CLOEXEC);
	cleanup_close int place =
	        kept < 0 ? -1
	                 : openat(kept, "previews", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	char path[PATH_MAX];

	if (place < 0 && errno == ENOENT)
		return 0;
	if (place < 0 || fd_name(place, path) < 0)
		return -1;
	if (permissions_resolve(&c->request->permissions, path, NULL) != ACCESS_NONE)
		hide(c, path);
	return 0;
}

/* Other workspaces' are in it, and this one's by another name. */
static int hide_place(struct caching *c)
{
	char path[PATH_MAX];

	if (fd_name(c->layers->home.place, path) < 0)
		return -1;
	if (permissions_resolve(&c->request->permissions, path, NULL) == ACCESS_NONE)
		return 0;
	hide(c, path);
	return hide_previews(c);
}

static int copy_permissions(struct request *request, struct error *err)
{
	cleanup_json json_t *json = permissions_json(&request->permissions);

	permissions_free(&request->inside);
	return permissions_get(json, &request->inside, err);
}

int caches_mount(struct request *request, struct layers *layers, struct mounts *mounts,
                 struct error *err)
{
	cleanup_close int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	cleanup_close int home =
	        layers->slot < 0 ? -1 : path_open_beneath(root, request->home + 1, O_PATH);
	struct caching c = {.request = request,
	                    .layers = layers,
	                    .mounts = mounts,
	                    .root = root,
	                    .home = home,
	                    .last = last_descriptor()};

	/* Nothing is made outside of it. */
	if (!is_usable(home))
		return 0;
	if (copy_permissions(request, err) < 0)
		return -1;
	layers->overlay.count = 0;
	for (size_t i = 0; i < request->cache_count && !c.crowded; i++) {
		const struct cache *cache = &request->caches[i];

		/* Written, hidden, or named itself: then the policy says more than the table. */
		if (permissions_resolve(&request->permissions, cache->path, NULL) == ACCESS_READ &&
		    !is_mounted(mounts, cache->path) && show(&c, cache) < 0)
			return error_system(err, "showing \"%s\"", cache->path);
	}
	if (c.crowded)
		complain(
		        "some caches stay read-only: a process may open few files here (ulimit -n)");
	return hide_place(&c) < 0 ? error_system(err, "hiding \"%s\"", request->kept) : 0;
}
