#include "preview/preview_roots.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "changes/own_attributes.h"
#include "fs/fd_path.h"
#include "fs/path.h"
#include "policy/slash_tmp.h"
#include "preview/not_copied.h"
#include "tmp/private_tmp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct preview_root *preview_root_of(const struct preview *preview, const char *path)
{
	for (size_t i = 0; i < preview->count; i++)
		if (path_contains(preview->roots[i].lower, path))
			return &preview->roots[i];
	return NULL;
}

static int write_name(int layer, const char *lower)
{
	cleanup_close int fd =
	        openat(layer, "root", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	size_t len = strlen(lower);

	return fd >= 0 && write(fd, lower, len) == (ssize_t)len ? 0 : -1;
}

/* The root of an overlay looks like its upper directory. */
static int make_alike(int layer, const char *lower, const struct stat *st)
{
	const struct timespec times[2] = {st->st_atim, st->st_mtim};
	cleanup_close int host = open(lower, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	cleanup_close int upper = -1;

	if (mkdirat(layer, "upper", 0700) < 0)
		return -1;
	upper = openat(layer, "upper", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	/* What comes to be in it may have some of its attributes. */
	if (upper < 0 || (host >= 0 && own_attributes_copy(host, upper) < 0) ||
	    fchmod(upper, st->st_mode & 03777) < 0)
		return -1;
	return futimens(upper, times);
}

static int open_layer(const struct preview *preview, struct preview_root *root, size_t number,
                      const struct stat *st)
{
	char name[16], path[PATH_MAX];
	cleanup_close int fd = -1;

	snprintf(name, sizeof(name), "%zu", number);
	fd = private_enter(preview->state, name);
	if (fd < 0 || write_name(fd, root->lower) < 0 || make_alike(fd, root->lower, st) < 0 ||
	    fd_name(fd, path) < 0)
		return -1;
	root->layer = xstrdup(path);
	root->overlay = (struct overlay){.lower = root->lower, .layer = root->layer};
	return 0;
}

/* The directory that is copied for an entry; NULL: none. */
static char *lower_of(const struct request *request, const struct entry *entry)
{
	struct stat st;

	if (entry->access != ACCESS_WRITE || lstat(entry->path, &st) < 0 ||
	    (request->tmp && tmp_decides(&request->permissions, request->tmp, entry->path)))
		return NULL;
	return S_ISDIR(st.st_mode) ? xstrdup(entry->path) : path_parent(entry->path);
}

static int add(struct preview *preview, char *lower, struct error *err)
{
	struct preview_root root = {.lower = lower};
	struct stat st;

	list_add(preview->roots, preview->count, root);
	if (lstat(lower, &st) < 0 ||
	    open_layer(preview, &preview->roots[preview->count - 1], preview->count - 1, &st) < 0)
		return error_system(err, "--preview: a copy of \"%s\"", lower);
	return 0;
}

/* One that came later can hold one that came before. */
static bool holds_another(const struct request *request, const char *lower, size_t i)
{
	for (size_t k = 0; k < request->permissions.count; k++) {
		cleanup_free char *other = lower_of(request, &request->permissions.entries[k]);

		if (k != i && other && path_contains(other, lower) &&
		    (strcmp(other, lower) != 0 || k < i))
			return true;
	}
	return false;
}

int preview_open(const struct request *request, struct preview *preview, struct error *err)
{
	if (!request->preview)
		return 0;
	preview->state = open(request->preview, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (preview->state < 0 || private_directory(preview->state) < 0 ||
	    flock(preview->state, LOCK_SH | LOCK_NB) < 0)
		return error_system(err, "--preview: \"%s\"", request->preview);
	for (size_t i = 0; i < request->permissions.count; i++) {
		cleanup_free char *lower = lower_of(request, &request->permissions.entries[i]);

		if (!lower || holds_another(request, lower, i))
			continue;
		if (refuse_not_copied(request, lower, err) < 0 ||
		    add(preview, keep_ptr(lower), err) < 0)
			return -1;
	}
	return 0;
}

void preview_close(struct preview *preview)
{
	if (preview->state >= 0)
		close(preview->state);
	preview->state = -1;
}

void preview_free(struct preview *preview)
{
	preview_close(preview);
	for (size_t i = 0; i < preview->count; i++) {
		free(preview->roots[i].lower);
		free(preview->roots[i].layer);
		free(preview->roots[i].overlay.parts);
	}
	free(preview->roots);
	*preview = (struct preview)PREVIEW_NONE;
}
