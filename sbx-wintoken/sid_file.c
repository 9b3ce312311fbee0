#ifndef _WIN32
#include "sid_file.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/take_turns.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

#define LOCK_MS 5000

/* Far more than anyone has workspaces for. */
#define TEXT_MAX (1UL << 20)

struct store {
	int folder, lock;
};

/* A file that another user could write would give rights away. */
static int check_owner(int fd, const char *name, mode_t type, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_system(err, "%s", name);
	if ((st.st_mode & S_IFMT) != type || st.st_uid != geteuid() || st.st_mode & 022)
		return error_set(err, EXIT_INPUT, "unsafe-file",
		                 "%s: must be yours and writable by nobody else", name);
	return 0;
}

struct store *store_open(const char *home, struct error *err)
{
	cleanup_close int folder = -1, lock = -1;
	struct store *store;

	if (mkdir(home, 0700) < 0 && errno != EEXIST) {
		error_system(err, "%s", home);
		return NULL;
	}
	folder = open(home, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0) {
		error_system(err, "%s", home);
		return NULL;
	}
	if (check_owner(folder, home, S_IFDIR, err) < 0)
		return NULL;
	lock = lock_take(folder, "cap_sid.lock", LOCK_MS, err);
	if (lock < 0)
		return NULL;
	store = xmalloc(sizeof(*store));
	store->folder = keep_fd(&folder);
	store->lock = keep_fd(&lock);
	return store;
}

void store_close(struct store *store)
{
	close(store->folder);
	close(store->lock);
	free(store);
}

char *store_read(const struct store *store, struct error *err)
{
	cleanup_close int fd =
	        openat(store->folder, "cap_sid", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	cleanup_free char *text = NULL;
	size_t used = 0;
	ssize_t n;

	if (fd < 0 && errno == ENOENT)
		return xstrdup("");
	if (fd < 0) {
		error_system(err, "cap_sid");
		return NULL;
	}
	if (check_owner(fd, "cap_sid", S_IFREG, err) < 0)
		return NULL;
	text = xmalloc(TEXT_MAX + 1);
	while (used < TEXT_MAX && (n = read(fd, text + used, TEXT_MAX - used)) != 0) {
		if (n < 0 && errno != EINTR) {
			error_system(err, "cap_sid");
			return NULL;
		}
		used += n > 0 ? (size_t)n : 0;
	}
	text[used] = '\0';
	return keep_ptr(text);
}

int store_write(const struct store *store, const char *text, struct error *err)
{
	size_t left = strlen(text);
	cleanup_close int fd = -1;

	unlinkat(store->folder, "cap_sid.new", 0);
	fd = openat(store->folder, "cap_sid.new", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_system(err, "cap_sid.new");
	while (left > 0) {
		ssize_t n = write(fd, text, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_system(err, "cap_sid.new");
		text += n;
		left -= (size_t)n;
	}
	if (fsync(fd) < 0 || renameat(store->folder, "cap_sid.new", store->folder, "cap_sid") < 0)
		return error_system(err, "cap_sid");
	return 0;
}

int store_random(void *bytes, size_t len, struct error *err)
{
	return getentropy(bytes, len) < 0 ? error_system(err, "random numbers") : 0;
}
#endif
