#include "tmp/shown_from_host.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/memory.h"
#include "fs/fd_path.h"
#include "fs/path.h"
#include "policy/slash_tmp.h"
#include "tmp/mount_points.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool island(const struct request *request, const char *path)
{
	return request->tmp && strcmp(path, request->tmp) != 0 &&
	       tmp_decides(&request->permissions, request->tmp, path);
}

static void show(struct request *request, const char *path)
{
	if (island(request, path))
		permissions_add(&request->permissions, path, ACCESS_READ);
}

/* A link of the host's on the way to it would not be there. */
static void show_cwd(struct request *request)
{
	cleanup_close int fd = open(request->cwd, O_PATH | O_DIRECTORY | O_CLOEXEC);
	char path[PATH_MAX];

	if (fd < 0 || fd_name(fd, path) < 0 || path[0] != '/')
		return;
	show(request, path);
	if (path_contains(request->tmp, request->cwd) && strcmp(request->cwd, path) != 0) {
		free(request->cwd);
		request->cwd = xstrdup(path);
	}
}

/* What was given to be read is read where nothing can be done to it; see reopened_files.h. */
static void show_opened(struct request *request, int fd)
{
	int flags = fcntl(fd, F_GETFL);
	char path[PATH_MAX];
	struct stat st;

	if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY && fstat(fd, &st) == 0 &&
	    st.st_nlink > 0 && !S_ISDIR(st.st_mode) && fd_name(fd, path) == 0 && path[0] == '/')
		show(request, path);
}

static int refuse_places(const struct request *request, struct error *err)
{
	for (size_t i = 0; i < request->permissions.count; i++) {
		const struct entry *entry = &request->permissions.entries[i];

		if (entry->access != ACCESS_NONE && inside_tmp_place(entry->path))
			return error_set(err, EXIT_INPUT, "own-directory",
			                 "\"%s\": in it sbx keeps private directories, which are "
			                 "never shown inside",
			                 entry->path);
	}
	return 0;
}

/* A program that is told to use it finds it, empty at first, whatever the host has there. */
static int make_temporary(const struct request *request, struct private_tmp *tmp, struct error *err)
{
	static const char *const names[] = {"TMPDIR", "TMP", "TEMP", "TEMPDIR"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);
		cleanup_free char *path = NULL;

		if (!value || value[0] != '/' || path_steps_back(value))
			continue;
		path = path_normal(value);
		if (tmp->most && island(request, path))
			list_add(tmp->directories, tmp->directory_count, xstrdup(path));
		if (island(request, path) && mount_point_make(tmp, path, true, err) < 0)
			return -1;
	}
	return 0;
}

/* A command that could make the place first would make the next one's /tmp. */
int place_keep(struct request *request, struct private_tmp *tmp, enum access kept,
               struct error *err)
{
	cleanup_free char *shared = slash_tmp();
	cleanup_free char *name = NULL;
	cleanup_free char *place = NULL;
	const struct entry *entry;

	if (!shared || permissions_resolve(&request->permissions, shared, &entry) != ACCESS_WRITE ||
	    entry->path[1] == '\0' || access(shared, W_OK) < 0)
		return 0;
	if (private_place_open(shared, tmp, &name, err) < 0)
		return -1;
	place = path_join(shared, name);
	permissions_force(&request->permissions, place, kept);
	return 0;
}

int islands_find(struct request *request, struct private_tmp *tmp, struct error *err)
{
	if (!request->tmp)
		return place_keep(request, tmp, ACCESS_NONE, err);
	show_cwd(request);
	for (char **path = request->permissions.unix_sockets; path && *path; path++)
		show(request, *path);
	for (int fd = 0; fd <= 2; fd++)
		show_opened(request, fd);
	for (size_t i = 0; i < request->keep_count; i++)
		show_opened(request, request->keep_fds[i]);
	if (refuse_places(request, err) < 0 ||
	    private_tmp_open(request->tmp, request->workspace, tmp, err) < 0)
		return -1;
	tmp->most = request->limits.most[LIMIT_TMP];
	return make_temporary(request, tmp, err);
}
