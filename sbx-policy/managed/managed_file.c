#include "managed/managed_file.h"

#include "base/cleanup.h"
#include "config/config_file.h"
#include "managed/requirements_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Fixed when it is compiled: whoever could name another would be rid of it. */
#define DIRECTORY    "/etc/codex"
#define SYSTEM       "config.toml"
#define MANAGED      "managed_config.toml"
#define REQUIREMENTS "requirements.toml"

static int refuse(struct error *err, const char *path, const char *why)
{
	return error_set(err, EXIT_INPUT, "bad-config", "\"%s\": not trusted: %s", path, why);
}

/* 1 and *fd, 0: there is none, -1. */
static int open_file(const char *name, const char *path, int *fd, struct error *err)
{
	cleanup_close int dir = open(DIRECTORY, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	cleanup_close int file = -1;
	const char *doubt;
	struct stat st;

	/* Only what does not exist says nothing; anything else may hide it from us. */
	if (dir < 0 && errno == ENOENT)
		return 0;
	if (dir < 0 || fstat(dir, &st) < 0)
		return refuse(err, DIRECTORY, strerror(errno));
	file = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file < 0 && errno == ENOENT)
		return 0;
	if (file < 0)
		return refuse(err, path, strerror(errno));
	if (st.st_uid != 0 || (st.st_mode & S_IWOTH) || ((st.st_mode & S_IWGRP) && st.st_gid != 0))
		return refuse(err, DIRECTORY, "somebody other than root can write there");
	if (fstat(file, &st) < 0)
		return refuse(err, path, strerror(errno));
	doubt = file_doubt(&st, true);
	if (doubt)
		return refuse(err, path, doubt);
	*fd = keep_fd(&file);
	return 1;
}

static int read_layer(const char *name, const char *path, enum layer layer, struct config *config,
                      struct notes *notes, struct error *err)
{
	cleanup_close int fd = -1;
	int got = open_file(name, path, &fd, err);

	return got <= 0 ? got : file_read(fd, path, layer, config, notes, err);
}

int system_read(struct config *config, struct notes *notes, struct error *err)
{
	return read_layer(SYSTEM, DIRECTORY "/" SYSTEM, LAYER_SYSTEM, config, notes, err);
}

static int read_requirements(struct config *config, struct notes *notes, struct error *err)
{
	static const char path[] = DIRECTORY "/" REQUIREMENTS;
	cleanup_close int fd = -1;
	int got = open_file(REQUIREMENTS, path, &fd, err);

	return got <= 0 ? got : requirements_read(fd, path, config, notes, err);
}

int managed_read(struct config *config, struct notes *notes, struct error *err)
{
	if (read_layer(MANAGED, DIRECTORY "/" MANAGED, LAYER_MANAGED, config, notes, err) < 0)
		return -1;
	return read_requirements(config, notes, err);
}

/* A part that others define would be theirs to widen. */
static int check_parent(json_t *sets, const char *name, struct error *err)
{
	const char *parent =
	        json_string_value(json_object_get(json_object_get(sets, name), "extends"));

	if (!parent || parent[0] == ':' || json_object_get(sets, parent))
		return 0;
	return error_set(err, EXIT_INPUT, "bad-config",
	                 "permissions \"%s\" of the administrator: extends \"%s\", which the "
	                 "administrator does not define",
	                 name, parent);
}

int managed_merge(struct config *config, const struct config *managed, struct error *err)
{
	json_t *sets = json_object_get(managed->values, "permissions");
	const char *name;
	json_t *set;

	json_object_foreach (sets, name, set) {
		if (check_parent(sets, name, err) < 0)
			return -1;
		json_object_del(json_object_get(config->values, "permissions"), name);
		json_object_del(json_object_get(config->origins, "permissions"), name);
	}
	config_merge(config, managed);
	return 0;
}
