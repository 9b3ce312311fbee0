#include "process/sibling.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <stdint.h>
#endif

static char *program_path(void)
{
#ifdef __APPLE__
	char buffer[4096];
	uint32_t size = sizeof(buffer);

	if (_NSGetExecutablePath(buffer, &size) != 0) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	return realpath(buffer, NULL);
#else
	static const char gone[] = " (deleted)";
	char buffer[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", buffer, sizeof(buffer) - 1);

	if (len < 0)
		return NULL;
	buffer[len] = '\0';
	/* The kernel's own path has no links in it; only a program that is gone has none. */
	if (buffer[0] != '/' ||
	    ((size_t)len >= strlen(gone) && strcmp(buffer + len - strlen(gone), gone) == 0)) {
		errno = ENOENT;
		return NULL;
	}
	return xstrdup(buffer);
#endif
}

char *program_directory(struct error *err)
{
	cleanup_free char *path = program_path();

	if (!path) {
		error_system(err, "finding the directory of this program");
		return NULL;
	}
	return path_parent(path);
}

char *sibling_path(const char *name, struct error *err)
{
	cleanup_free char *here = program_directory(err);
	/* Here, or bin and libexec/sbx of one installation, wherever it was moved to. */
	static const char *const places[] = {"", "../libexec/sbx/", "../../bin/"};

	if (!here)
		return NULL;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		cleanup_free char *path = xasprintf("%s/%s%s", here, places[i], name);

		if (access(path, X_OK) == 0)
			return path_normal(path);
	}
	error_set(err, EXIT_UNAVAILABLE, "missing-program",
	          "%s: not found next to this program (%s) nor in its libexec folder", name, here);
	return NULL;
}
