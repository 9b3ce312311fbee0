#include "project/project_file.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "config/config_file.h"
#include "fs/path.h"
#include "project/project_trust.h"
#include "project/widening.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME ".codex/config.toml"

/* How many keys a note names. */
#define NAMED_MAX 6

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

/* Where the home directory is the workspace, its file is the user's. */
static bool is_own(const struct stat *st, const char *home)
{
	cleanup_free char *path = home ? path_join(home, "config.toml") : NULL;
	struct stat own;

	return path && stat(path, &own) == 0 && own.st_dev == st->st_dev &&
	       own.st_ino == st->st_ino;
}

/* -1 with errno.  Beneath and without links: a link could show us somebody else's file. */
static int open_file(const char *directory, const char *home, struct stat *st)
{
	cleanup_close int dir = open(directory, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int fd = dir < 0 ? -1
	                 : path_open_beneath(dir, NAME,
	                                     O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

	int number = ENOENT;

	if (fd < 0)
		return -1;
	if (fstat(fd, st) < 0)
		number = errno;
	else if (!is_own(st, home))
		return fd;
	close(fd);
	errno = number;
	return -1;
}

static const char *doubt_of(int fd, const struct stat *st)
{
	if (fd < 0)
		return errno == ELOOP ? "reached through a symbolic link" : strerror(errno);
	return file_doubt(st, false);
}

int project_file_read(struct project_file *file, const char *directory, const char *home,
                      struct notes *notes, struct error *err)
{
	struct stat st;
	cleanup_close int fd = open_file(directory, home, &st);
	cleanup_free char *text = NULL;
	const char *doubt;
	size_t len;

	*file = (struct project_file){0};
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	file->path = path_join(directory, NAME);
	doubt = doubt_of(fd, &st);
	if (doubt) {
		notes_add(notes, "\"%s\": ignored: %s", file->path, doubt);
		return 0;
	}
	text = file_contents(fd, &len);
	if (!text)
		return error_system(err, "reading \"%s\"", file->path);
	sha256_text(text, len, file->digest);
	config_begin(&file->own);
	if (file_parse(text, len, file->path, LAYER_PROJECT, &file->own, notes, err) < 0)
		return -1;
	return 1;
}

void project_file_free(struct project_file *file)
{
	config_free(&file->own);
	free(file->path);
}

/* One line for all that was left out. */
static void note_widenings(const struct widenings *found, const char *path,
                           const struct trust *trust, const char *key, struct notes *notes)
{
	cleanup_free char *quoted = text_quote(key);
	cleanup_free char *keys = xstrdup("");

	for (size_t i = 0; i < found->count && i < NAMED_MAX; i++) {
		char *longer = xasprintf("%s%s%s", keys, i ? ", " : "", found->items[i].key);

		free(keys);
		keys = longer;
	}
	notes_add(notes,
	          "\"%s\": %s, so what it widens is ignored (%s%s); to review it: "
	          "sbx-policy --trust %s",
	          path,
	          trust->lent                         ? "lent to this worktree"
	          : trust->content == CONTENT_CHANGED ? "changed since it was trusted"
	                                              : "not reviewed yet",
	          keys, found->count > NAMED_MAX ? ", ..." : "", quoted);
}

/* A file that nobody would look for in vain: it is there and does not count. */
static void note_ignored(const char *directory, const char *home, const char *why, const char *key,
                         struct notes *notes)
{
	struct stat st;
	cleanup_close int fd = open_file(directory, home, &st);
	cleanup_free char *path = path_join(directory, NAME);
	cleanup_free char *quoted = key ? text_quote(key) : NULL;

	if (fd < 0)
		return;
	if (quoted)
		notes_add(notes, "\"%s\": ignored: %s (sbx-policy --trust %s)", path, why, quoted);
	else
		notes_add(notes, "\"%s\": ignored: %s", path, why);
}

static enum content content_of(const struct trust *trust, const char *digest)
{
	if (trust->lent || !trust->config)
		return CONTENT_UNSEEN;
	return strcmp(trust->config, digest) == 0 ? CONTENT_SEEN : CONTENT_CHANGED;
}

static int take(struct config *config, struct trust *trust, const char *key, const char *home,
                struct notes *notes, struct error *err)
{
	struct widenings found = {0};
	struct project_file file;
	int status = project_file_read(&file, trust->path, home, notes, err);

	if (status > 0) {
		trust->content = content_of(trust, file.digest);
		if (trust->content != CONTENT_SEEN)
			widenings_remove(&found, &file.own, config);
		if (found.count > 0)
			note_widenings(&found, file.path, trust, key, notes);
		config_merge(config, &file.own);
	}
	widenings_free(&found);
	project_file_free(&file);
	return status < 0 ? -1 : 0;
}

int project_read(struct config *config, struct trust *trust, const struct repository *repository,
                 const char *workspace, const char *home, struct notes *notes, struct error *err)
{
	const char *key = trust_key(repository, workspace);

	trust->content = CONTENT_NONE;
	if (trust->level != TRUST_TRUSTED) {
		note_ignored(key, home, "this project is not trusted", key, notes);
		return 0;
	}
	if (trust->lent)
		note_ignored(key, home, "the main checkout is trusted, not this worktree", key,
		             notes);
	else if (strcmp(workspace, trust->path) != 0)
		note_ignored(workspace, home, "only the file of the trusted directory counts", NULL,
		             notes);
	return take(config, trust, key, home, notes, err);
}
