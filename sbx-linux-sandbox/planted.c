#include "planted.h"

#include "aside.h"
#include "cleanup.h"
#include "memory.h"
#include "path.h"
#include "repository.h"
#include "slash_tmp.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has(int root, const char *name, struct stat *st)
{
	return fstatat(root, name, st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* One that git takes: an empty directory is what a run keeps there, or as good as none. */
static bool has_own_git(int root)
{
	struct stat st;

	return has(root, ".git", &st) && (S_ISREG(st.st_mode) || is_git_directory(root, ".git"));
}

int plain_roots_find(const struct permissions *permissions, const char *private_tmp,
                     struct plain_roots *roots, struct error *err)
{
	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		cleanup_free char *parent = path_parent(entry->path);
		cleanup_close int fd = -1;
		struct stat st;

		if (entry->access == ACCESS_WRITE ||
		    strcmp(strrchr(entry->path, '/'), "/.git") != 0 ||
		    permissions_resolve(permissions, parent, NULL) != ACCESS_WRITE ||
		    (private_tmp && tmp_decides(permissions, private_tmp, parent)))
			continue;
		fd = open(parent, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
			continue;
		if (fd < 0)
			return error_system(err, "opening \"%s\"", parent);
		if (has_own_git(fd) || has(fd, "HEAD", &st))
			continue;
		roots->items =
		        xrealloc_array(roots->items, roots->count + 1, sizeof(*roots->items));
		roots->items[roots->count++] =
		        (struct plain_root){.path = keep_ptr(parent), .fd = keep_fd(&fd)};
	}
	return 0;
}

static void disarm(const struct plain_root *root)
{
	char name[NAME_MAX + 1];

	if (put_aside(root->fd, "HEAD", "HEAD.sbx", name) == 0)
		complain("\"%s\": the command made a repository of it, where git would run what "
		         "its config names; HEAD is called %s now",
		         root->path, name);
	else
		complain("\"%s\": the command made a repository of it, and git runs what its "
		         "config names; remove HEAD before you use git there (renaming it: %s)",
		         root->path, strerror(errno));
}

static void judge(const struct plain_root *root)
{
	struct stat st;

	if (!has(root->fd, "HEAD", &st)) {
		if (errno != ENOENT)
			complain("\"%s\": is it a repository now?  Looking at HEAD: %s", root->path,
			         strerror(errno));
		return;
	}
	/* In /tmp it may be a stranger's, of which git takes no notice. */
	if (st.st_uid == geteuid() && !has_own_git(root->fd) && is_git_directory(root->fd, "."))
		disarm(root);
}

void plain_roots_restore(struct plain_roots *roots)
{
	for (size_t i = 0; i < roots->count; i++) {
		judge(&roots->items[i]);
		close(roots->items[i].fd);
		free(roots->items[i].path);
	}
	free(roots->items);
	*roots = (struct plain_roots){0};
}
