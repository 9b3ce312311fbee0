#include "fs/only_ours.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/read_full.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

/*
 * In a user namespace without root's id everything of root's is shown with the
 * id of nobody.  The file of some other user looks the same there; its mode is
 * judged all the same.
 */
bool owner_stands_for_root(uid_t uid)
{
#ifdef __linux__
	unsigned long inside, outside;
	char text[64];

	if (uid != 65534)
		return false;
	read_small(AT_FDCWD, "/proc/self/uid_map", text, sizeof(text));
	return sscanf(text, "%lu %lu", &inside, &outside) == 2 && (inside != 0 || outside != 0);
#else
	(void)uid;
	return false;
#endif
}

static const char *fault(const struct stat *st, bool last)
{
	if (st->st_uid != 0 && st->st_uid != geteuid() && !owner_stands_for_root(st->st_uid))
		return "belongs to another user";
	if (!(st->st_mode & (S_IWGRP | S_IWOTH)))
		return NULL;
	if (!last && S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX))
		return NULL;
	return "others can write it (chmod go-w would help)";
}

static int judge(int fd, const char *path, size_t len, bool last, struct error *err)
{
	struct stat st;
	const char *why;

	if (fstat(fd, &st) < 0)
		return error_system(err, "\"%.*s\"", (int)len, path);
	why = S_ISLNK(st.st_mode) ? "became a link" : fault(&st, last);
	return why ? error_set(err, EXIT_INPUT, "not-ours", "\"%.*s\": %s", (int)len, path, why)
	           : 0;
}

int only_ours_open(const char *path, int flags, struct error *err)
{
	cleanup_close int dir = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	const char *at = path;

	if (dir < 0)
		return error_system(err, "opening /");
	for (;;) {
		cleanup_free char *name = NULL;
		size_t len;
		int fd;

		at += strspn(at, "/");
		len = strcspn(at, "/");
		if (judge(dir, path, at == path + 1 ? 1 : (size_t)(at - path) - 1, false, err) < 0)
			return -1;
		name = len ? xstrndup(at, len) : xstrdup(".");
		at += len;
		fd = openat(dir, name,
		            (*at ? O_PATH | O_DIRECTORY : flags) | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			return error_set(err, EXIT_INPUT,
			                 errno == EACCES && !*at ? "unreadable" : "bad-path",
			                 "\"%s\": %s", path, strerror(errno));
		close(dir);
		dir = fd;
		if (!*at)
			break;
	}
	return judge(dir, path, strlen(path), true, err) < 0 ? -1 : keep_fd(&dir);
}
