#include "tmp/private_tmp.h"

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/memory.h"
#include "fs/directory_names.h"
#include "fs/fd_path.h"
#include "fs/same_file.h"
#include "fs/take_turns.h"
#include "linux/kernel_statx.h"
#include "policy/slash_tmp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOCK_WAIT_MS   2000
#define OPEN_DIRECTORY (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)

int private_directory(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -1;
	/* What others could write they may have filled. */
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH))) {
		errno = EPERM;
		return -1;
	}
	return (st.st_mode & 07777) == 0700 ? 0 : fchmod(fd, 0700);
}

/* Made if need be; -1 with errno. */
int private_enter(int parent, const char *name)
{
	cleanup_close int fd = openat(parent, name, OPEN_DIRECTORY);

	if (fd < 0 && errno == ENOENT) {
		if (mkdirat(parent, name, 0700) < 0 && errno != EEXIST)
			return -1;
		fd = openat(parent, name, OPEN_DIRECTORY);
	}
	if (fd < 0 || private_directory(fd) < 0)
		return -1;
	return keep_fd(&fd);
}

/* ---- the place -------------------------------------------------------------- */

struct search {
	int tmp, fd;
	char *name;
	struct kernel_statx st;
};

/* Before; of those that are alike, by name, so that every run takes the same one. */
static bool is_older(const struct kernel_statx *st, const char *name, const struct search *than)
{
	for (size_t i = 2; i < 4; i++)
		if (st->times[i] != than->st.times[i])
			return st->times[i] < than->st.times[i];
	return strcmp(name, than->name) < 0;
}

static bool is_ours(void *context, const char *name, enum kind kind)
{
	struct search *search = context;
	cleanup_close int fd = -1;
	struct kernel_statx st = {0};

	if (kind == KIND_OTHER || !is_tmp_place(name))
		return true;
	fd = openat(search->tmp, name, OPEN_DIRECTORY);
	if (fd < 0 || private_directory(fd) < 0)
		return true;
	/* A command in the host's /tmp could make one as well, but none that is older. */
	if (kernel_statx(search->tmp, name, KERNEL_STATX_BIRTH, &st) < 0)
		return true;
	if (!search->name || is_older(&st, name, search)) {
		if (search->fd >= 0)
			close(search->fd);
		free(search->name);
		search->fd = keep_fd(&fd);
		search->name = xstrdup(name);
		search->st = st;
	}
	return true;
}

/* The usual name is somebody else's: ours has digits after it, and can be found again. */
static int enter_other(int tmp, const char *usual, char **name)
{
	struct search search = {.tmp = tmp, .fd = -1};

	for (int i = 0; i < 8; i++) {
		cleanup_free char *fresh = NULL;
		uint64_t chance;

		if (lseek(tmp, 0, SEEK_SET) < 0 || listing(tmp, is_ours, &search) < 0)
			return -1;
		if (search.fd >= 0) {
			*name = search.name;
			return search.fd;
		}
		if (getrandom(&chance, sizeof(chance), 0) != (ssize_t)sizeof(chance))
			return -1;
		fresh = xasprintf("%s-%016llx", usual, (unsigned long long)chance);
		/* Looked for again: another run may have made one at the same time. */
		if (mkdirat(tmp, fresh, 0700) < 0 && errno != EEXIST)
			return -1;
	}
	errno = EEXIST;
	return -1;
}

int private_place_open(const char *tmp, struct private_tmp *out, char **name, struct error *err)
{
	cleanup_close int fd = open(tmp, OPEN_DIRECTORY);
	cleanup_free char *usual = tmp_place();
	const char *base = usual ? strrchr(usual, '/') + 1 : NULL;

	*out = (struct private_tmp){.place = -1, .home = -1, .fd = -1};
	if (!base || fd < 0)
		return error_system(err, "opening \"%s\"", tmp);
	*name = xstrdup(base);
	out->place = private_enter(fd, base);
	if (out->place < 0 && (errno == EPERM || errno == ENOTDIR || errno == ELOOP ||
	                       errno == EACCES || errno == EEXIST)) {
		free(*name);
		*name = NULL;
		out->place = enter_other(fd, base, name);
	}
	if (out->place < 0)
		return error_set(err, EXIT_SYSTEM, "private-tmp",
		                 "\"%s\": no private directory can be made there: %s; --tmp "
		                 "shared uses \"%s\" itself",
		                 tmp, strerror(errno), tmp);
	return 0;
}

/* ---- the workspace's ---------------------------------------------------------- */

/* 1: it is this workspace's; 0: another's; -1. */
static int is_of(int home, const char *workspace)
{
	char owner[PATH_MAX];
	ssize_t n;

	if (symlinkat(workspace, home, "workspace") < 0 && errno != EEXIST)
		return -1;
	n = readlinkat(home, "workspace", owner, sizeof(owner));
	if (n < 0)
		return -1;
	return (size_t)n == strlen(workspace) && memcmp(owner, workspace, (size_t)n) == 0;
}

/* 1: opened and locked; 0: that name is another workspace's; -1. */
static int enter_home(struct private_tmp *out, const char *name, const char *workspace)
{
	for (int i = 0; i < 100; i++) {
		cleanup_close int fd = private_enter(out->place, name);
		int mine;

		/* Only a run that removes what is stale holds it alone. */
		if (fd < 0 || lock_shared(fd, LOCK_WAIT_MS) < 0)
			return -1;
		/* It may have been taken away between our open and our lock. */
		if (!is_still_named(fd, out->place, name))
			continue;
		mine = is_of(fd, workspace);
		if (mine <= 0)
			return mine;
		/* The time of the last use; see stale_tmp.c. */
		if (futimens(fd, NULL) < 0)
			return -1;
		out->home = keep_fd(&fd);
		return 1;
	}
	errno = EBUSY;
	return -1;
}

int workspace_enter(struct private_tmp *out, const char *workspace, char **name)
{
	uint64_t digest = hash_bytes(workspace, strlen(workspace));

	/* Whoever knows the digest can make two paths alike; then the next name is free. */
	for (unsigned i = 0; i < 1000; i++) {
		cleanup_free char *tried = xasprintf("%016llx-%u", (unsigned long long)digest, i);
		int got = enter_home(out, tried, workspace);

		if (got < 0)
			return -1;
		if (got > 0) {
			*name = keep_ptr(tried);
			return 0;
		}
	}
	errno = EEXIST;
	return -1;
}

/* The command may have closed it, or opened it to all: it is ours to set right. */
static int enter_shown(int home)
{
	cleanup_close int fd = -1;
	struct stat st;

	if (mkdirat(home, "tmp", 0700) < 0 && errno != EEXIST)
		return -1;
	fd = openat(home, "tmp", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return -1;
	if (st.st_uid != geteuid()) {
		errno = EPERM;
		return -1;
	}
	if ((st.st_mode & 07777) != 0700 && fd_chmod(fd, 0700) < 0)
		return -1;
	return keep_fd(&fd);
}

int private_tmp_open(const char *tmp, const char *workspace, struct private_tmp *out,
                     struct error *err)
{
	cleanup_free char *place = NULL, *name = NULL;

	if (private_place_open(tmp, out, &place, err) < 0)
		return -1;
	out->at = xstrdup(tmp);
	if (workspace_enter(out, workspace, &name) == 0) {
		out->path = xasprintf("%s/%s/%s/tmp", tmp, place, name);
		out->fd = enter_shown(out->home);
	}
	if (out->fd < 0)
		return error_set(err, EXIT_SYSTEM, "private-tmp",
		                 "\"%s/%s\": no private directory can be made there for \"%s\": "
		                 "%s; --tmp shared uses \"%s\" itself",
		                 tmp, place, workspace, strerror(errno), tmp);
	return 0;
}

void private_tmp_close(struct private_tmp *tmp)
{
	const int fds[] = {tmp->fd, tmp->home, tmp->place};

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(tmp->at);
	free(tmp->path);
	for (size_t i = 0; i < tmp->directory_count; i++)
		free(tmp->directories[i]);
	free(tmp->directories);
	*tmp = (struct private_tmp){.place = -1, .home = -1, .fd = -1};
}
