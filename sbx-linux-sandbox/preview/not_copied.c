#include "preview/not_copied.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/complain.h"
#include "base/memory.h"
#include "fs/directory_names.h"
#include "fs/path.h"
#include "linux/kernel_release.h"
#include "linux/mount_table.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A directory of a million files; then a file of somebody else fails when it is changed. */
#define LOOK_MS   3000
#define DEPTH_MAX 200

static int refuse(struct error *err, const char *path, const char *why)
{
	return error_set(err, EXIT_UNAVAILABLE, "preview", "--preview: \"%s\": %s", path, why);
}

static bool is_written(const struct request *request, const char *path)
{
	return permissions_resolve(&request->permissions, path, NULL) == ACCESS_WRITE;
}

static int refuse_mounts(const struct request *request, const char *lower, struct error *err)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	cleanup_free char *line = NULL;
	size_t size = 0;
	int status = 0;

	if (!file)
		return error_system(err, "/proc/self/mountinfo");
	while (status == 0 && getline(&line, &size, file) > 0) {
		char *type, *point = mountinfo_point(line, &type);

		if (point && strcmp(point, lower) != 0 && path_contains(lower, point) &&
		    is_written(request, point))
			status = refuse(err, point,
			                "another file system is mounted in a writable root, which "
			                "a copy does not show; run without --preview");
	}
	fclose(file);
	return status;
}

struct look {
	const struct request *request;
	long long end;
	int fd, depth;
	const char *path; /* of fd */
	char *foreign;    /* the first */
	bool cut;
};

static int look_in(struct look *look, int fd, const char *path);

static bool look_at(void *context, const char *name, enum kind kind)
{
	struct look *look = context;
	cleanup_free char *path = NULL;
	cleanup_close int fd = -1;
	struct stat st;

	if (now_ms() > look->end)
		look->cut = true;
	if (look->cut || fstatat(look->fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return !look->cut;
	path = path_below(look->path, name);
	if ((st.st_uid != geteuid() || st.st_gid != getegid()) && is_written(look->request, path))
		look->foreign = keep_ptr(path);
	if (look->foreign || !may_be_directory(kind) || !S_ISDIR(st.st_mode))
		return !look->foreign;
	/* Nothing is written below, or it is a world of its own. */
	if (!is_written(look->request, path) &&
	    !permissions_below(&look->request->permissions, path))
		return true;
	fd = openat(look->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 || look_in(look, fd, path) == 0;
}

/* 1: there is no need to look on. */
static int look_in(struct look *look, int fd, const char *path)
{
	struct look below = *look;
	int got;

	if (look->depth >= DEPTH_MAX)
		return 0;
	below.fd = fd;
	below.path = path;
	below.depth++;
	got = listing(fd, look_at, &below);
	look->foreign = below.foreign;
	look->cut = below.cut;
	return got > 0;
}

static int refuse_owners(const struct request *request, const char *lower, struct error *err)
{
	cleanup_close int fd = open(lower, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct look look = {.request = request, .end = now_ms() + LOOK_MS};
	cleanup_free char *foreign = NULL;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return error_system(err, "--preview: \"%s\"", lower);
	if (is_written(request, lower) && (st.st_uid != geteuid() || st.st_gid != getegid()))
		look.foreign = xstrdup(lower);
	else
		look_in(&look, fd, lower);
	foreign = look.foreign;
	if (foreign)
		return refuse(err, foreign,
		              "belongs to another user or group, and what is not yours cannot be "
		              "copied; change its owner, or run without --preview");
	if (look.cut)
		complain("--preview: \"%s\" is too large to be looked through; files of other "
		         "owners in it cannot be changed in the preview",
		         lower);
	return 0;
}

int refuse_not_copied(const struct request *request, const char *lower, struct error *err)
{
	if (!kernel_at_least(5, 11))
		return error_set(err, EXIT_UNAVAILABLE, "preview",
		                 "--preview: a copy of writable roots needs Linux 5.11 or later");
	if (path_contains(lower, request->preview))
		return refuse(err, lower,
		              "holds the directory that sbx keeps previews in; set "
		              "XDG_STATE_HOME to one outside of it, or run without --preview");
	if (path_contains("/dev", lower) || path_contains("/proc", lower) ||
	    path_contains("/sys", lower))
		return refuse(err, lower, "the kernel's own files cannot be copied");
	if (refuse_mounts(request, lower, err) < 0)
		return -1;
	return refuse_owners(request, lower, err);
}
