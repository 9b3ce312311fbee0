#include "repositories/made_repository.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "fs/path.h"
#include "git/other_repositories.h"
#include "kept/put_aside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct bare_root {
	char *path;
	int fd;
	uint32_t had; /* a bit for each other_repository(): its directory was there */
};

_Static_assert(sizeof(((struct bare_root *)0)->had) * 8 >= 18, "a bit for each");

static bool exists(int root, const char *name)
{
	struct stat st;

	return fstatat(root, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static uint32_t directories(int root)
{
	const struct other_repository *other, *last = NULL;
	uint32_t had = 0;

	for (size_t i = 0; (other = other_repository(i)) != NULL; i++) {
		if (last && strcmp(last->directory, other->directory) == 0)
			had |= (had >> (i - 1) & 1) << i;
		else if (exists(root, other->directory))
			had |= 1U << i;
		last = other;
	}
	return had;
}

/* The roots are where sbx-policy has kept a `.git`. */
static bool is_root(const struct permissions *permissions, const struct entry *entry,
                    const char *parent)
{
	return entry->access != ACCESS_WRITE && strcmp(strrchr(entry->path, '/'), "/.git") == 0 &&
	       permissions_resolve(permissions, parent, NULL) == ACCESS_WRITE;
}

int bare_roots_find(const struct permissions *permissions, struct bare_roots *roots,
                    struct error *err)
{
	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		cleanup_free char *parent = path_parent(entry->path);
		cleanup_close int fd = -1;

		if (!is_root(permissions, entry, parent))
			continue;
		fd = open(parent, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
			continue;
		if (fd < 0)
			return error_system(err, "opening \"%s\"", parent);
		list_add(roots->items, roots->count,
		         (struct bare_root){.path = keep_ptr(parent), .had = directories(fd)});
		roots->items[roots->count - 1].fd = keep_fd(&fd);
	}
	return 0;
}

static bool is_own_file(int root, const char *path)
{
	cleanup_close int fd = path_open_beneath(root, path, O_PATH | O_NOFOLLOW);
	struct stat st;

	/* In /tmp it may be a stranger's, whom the tools do not obey; and an empty one says
	 * nothing. */
	return fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	       (!S_ISREG(st.st_mode) || st.st_size > 0);
}

static void judge(const struct bare_root *root, const struct other_repository *other)
{
	cleanup_free char *path = path_below(other->directory, other->file);
	char name[NAME_MAX + 1];

	if (!is_own_file(root->fd, path))
		return;
	if (put_aside_below(root->fd, path, name) == 0)
		complain("\"%s/%s\": the command made this repository, and its settings run "
		         "programs: the file was renamed to %s",
		         root->path, path, name);
	else
		complain("\"%s/%s\": the command made this repository, and its settings run "
		         "programs: review it first (renaming it: %s)",
		         root->path, path, strerror(errno));
}

void bare_roots_restore(struct bare_roots *roots)
{
	const struct other_repository *other;

	for (size_t i = 0; i < roots->count; i++) {
		struct bare_root *root = &roots->items[i];
		uint32_t now = directories(root->fd) & ~root->had;

		for (size_t k = 0; now && (other = other_repository(k)) != NULL; k++)
			if ((now >> k & 1) && (other->counts & WHERE_IT_IS_NEW))
				judge(root, other);
		close(root->fd);
		free(root->path);
	}
	free(roots->items);
	*roots = (struct bare_roots){0};
}
