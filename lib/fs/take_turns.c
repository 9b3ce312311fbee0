#include "fs/take_turns.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "fs/same_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define WRITE_ONLY 0200
#define STEP_MS    10
#define MOMENT_MS  5

static int open_lock(int directory, const char *name, struct error *err)
{
	cleanup_close int fd = openat(
	        directory, name,
	        O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, WRITE_ONLY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return error_system(err, "%s", name);
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid())
		return error_set(err, EXIT_INPUT, "bad-lock", "%s: not a file of this user", name);
	/* As an older version left it. */
	if ((st.st_mode & 07777) != WRITE_ONLY && fchmod(fd, WRITE_ONLY) < 0)
		return error_system(err, "%s", name);
	return keep_fd(&fd);
}

int lock_take(int directory, const char *name, int limit_ms, struct error *err)
{
	cleanup_close int fd = open_lock(directory, name, err);

	if (fd < 0)
		return -1;
	for (int waited = 0; flock(fd, LOCK_EX | LOCK_NB) < 0; waited += STEP_MS) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return error_system(err, "%s", name);
		if (waited >= limit_ms)
			return error_set(err, EXIT_SYSTEM, "locked",
			                 "%s: another program has had the lock for %d seconds; "
			                 "try again when it has ended",
			                 name, limit_ms / 1000);
		pause_ms(STEP_MS);
	}
	/* Whoever had it may have removed it: then it is nobody's any more. */
	if (!is_still_named(fd, directory, name))
		return lock_take(directory, name, limit_ms, err);
	return keep_fd(&fd);
}

int lock_shared(int fd, int limit_ms)
{
	for (int waited = 0; waited < limit_ms; waited += MOMENT_MS) {
		if (flock(fd, LOCK_SH | LOCK_NB) == 0)
			return 0;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -1;
		pause_ms(MOMENT_MS);
	}
	errno = ETIMEDOUT;
	return -1;
}
