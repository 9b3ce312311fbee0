#include "trust/believed_place.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/only_ours.h"
#include "fs/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

/* What does not exist yet is whoever's who can make it. */
static char *what_exists(const char *path)
{
	cleanup_free char *at = xstrdup(path);
	struct stat st;

	while (path_depth(at) > 0 && lstat(at, &st) < 0 && errno == ENOENT) {
		char *up = path_parent(at);

		free(at);
		at = up;
	}
	return keep_ptr(at);
}

int place_believed(const char *what, const char *path, struct error *err)
{
	struct error why = {0};
	cleanup_free char *real = path_canonical(path, &why);
	cleanup_free char *there = real ? what_exists(real) : NULL;
	cleanup_close int fd = -1;

	if (!there)
		return error_set(err, EXIT_INPUT, "bad-home", "%s: %s", what, why.message);
	if (path_contains("/tmp", real) || path_contains("/private/tmp", real))
		return error_set(err, EXIT_INPUT, "bad-home",
		                 "%s: \"%s\": in /tmp, where any command can write; unset it, or "
		                 "point it elsewhere",
		                 what, path);
	fd = only_ours_open(there, O_PATH, &why);
	if (fd < 0)
		return error_set(err, EXIT_INPUT, "bad-home",
		                 "%s: \"%s\": others could write it: %s; unset it, or point it "
		                 "elsewhere",
		                 what, path, why.message);
	return 0;
}
