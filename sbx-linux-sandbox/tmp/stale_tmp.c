#include "tmp/stale_tmp.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/strings.h"
#include "fs/directory_names.h"
#include "kept/put_aside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

#define DAY       86400
#define MOMENT_MS 200

/* What was taken out of use has a name that no digest is. */
static const char gone[] = "gone-";

/* ---- removing what a hostile command has left ------------------------------------ */

/*
 * Its depth has no limit, but our descriptors have: a directory found below is
 * moved up into the top one, and its turn comes there.  Nothing is followed,
 * and no other file system entered.
 */
struct removal {
	int top, at;
	long long end;
	unsigned long moved;
	bool again; /* something was moved or removed: the listing may have missed names */
};

static int open_closed(int parent, const char *name)
{
	struct open_how how = {
	        .flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
	        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV,
	};
	cleanup_close int path = (int)syscall(SYS_openat2, parent, name, &how, sizeof(how));
	struct stat st, above;

	if (path < 0 && (errno == ENOSYS || errno == EPERM))
		path = openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (path < 0 || fstat(path, &st) < 0 || fstat(parent, &above) < 0)
		return -1;
	if (st.st_dev != above.st_dev || st.st_uid != geteuid()) {
		errno = EXDEV;
		return -1;
	}
	return directory_open_to_list(path);
}

/* False: a directory with something in it. */
static bool remove_name(struct removal *r, int at, const char *name)
{
	if (unlinkat(at, name, 0) == 0 ||
	    ((errno == EISDIR || errno == EPERM) && unlinkat(at, name, AT_REMOVEDIR) == 0)) {
		r->again = true;
		return true;
	}
	return errno != ENOTEMPTY && errno != EEXIST;
}

static bool move_up(void *context, const char *name, enum kind kind)
{
	struct removal *r = context;
	cleanup_close int fd = -1;

	(void)kind;
	if (now_ms() >= r->end)
		return false;
	if (remove_name(r, r->at, name))
		return true;
	/* To be moved it must be writable, since its ".." changes. */
	fd = open_closed(r->at, name);
	for (int i = 0; fd >= 0 && i < 1000; i++) {
		cleanup_free char *other = xasprintf("sbx-%lu", r->moved++);

		if (syscall(SYS_renameat2, r->at, name, r->top, other, RENAME_NOREPLACE) == 0) {
			r->again = true;
			return true;
		}
		if (errno != EEXIST)
			return true;
	}
	return true;
}

static bool remove_one(void *context, const char *name, enum kind kind)
{
	struct removal *r = context;

	(void)kind;
	if (now_ms() >= r->end)
		return false;
	if (remove_name(r, r->top, name))
		return true;
	r->at = open_closed(r->top, name);
	if (r->at < 0)
		return true;
	listing(r->at, move_up, r);
	close(r->at);
	if (unlinkat(r->top, name, AT_REMOVEDIR) == 0)
		r->again = true;
	return true;
}

void tree_open(int place, const char *name)
{
	int fd = open_closed(place, name);

	if (fd >= 0)
		close(fd);
}

void tree_remove(int place, const char *name, long long end)
{
	cleanup_close int top = open_closed(place, name);
	struct removal r = {.top = top, .end = end};

	if (top < 0)
		return;
	do {
		r.again = false;
		if (lseek(top, 0, SEEK_SET) < 0 || listing(top, remove_one, &r) < 0)
			return;
	} while (r.again && now_ms() < end);
	/* Not empty: there is more to do, the next time. */
	if (unlinkat(place, name, AT_REMOVEDIR) < 0)
		errno = 0;
}

/* ---- which ones -------------------------------------------------------------- */

static bool collect(void *context, const char *name, enum kind kind)
{
	if (kind != KIND_OTHER)
		strings_add(context, xstrdup(name));
	return true;
}

/* A workspace that is gone will hardly want it back. */
static bool is_stale(int fd, const struct stat *st, int days)
{
	char workspace[PATH_MAX];
	ssize_t n = readlinkat(fd, "workspace", workspace, sizeof(workspace) - 1);
	time_t unused = time(NULL) - st->st_mtime;

	workspace[n > 0 ? n : 0] = '\0';
	return unused > (time_t)days * DAY ||
	       (unused > DAY && n > 0 && access(workspace, F_OK) < 0 && errno == ENOENT);
}

char *tree_take_away(int place, const char *name)
{
	cleanup_free char *other = NULL;
	uint64_t chance;

	if (getrandom(&chance, sizeof(chance), 0) != (ssize_t)sizeof(chance))
		return NULL;
	other = xasprintf("%s%016llx", gone, (unsigned long long)chance);
	return syscall(SYS_renameat2, place, name, place, other, RENAME_NOREPLACE) == 0
	               ? keep_ptr(other)
	               : NULL;
}

bool tree_is_taken_away(const char *name)
{
	return strncmp(name, gone, strlen(gone)) == 0;
}

static char *take_stale(int place, const char *name, int days)
{
	cleanup_close int fd = openat(place, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	return fd < 0 || private_directory(fd) < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0 ||
	                       fstat(fd, &st) < 0 || !is_stale(fd, &st, days)
	               ? NULL
	               : tree_take_away(place, name);
}

static void look(int place, const char *name, int days, long long end)
{
	cleanup_free char *other =
	        tree_is_taken_away(name) ? xstrdup(name) : take_stale(place, name, days);

	if (other)
		tree_remove(place, other, end);
}

bool sweep_is_due(int place)
{
	struct stat st;
	time_t now = time(NULL);

	return fstatat(place, "swept", &st, AT_SYMLINK_NOFOLLOW) < 0 || now - st.st_mtime > DAY ||
	       st.st_mtime > now;
}

void sweep_is_done(int place)
{
	cleanup_close int fd = openat(
	        place, "swept", O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);

	if (fd >= 0 && futimens(fd, NULL) < 0)
		errno = 0;
}

void stale_remove(const struct private_tmp *tmp, int days)
{
	long long end = now_ms() + MOMENT_MS;
	struct strings names = {0};

	if (tmp->place < 0 || !sweep_is_due(tmp->place) || lseek(tmp->place, 0, SEEK_SET) < 0)
		return;
	if (listing(tmp->place, collect, &names) < 0)
		end = 0;
	for (size_t i = 0; i < names.count && now_ms() < end; i++)
		look(tmp->place, names.items[i], days, end);
	strings_free(&names);
	if (now_ms() < end)
		sweep_is_done(tmp->place);
}
