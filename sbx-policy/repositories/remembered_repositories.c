#include "repositories/remembered_repositories.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"
#include "git/other_repositories.h"
#include "git/pointer_file.h"
#include "repositories/found_repository.h"
#include "trust/settings_home.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

/* Each may cost a mount.  The oldest stay: new ones cannot push them out. */
#define PATHS_MAX 256
#define FILE_MAX  (64 << 10)

static const char place[] = "sbx/repositories";
static const char head[] = "sbx-repositories 1";

static char *directory(void)
{
	cleanup_free char *home = settings_home();

	return home ? path_join(home, place) : NULL;
}

/* As many files as there are numbers: a root that shares one forgets, and is found again. */
static void slot(const char *root, char name[8])
{
	uint32_t hash = 2166136261U;

	for (; *root; root++)
		hash = (hash ^ (unsigned char)*root) * 16777619U;
	snprintf(name, 8, "%03x", hash & 0xfff);
}

static bool has(const struct remembered *remembered, const char *relative)
{
	for (size_t i = 0; i < remembered->paths.count; i++)
		if (strcmp(remembered->paths.paths[i], relative) == 0)
			return true;
	return false;
}

/* By no link: then its place is canonical. */
static bool is_there(int root, const char *relative)
{
	cleanup_close int fd = path_open_beneath(root, relative, O_PATH | O_NOFOLLOW);

	return fd >= 0;
}

/* One line of the file of `of`, which is root or holds it. */
static void take(struct remembered *remembered, int fd, const char *root, const char *of,
                 const char *line)
{
	cleanup_free char *path = path_join(of, line);
	const char *relative;

	if (!path_contains(root, path) || strcmp(root, path) == 0)
		return;
	relative = path + strlen(root) + 1;
	if (has(remembered, relative))
		return;
	if (is_there(fd, relative))
		root_list_add(&remembered->paths, relative);
	else if (strcmp(root, of) == 0)
		remembered->gone++;
}

static void read_file(struct remembered *remembered, int fd, int where, const char *root,
                      const char *of)
{
	cleanup_free char *text = NULL;
	char name[8], *next, *line;
	size_t left = PATHS_MAX;

	slot(of, name);
	text = gitfile_text_at(where, name);
	next = text;
	if (!text || strlen(text) > FILE_MAX || !(line = strsep(&next, "\n")) ||
	    strcmp(line, head) != 0 || !(line = strsep(&next, "\n")) || strcmp(line, of) != 0 ||
	    !(line = strsep(&next, "\n")))
		return;
	if (strcmp(root, of) == 0)
		remembered->was_complete = strcmp(line, "complete") == 0;
	while (left-- > 0 && (line = strsep(&next, "\n")) != NULL)
		if (line[0] && line[0] != '/')
			take(remembered, fd, root, of, line);
}

void remembered_protect(struct remembered *remembered, struct workbench *bench, const char *root)
{
	cleanup_free char *kept = directory();
	cleanup_free char *of = xstrdup(root);
	cleanup_close int where = -1, fd = -1;
	struct stat st;

	*remembered = (struct remembered){0};
	if (kept)
		where = open(kept, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (where < 0 || fstat(where, &st) < 0 || st.st_uid != geteuid())
		return;
	fd = open(root, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	read_file(remembered, fd, where, root, root);
	remembered->old = remembered->paths.count;
	/* A root may be a part of what was a root before. */
	while (of[1]) {
		char *up = path_parent(of);

		free(of);
		of = up;
		read_file(remembered, fd, where, root, of);
	}
	for (size_t i = 0; i < remembered->paths.count; i++) {
		cleanup_free char *path = path_join(root, remembered->paths.paths[i]);

		if (is_other_repository(strrchr(path, '/') + 1))
			protect_other(bench, path);
		else
			protect_found(bench, path, "nested repository");
	}
}

void remembered_add(struct remembered *remembered, const char *relative)
{
	if (remembered->paths.count < PATHS_MAX && !strchr(relative, '\n') &&
	    !has(remembered, relative))
		root_list_add(&remembered->paths, relative);
}

/* Only the last two of its directories: the rest is the user's to make. */
static int make_directory(const char *where)
{
	cleanup_free char *own = path_parent(where);
	cleanup_free char *home = path_parent(own);
	const char *const all[] = {home, own, where};

	for (size_t i = 0; i < 3; i++)
		if (mkdir(all[i], 0700) < 0 && errno != EEXIST)
			return -1;
	return open(where, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int write_lines(int fd, const struct remembered *remembered, const char *root, bool complete)
{
	FILE *file = fdopen(fd, "w");
	bool good;

	if (!file) {
		close(fd);
		return -1;
	}
	fprintf(file, "%s\n%s\n%s\n", head, root, complete ? "complete" : "cut");
	for (size_t i = 0; i < remembered->paths.count; i++)
		fprintf(file, "%s\n", remembered->paths.paths[i]);
	good = fflush(file) == 0 && !ferror(file);
	return fclose(file) == 0 && good ? 0 : -1;
}

/* Whole or not at all; what cannot be kept is found by the next walk, as before. */
static void write_file(const struct remembered *remembered, const char *root, bool complete)
{
	cleanup_free char *where = directory();
	cleanup_close int at = where ? make_directory(where) : -1;
	char name[8], temporary[32];
	int fd;

	if (at < 0)
		return;
	slot(root, name);
	snprintf(temporary, sizeof(temporary), ".%s-%ld", name, (long)getpid());
	fd = openat(at, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (write_lines(fd, remembered, root, complete) < 0 ||
	    renameat(at, temporary, at, name) < 0)
		unlinkat(at, temporary, 0);
}

void remembered_keep(struct remembered *remembered, struct workbench *bench, const char *root)
{
	bool complete = !bench->policy->cut || remembered->was_complete;
	bool same = remembered->paths.count == remembered->old && remembered->gone == 0;

	if (bench->policy->cut && remembered->was_complete)
		notes_add(
		        bench->notes,
		        "\"%s\": too large now to be searched for repositories completely, which was "
		        "possible before; known ones are protected, new ones may not be: look for "
		        "directories that do not belong there",
		        root);
	/* Where nothing was ever found there is nothing to lose. */
	if ((remembered->paths.count > 0 || remembered->gone > 0) && !strchr(root, '\n') &&
	    (!same || complete != remembered->was_complete))
		write_file(remembered, root, complete);
	root_list_free(&remembered->paths);
}
