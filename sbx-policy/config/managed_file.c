#include "config/managed_file.h"

#include "base/cleanup.h"
#include "config/config_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/* Fixed when it is compiled: whoever could name another would be rid of it. */
#define DIRECTORY "/etc/codex"
#define NAME      "managed_config.toml"
#define PATH      DIRECTORY "/" NAME

static int refuse(struct error *err, const char *path, const char *why)
{
	return error_set(err, EXIT_INPUT, "bad-config", "\"%s\": not trusted: %s", path, why);
}

int managed_read(struct config *config, struct notes *notes, struct error *err)
{
	cleanup_close int dir = open(DIRECTORY, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	cleanup_close int fd = -1;
	const char *doubt;
	struct stat st;

	/* Only what does not exist says nothing; anything else may hide it from us. */
	if (dir < 0 && errno == ENOENT)
		return 0;
	if (dir < 0 || fstat(dir, &st) < 0)
		return refuse(err, DIRECTORY, strerror(errno));
	fd = openat(dir, NAME, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0)
		return refuse(err, PATH, strerror(errno));
	if (st.st_uid != 0 || (st.st_mode & S_IWOTH))
		return refuse(err, DIRECTORY, "somebody other than root can write there");
	if (fstat(fd, &st) < 0)
		return refuse(err, PATH, strerror(errno));
	doubt = file_doubt(&st, true);
	if (doubt)
		return refuse(err, PATH, doubt);
	return file_read(fd, PATH, LAYER_MANAGED, config, notes, err);
}
