#include "project.h"

#include "cleanup.h"
#include "file.h"
#include "memory.h"
#include "path.h"
#include "text.h"
#include "trust.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define NAME ".codex/config.toml"

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

static int consider(int fd, const char *path, struct config *config, const struct trust *trust,
                    const char *key, const char *home, struct notes *notes, struct error *err)
{
	cleanup_free char *quoted = NULL;
	const char *doubt;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_system(err, "\"%s\"", path);
	if (is_own(&st, home))
		return 0;
	if (trust->level != TRUST_TRUSTED) {
		quoted = text_quote(key);
		notes_add(notes,
		          "\"%s\": ignored: this project is not trusted (sbx-policy --trust %s)",
		          path, quoted);
		return 0;
	}
	doubt = file_doubt(&st, false);
	if (doubt) {
		notes_add(notes, "\"%s\": ignored: %s", path, doubt);
		return 0;
	}
	return file_read(fd, path, LAYER_PROJECT, config, notes, err);
}

int project_read(struct config *config, const struct trust *trust,
                 const struct repository *repository, const char *workspace, const char *home,
                 struct notes *notes, struct error *err)
{
	const char *top = repository->root ? repository->root : workspace;
	cleanup_free char *at = xstrdup(workspace);

	for (;;) {
		cleanup_close int dir = open(at, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		cleanup_free char *path = path_join(at, NAME);
		cleanup_close int fd = -1;
		char *up;

		/* Beneath and without links: a link could show us somebody else's file. */
		if (dir >= 0)
			fd = path_open_beneath(dir, NAME,
			                       O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
		if (fd >= 0)
			return consider(fd, path, config, trust, trust_key(repository, workspace),
			                home, notes, err);
		if (errno != ENOENT && errno != ENOTDIR) {
			if (trust->level == TRUST_TRUSTED)
				notes_add(notes, "\"%s\": ignored: %s", path,
				          errno == ELOOP ? "reached through a symbolic link"
				                         : strerror(errno));
			return 0;
		}
		if (strcmp(at, top) == 0)
			return 0;
		up = path_parent(at);
		free(at);
		at = up;
	}
}
