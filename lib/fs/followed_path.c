#include "fs/followed_path.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#ifdef __linux__
#include <linux/magic.h>
#include <sys/vfs.h>
#endif

/* As many as the kernel follows. */
#define LINKS_MAX 40

/* A link of procfs leads to an open file, or to another place for each reader. */
static bool in_procfs(const char *directory)
{
#ifdef __linux__
	struct statfs fs;

	return statfs(directory, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
#else
	(void)directory;
	return false;
#endif
}

static bool has_dot_dot(const char *path)
{
	while (*path) {
		size_t len;

		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (len == 2 && path[0] == '.' && path[1] == '.')
			return true;
		path += len;
	}
	return false;
}

/* Puts the text of the link at `place` before what is left of the path. */
static char *link_before(const char *place, const char *rest)
{
	char text[PATH_MAX];
	ssize_t len = readlink(place, text, sizeof(text) - 1);

	if (len <= 0)
		return NULL;
	text[len] = '\0';
	return xasprintf("%s/%s", text, rest);
}

static void keep_link(struct trail *trail, const char *place)
{
	list_add(trail->links, trail->count, xstrdup(place));
}

static int stop(struct trail *trail, const char *place, const char *rest, int why, const char *path,
                struct error *err)
{
	/* ".." behind it would mean whatever a later mkdir() or symlink() makes of it. */
	if (has_dot_dot(rest))
		return error_set(err, EXIT_INPUT, "bad-path",
		                 "\"%s\": \"..\" after \"%s\", which is not a directory", path,
		                 place);
	trail->stopped = why;
	trail->target = path_join(place, rest[0] ? rest + strspn(rest, "/") : ".");
	return 0;
}

int trail_follow(struct trail *trail, const char *base, const char *path, struct error *err)
{
	cleanup_free char *done = xstrdup(path[0] == '/' ? "/" : base);
	cleanup_free char *left = xstrdup(path);
	const char *p = left;

	memset(trail, 0, sizeof(*trail));
	for (;;) {
		cleanup_free char *place = NULL;
		cleanup_free char *name = NULL;
		size_t len;

		p += strspn(p, "/");
		len = strcspn(p, "/");
		if (len == 0)
			break;
		name = xstrndup(p, len);
		p += len;
		if (strcmp(name, ".") == 0)
			continue;
		if (strcmp(name, "..") == 0) {
			char *up = path_parent(done);

			free(done);
			done = up;
			continue;
		}
		place = path_join(done, name);
		if (lstat(place, &trail->st) < 0) {
			if (error_is_ours(errno))
				return error_system(err, "\"%s\"", path);
			if (errno != ENOENT && errno != ENOTDIR && errno != EACCES)
				return error_set(err, EXIT_INPUT, "bad-path", "\"%s\": %s", path,
				                 strerror(errno));
			return stop(trail, place, p, errno, path, err);
		}
		if (S_ISLNK(trail->st.st_mode)) {
			char *longer;

			if (in_procfs(done))
				return error_set(err, EXIT_INPUT, "magic-link",
				                 "\"%s\": reached through \"%s\", a link of /proc",
				                 path, place);
			keep_link(trail, place);
			if (trail->count > LINKS_MAX)
				return error_set(err, EXIT_INPUT, "link-loop", "\"%s\": %s", path,
				                 strerror(ELOOP));
			longer = link_before(place, p);
			if (!longer)
				return error_system(err, "reading the link \"%s\"", place);
			free(left);
			p = left = longer;
			if (left[0] == '/') {
				free(done);
				done = xstrdup("/");
			}
			continue;
		}
		free(done);
		done = keep_ptr(place);
	}
	if (lstat(done, &trail->st) < 0) {
		if (error_is_ours(errno))
			return error_system(err, "\"%s\"", path);
		trail->stopped = errno;
	}
	trail->target = keep_ptr(done);
	return 0;
}

void trail_free(struct trail *trail)
{
	for (size_t i = 0; i < trail->count; i++)
		free(trail->links[i]);
	free(trail->links);
	free(trail->target);
	memset(trail, 0, sizeof(*trail));
}
