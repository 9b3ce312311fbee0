#include "patch/commit.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "patch/beside.h"
#include "patch/plan.h"
#include "trust/settings_home.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Beyond that it would take minutes. */
#define SYNCED_MAX 64

static int wrong(const char *path, const char *why, struct error *err)
{
	return error_set(err, EXIT_INPUT, "patch", "\"%s\": %s; nothing was changed", path, why);
}

static int note(const struct commit *c, json_t *line, struct error *err)
{
	int status = c->journal->fd < 0 ? 0 : journal_add(c->journal, line, err);

	json_decref(line);
	return status;
}

/* The directory of a path, made step by step where it is missing. */
static int open_parent(struct commit *c, const char *path, struct error *err)
{
	cleanup_free char *parent = path_parent(path);
	int fd = beside_open(parent);

	for (size_t end = 1; fd < 0 && errno == ENOENT && end <= strlen(parent); end++) {
		cleanup_free char *step = NULL;

		if (parent[end] != '/' && parent[end] != '\0')
			continue;
		step = xstrndup(parent, end);
		fd = beside_open(step);
		if (fd >= 0) {
			close(fd);
			fd = -1;
			errno = ENOENT;
			continue;
		}
		if (errno != ENOENT)
			break;
		if (note(c, xjson(json_pack("{s:o}", "made", os_string(step))), err) < 0)
			return -1;
		if (beside_make_directory(step) < 0)
			break;
		c->made = xrealloc_array(c->made, c->made_count + 1, sizeof(*c->made));
		c->made[c->made_count++] = keep_ptr(step);
		fd = beside_open(parent);
	}
	return fd >= 0 ? fd : wrong(path, beside_why(errno), err);
}

/* The file is still what the patch was made for. */
static int check_old(int parent, struct commit_file *file, const char *was, struct error *err)
{
	const char *name = strrchr(file->path, '/') + 1;
	char now[SHA256_TEXT_SIZE];
	int there = fstatat(parent, name, &file->was, AT_SYMLINK_NOFOLLOW);

	if (there < 0 && errno != ENOENT)
		return wrong(file->path, strerror(errno), err);
	file->existed = there == 0;
	if (there < 0)
		return was ? wrong(file->path, "it is no longer there", err) : 0;
	if (!S_ISREG(file->was.st_mode))
		return wrong(file->path,
		             S_ISLNK(file->was.st_mode)   ? "a symbolic link is in the way"
		             : S_ISDIR(file->was.st_mode) ? "is a directory"
		                                          : "is not a regular file",
		             err);
	if (!was)
		return wrong(file->path, "it has appeared meanwhile", err);
	if (beside_digest(parent, name, now) < 0)
		return wrong(file->path, strerror(errno), err);
	return strcmp(was, now) == 0 ? 0 : wrong(file->path, "it has changed meanwhile", err);
}

static struct commit_file *add(struct commit *c, const char *path, bool writes)
{
	struct commit_file *file;

	if ((c->count & (c->count - 1)) == 0)
		c->files = xrealloc_array(c->files, c->count ? c->count * 2 : 1, sizeof(*c->files));
	file = &c->files[c->count];
	*file = (struct commit_file){
	        .path = xstrdup(path),
	        .temp = xasprintf(".sbx-patch-%ld-%zu", (long)getpid(), c->count),
	        .writes = writes};
	c->count++;
	return file;
}

int commit_delete(struct commit *c, const char *path, const char *was, struct error *err)
{
	struct commit_file *file = add(c, path, false);
	cleanup_close int parent = open_parent(c, path, err);

	if (parent < 0)
		return -1;
	return check_old(parent, file, was, err);
}

/* 1 and *fd, 0: it is not there, or -1 with errno. */
static int open_regular(int parent, const char *path, int *fd)
{
	*fd = openat(parent, strrchr(path, '/') + 1,
	             O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return *fd >= 0 ? 1 : errno == ENOENT ? 0 : -1;
}

/* Whose mode and owner a new content gets: those of where it comes from, or the file's own. */
static int open_like(int parent, const char *path, const char *mode_of, int *fd)
{
	cleanup_free char *directory = mode_of ? path_parent(mode_of) : NULL;
	cleanup_close int from = directory ? beside_open(directory) : -1;
	int found = from < 0 ? 0 : open_regular(from, mode_of, fd);

	return found ? found : open_regular(parent, path, fd);
}

int commit_write(struct commit *c, const char *path, const char *was, const char *mode_of, int from,
                 uint64_t len, struct error *err)
{
	struct commit_file *file = add(c, path, true);
	cleanup_close int parent = open_parent(c, path, err);
	cleanup_close int like = -1;

	if (parent < 0 || check_old(parent, file, was, err) < 0 ||
	    note(c,
	         xjson(json_pack("{s:o,s:o}", "path", os_string(path), "temp",
	                         os_string(file->temp))),
	         err) < 0)
		return -1;
	/* A kill loses nothing that was written; a machine that stops might, and a disk say so
	 * late. */
	if (open_like(parent, path, mode_of, &like) < 0 ||
	    beside_write(parent, file->temp, like, from, len, c->count <= SYNCED_MAX, &file->new) <
	            0)
		return wrong(path, strerror(errno), err);
	return 0;
}

/* What undoing has to know: which file is the new one, and which the old. */
static int note_file(const struct commit *c, const struct commit_file *file, struct error *err)
{
	return note(c,
	            xjson(json_pack("{s:o,s:o,s:b,s:I,s:I}", "path", os_string(file->path), "temp",
	                            os_string(file->temp), "writes", file->writes, "new",
	                            (json_int_t)file->new.st_ino, "old",
	                            file->existed ? (json_int_t)file->was.st_ino : (json_int_t)0)),
	            err);
}

/* Nobody has put another in its place, nor written into it. */
static bool is_as_it_was(const struct stat *now, const struct stat *was)
{
	return now->st_ino == was->st_ino && now->st_dev == was->st_dev &&
	       now->st_mode == was->st_mode && now->st_uid == was->st_uid &&
	       now->st_gid == was->st_gid && now->st_size == was->st_size &&
	       now->st_mtim.tv_sec == was->st_mtim.tv_sec &&
	       now->st_mtim.tv_nsec == was->st_mtim.tv_nsec;
}

static int change(struct commit_file *file, struct error *err)
{
	cleanup_free char *directory = path_parent(file->path);
	cleanup_close int parent = beside_open(directory);
	const char *name = strrchr(file->path, '/') + 1;
	struct stat now;
	bool there;

	if (parent < 0)
		return wrong(file->path, beside_why(errno), err);
	there = fstatat(parent, name, &now, AT_SYMLINK_NOFOLLOW) == 0;
	if (there != file->existed || (there && !is_as_it_was(&now, &file->was)))
		return wrong(file->path, "it has changed meanwhile", err);
	if (beside_change(parent, name, file->temp, file->writes, file->existed) < 0)
		return wrong(file->path, strerror(errno), err);
	file->changed = true;
	return 0;
}

/* Whoever had it open could write into it until now. */
static int check_kept(const struct commit_file *file, struct error *err)
{
	cleanup_free char *directory = path_parent(file->path);
	cleanup_close int parent = beside_open(directory);
	struct stat now;

	if (!file->existed ||
	    (parent >= 0 && fstatat(parent, file->temp, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
	     is_as_it_was(&now, &file->was)))
		return 0;
	return wrong(file->path, "it has changed meanwhile", err);
}

static void undo(const struct commit_file *file)
{
	beside_undo(file->path, file->temp, file->writes ? file->new.st_ino : 0,
	            file->existed ? file->was.st_ino : 0);
}

int commit_all(struct commit *c, struct error *err)
{
	int status = 0;

	for (size_t i = 0; status == 0 && i < c->count; i++)
		status = note_file(c, &c->files[i], err);
	if (status == 0)
		status = note(c, xjson(json_pack("{s:b}", "changing", 1)), err);
	for (size_t i = 0; status == 0 && i < c->count; i++)
		status = change(&c->files[i], err);
	for (size_t i = 0; status == 0 && i < c->count; i++)
		status = check_kept(&c->files[i], err);
	if (status == 0)
		status = note(c, xjson(json_pack("{s:b}", "done", 1)), err);
	if (status < 0)
		return -1;
	for (size_t i = 0; i < c->count; i++)
		beside_remove(c->files[i].path, c->files[i].temp);
	/* They are there to stay. */
	for (size_t i = 0; i < c->made_count; i++)
		free(c->made[i]);
	for (size_t i = 0; i < c->count; i++) {
		free(c->files[i].path);
		free(c->files[i].temp);
	}
	c->made_count = c->count = 0;
	return 0;
}

void commit_free(struct commit *c)
{
	while (c->count > 0) {
		struct commit_file *file = &c->files[--c->count];

		undo(file);
		free(file->path);
		free(file->temp);
	}
	while (c->made_count > 0) {
		char *made = c->made[--c->made_count];

		beside_remove_directory(made);
		free(made);
	}
	free(c->files);
	free(c->made);
	*c = (struct commit){.journal = c->journal};
}

/* Of a line that names a file: what the writer did to it is undone, or was all of it. */
static void undo_file(const json_t *line, bool changing, bool done)
{
	struct error none = {0};
	cleanup_free char *path = os_string_get(json_object_get(line, "path"), "path", &none);
	cleanup_free char *temp = os_string_get(json_object_get(line, "temp"), "temp", &none);
	const json_t *new = json_object_get(line, "new");

	if (!path || !temp || !path_is_normal(path) || strchr(temp, '/') ||
	    strncmp(temp, ".sbx-patch-", 11) != 0)
		return;
	if (done || !changing)
		beside_remove(path, temp);
	else if (new)
		beside_undo(path, temp, (ino_t)json_integer_value(new),
		            (ino_t)json_integer_value(json_object_get(line, "old")));
}

static void undo_directory(const json_t *line)
{
	struct error none = {0};
	cleanup_free char *made = os_string_get(json_object_get(line, "made"), "made", &none);

	if (made && path_is_normal(made))
		beside_remove_directory(made);
}

/* The last first: a directory is empty only when what was made in it is gone. */
static bool undo_lines(const json_t *lines, bool done)
{
	bool changing = false;

	for (size_t i = 0; i < json_array_size(lines); i++)
		changing |= json_object_get(json_array_get(lines, i), "changing") != NULL;
	for (size_t i = json_array_size(lines); i-- > 0;)
		undo_file(json_array_get(lines, i), changing, done);
	for (size_t i = json_array_size(lines); !done && i-- > 0;)
		undo_directory(json_array_get(lines, i));
	return true;
}

/* Into a directory of that name, made if it is missing and never through a link. */
static int enter(int at, const char *name)
{
	if (mkdirat(at, name, 0700) < 0 && errno != EEXIST)
		return -1;
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int commit_directory(struct error *err)
{
	cleanup_free char *home = settings_home();
	cleanup_close int at = -1, own = -1;
	int fd;

	if (!home)
		return error_set(err, EXIT_SYSTEM, "system", "no $HOME to keep a journal in");
	if (mkdir(home, 0700) == 0 || errno == EEXIST)
		at = open(home, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	own = at < 0 ? -1 : enter(at, "sbx");
	fd = own < 0 ? -1 : enter(own, "patches");
	return fd < 0 ? error_system(err, "\"%s/sbx/patches\"", home) : fd;
}

void commit_recover(int directory)
{
	journal_recover(directory, undo_lines);
}
