#include "observer/command_path.h"

#include "base/cleanup.h"
#include "fs/fd_path.h"
#include "fs/path.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINKS_MAX 40

void path_tidy(char *path)
{
	char *to = path;

	for (const char *from = path; *from;) {
		size_t len;

		while (*from == '/')
			from++;
		len = strcspn(from, "/");
		if (len == 0 || (len == 1 && *from == '.')) {
			from += len;
			continue;
		}
		*to++ = '/';
		/* Nearly every path is normal, and then nothing moves. */
		if (to != from)
			memmove(to, from, len);
		to += len;
		from += len;
	}
	if (to == path)
		*to++ = '/';
	*to = '\0';
}

/* The sandbox's own /dev has nothing of the host's but these links. */
static void name_descriptor(bool follow, char path[PATH_MAX])
{
	static const struct {
		const char *link, *target;
	} links[] = {
	        {"/dev/fd", "/proc/self/fd"},
	        {"/dev/stdin", "/proc/self/fd/0"},
	        {"/dev/stdout", "/proc/self/fd/1"},
	        {"/dev/stderr", "/proc/self/fd/2"},
	};

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		size_t len = strlen(links[i].link), longer = strlen(links[i].target);

		if (!path_contains(links[i].link, path) || (!follow && !path[len]) ||
		    strlen(path) + longer - len >= PATH_MAX)
			continue;
		memmove(path + longer, path + len, strlen(path + len) + 1);
		memcpy(path, links[i].target, longer);
		return;
	}
}

/* "/proc/self" is the asking process, not us. */
static bool name_self(pid_t pid, char path[PATH_MAX])
{
	static const char *const names[] = {"/proc/self", "/proc/thread-self"};

	for (size_t i = 0; i < 2; i++) {
		size_t len = strlen(names[i]);
		char own[PATH_MAX + 32];

		if (strncmp(path, names[i], len) != 0 || (path[len] && path[len] != '/'))
			continue;
		if ((size_t)snprintf(own, sizeof(own), "/proc/%d%s", (int)pid, path + len) >=
		    PATH_MAX)
			return false;
		memcpy(path, own, strlen(own) + 1);
		return true;
	}
	/* Other numbers are of the sandbox's own count. */
	return strncmp(path, "/proc/", 6) != 0 || !isdigit((unsigned char)path[6]);
}

/* The canonical name of a directory that is there. */
static bool canonical_directory(const char *path, char canonical[PATH_MAX])
{
	cleanup_close int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd >= 0 && fd_name(fd, canonical) == 0 && canonical[0] == '/';
}

static bool join(const char *directory, const char *name, char path[PATH_MAX])
{
	char joined[2 * PATH_MAX];
	bool absolute = name[0] == '/'; /* stands for itself */

	if (snprintf(joined, sizeof(joined), "%s%s%s", absolute ? "" : directory,
	             absolute || directory[1] == '\0' ? "" : "/", name) >= PATH_MAX)
		return false;
	memcpy(path, joined, strlen(joined) + 1);
	return true;
}

bool expand_top_link(char path[PATH_MAX])
{
	char top[PATH_MAX], target[PATH_MAX], whole[2 * PATH_MAX];
	size_t end = 1 + strcspn(path + 1, "/");
	ssize_t n;

	memcpy(top, path, end);
	top[end] = '\0';
	n = readlink(top, target, sizeof(target) - 1);
	if (n <= 0)
		return false;
	target[n] = '\0';
	if (!join("/", target, whole) || strlen(whole) + strlen(path + end) >= PATH_MAX)
		return false;
	strcat(whole, path + end);
	memcpy(path, whole, strlen(whole) + 1);
	path_tidy(path);
	return true;
}

/* An open file of the process: what it is, if it has a name at all. */
static bool is_open_file(const char *parent)
{
	const char *at = parent;

	if (strncmp(at, "/proc/", 6) != 0)
		return false;
	at += 6 + strspn(at + 6, "0123456789");
	return strcmp(at, "/fd") == 0;
}

/* Fills parent, path and st; false when there is no such directory, or no such name can be. */
static bool look(const char *text, struct resolved *r)
{
	char directory[PATH_MAX];
	const char *slash = strrchr(text, '/');
	size_t len = (size_t)(slash - text);

	if (slash[1] == '\0' || strcmp(slash, "/..") == 0) {
		/* The path of a directory, whatever it is called. */
		if (!canonical_directory(text, r->path))
			return false;
		slash = strrchr(r->path, '/');
		len = (size_t)(slash - r->path);
		memcpy(r->parent, r->path, len ? len : 1);
		r->parent[len ? len : 1] = '\0';
	} else {
		memcpy(directory, text, len);
		directory[len] = '\0';
		if (!canonical_directory(len ? directory : "/", r->parent) ||
		    !join(r->parent, slash + 1, r->path))
			return false;
	}
	r->exists = lstat(r->path, &r->st) == 0;
	if (r->exists)
		return true;
	r->st = (struct stat){0};
	return errno == ENOENT;
}

/*
 * Replaces the first link on the way through a private /tmp by what it says:
 * the kernel would follow it from outside, to the host's.
 */
static bool expand(const struct view *view, bool follow, char text[PATH_MAX])
{
	for (size_t end = strlen(view->tmp); text[end];) {
		char prefix[PATH_MAX], target[PATH_MAX], whole[2 * PATH_MAX];
		const char *private;
		ssize_t n;

		end += 1 + strcspn(text + end + 1, "/");
		memcpy(prefix, text, end);
		prefix[end] = '\0';
		private = view_private(view, prefix);
		if (!private || (!text[end] && !follow))
			return false;
		n = readlinkat(view->fd, private, target, sizeof(target) - 1);
		if (n <= 0)
			continue;
		target[n] = '\0';
		*strrchr(prefix, '/') = '\0';
		if (!join(prefix, target, whole) || strlen(whole) + strlen(text + end) >= PATH_MAX)
			return false;
		strcat(whole, text + end);
		memcpy(text, whole, strlen(whole) + 1);
		return true;
	}
	return false;
}

/* No link is left on the way. */
static bool look_private(const struct view *view, const char *text, struct resolved *r)
{
	const char *slash = strrchr(text, '/'), *private;
	size_t len = slash == text ? 1 : (size_t)(slash - text);

	/* What comes before a step back may be a link by then. */
	if (path_steps_back(text))
		return false;
	memcpy(r->path, text, strlen(text) + 1);
	memcpy(r->parent, text, len);
	r->parent[len] = '\0';
	private = view_private(view, text);
	r->exists = fstatat(view->fd, private, &r->st, AT_SYMLINK_NOFOLLOW) == 0;
	if (r->exists)
		return true;
	r->st = (struct stat){0};
	return errno == ENOENT;
}

bool resolve(const struct view *view, pid_t pid, const char *path, bool follow, struct resolved *r)
{
	char text[PATH_MAX];

	if (strlen(path) >= sizeof(text))
		return false;
	memcpy(text, path, strlen(path) + 1);
	for (int links = 0; links < LINKS_MAX; links++) {
		char target[PATH_MAX];
		ssize_t n;

		path_tidy(text);
		if (view->tmp && path_contains(view->tmp, text) && expand(view, follow, text))
			continue;
		if (view_private(view, text))
			return look_private(view, text, r);
		name_descriptor(follow, text);
		if (path_contains("/dev", text) || !name_self(pid, text) || !look(text, r))
			return false;
		if (path_contains("/dev", r->path))
			return false;
		if (!r->exists || !S_ISLNK(r->st.st_mode) || !follow)
			return true;
		n = readlink(r->path, target, sizeof(target) - 1);
		if (n <= 0)
			return false;
		target[n] = '\0';
		/* "pipe:[1]" and the like are nobody's files. */
		if (is_open_file(r->parent) && target[0] != '/')
			return false;
		if (!join(r->parent, target, text))
			return false;
	}
	return false;
}
