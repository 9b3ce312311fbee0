#include "advise/patch_places.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "grant/effective.h"
#include "patches/patch.h"
#include "policy/slash_tmp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A time that no clock says: whoever writes or truncates the file changes it. */
static const struct timespec untouched[2] = {{.tv_sec = 1}, {.tv_sec = 1}};

static void remember(struct patch_places *made, int directory, const char *name, int fd)
{
	struct patch_place place = {.directory = fcntl(directory, F_DUPFD_CLOEXEC, 0),
	                            .name = xstrdup(name)};

	if (place.directory < 0 || fstat(fd, &place.st) < 0) {
		free(place.name);
		return;
	}
	made->places = xrealloc_array(made->places, made->count + 1, sizeof(place));
	made->places[made->count++] = place;
}

/* The directory of that name, made if it is missing; links are not followed. */
static int step_into(struct patch_places *made, int directory, const char *name)
{
	bool fresh = mkdirat(directory, name, 0777) == 0;
	int fd = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && fresh)
		remember(made, directory, name, fd);
	return fd;
}

static int make_file(struct patch_places *made, int directory, const char *name)
{
	cleanup_close int fd =
	        openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);

	if (fd < 0)
		return errno == EEXIST ? 0 : -1;
	if (futimens(fd, untouched) < 0)
		return -1;
	remember(made, directory, name, fd);
	return 0;
}

/* Step by step, so that nobody who swaps a directory for a link sends us elsewhere. */
static int make(struct patch_places *made, const char *path)
{
	cleanup_free char *copy = xstrdup(path);
	cleanup_close int at = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char *name = copy + 1;

	for (char *slash; at >= 0 && (slash = strchr(name, '/')) != NULL; name = slash + 1) {
		int next;

		*slash = '\0';
		next = step_into(made, at, name);
		close(at);
		at = next;
	}
	return at < 0 ? -1 : make_file(made, at, name);
}

int patch_places_make(const json_t *doc, struct patch_places *made, struct error *err)
{
	cleanup_vector char **files = patch_files(doc, err);
	cleanup_json json_t *policy = files ? effective_policy(doc, err) : NULL;
	cleanup_free char *tmp = policy && tmp_is_private(policy) ? slash_tmp() : NULL;
	struct permissions permissions;
	struct stat st;
	int status = 0;

	*made = (struct patch_places){0};
	if (!policy)
		return err->exit ? -1 : 0;
	if (permissions_get(json_object_get(policy, "permissions"), &permissions, err) < 0)
		return -1;
	for (char **file = files; status == 0 && *file; file++)
		if (path_is_normal(*file) &&
		    permissions_resolve(&permissions, *file, NULL) == ACCESS_WRITE &&
		    !(tmp && tmp_decides(&permissions, tmp, *file)) && lstat(*file, &st) < 0 &&
		    errno == ENOENT && make(made, *file) < 0)
			status = error_system(err, "making \"%s\" for the patch", *file);
	permissions_free(&permissions);
	if (status < 0)
		patch_places_take_back(made);
	return status;
}

static void take_back(const struct patch_place *place)
{
	bool directory = S_ISDIR(place->st.st_mode);
	struct stat now;

	if (fstatat(place->directory, place->name, &now, AT_SYMLINK_NOFOLLOW) < 0 ||
	    now.st_ino != place->st.st_ino || now.st_dev != place->st.st_dev)
		return;
	/* A directory that is not empty refuses by itself. */
	if (directory || (now.st_size == 0 && now.st_mtime == untouched[1].tv_sec))
		unlinkat(place->directory, place->name, directory ? AT_REMOVEDIR : 0);
}

void patch_places_take_back(struct patch_places *made)
{
	while (made->count > 0) {
		struct patch_place *place = &made->places[--made->count];

		take_back(place);
		close(place->directory);
		free(place->name);
	}
	free(made->places);
	made->places = NULL;
}
