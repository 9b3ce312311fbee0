#include "limits/cgroup_files.h"

#include "base/cleanup.h"
#include "base/read_full.h"
#include "fs/directory_names.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cgroup_put_text(int directory, const char *file, const char *text)
{
	size_t len = strlen(text);
	int fd = openat(directory, file, O_WRONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : write(fd, text, len);
	int number = errno;

	if (fd >= 0)
		close(fd);
	errno = number;
	return n == (ssize_t)len;
}

bool cgroup_put(int directory, const char *file, int64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)number);
	return cgroup_put_text(directory, file, text);
}

int64_t cgroup_number(int directory, const char *file, const char *word)
{
	size_t len = word ? strlen(word) : 0;
	char text[1024], *end;
	const char *at = text;

	if (read_small(directory, file, text, sizeof(text)) <= 0)
		return -1;
	while (word && (strncmp(at, word, len) != 0 || at[len] != ' ')) {
		at = strchr(at, '\n');
		if (!at)
			return -1;
		at++;
	}
	at += word ? len + 1 : 0;
	errno = 0;
	long long number = strtoll(at, &end, 10);

	return errno || end == at || number < 0 ? -1 : number;
}

size_t cgroup_processes(int directory, pid_t *pids, size_t most)
{
	cleanup_close int fd = openat(directory, "cgroup.procs", O_RDONLY | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	size_t count = 0;
	long pid;

	if (!file)
		return 0;
	fd = -1;
	while (count < most && fscanf(file, "%ld", &pid) == 1)
		/* One that this process has no number for is 0: that would be our own group. */
		if (pid > 0)
			pids[count++] = (pid_t)pid;
	fclose(file);
	return count;
}

#define AT_ONCE 4096

/*
 * Ends all that are in it now.  The kernel does it in one go (5.14); else one by one, again
 * until none is left.
 */
static void kill_all(int directory)
{
	pid_t pids[AT_ONCE];
	size_t count;

	if (cgroup_put(directory, "cgroup.kill", 1))
		return;
	count = cgroup_processes(directory, pids, AT_ONCE);
	for (size_t i = 0; i < count; i++)
		kill(pids[i], SIGKILL);
}

static bool take_away(int parent, const char *name, int depth);

struct inner {
	int directory, depth;
};

static bool take_inner(void *context, const char *name, enum kind kind)
{
	const struct inner *inner = context;

	if (may_be_directory(kind))
		take_away(inner->directory, name, inner->depth - 1);
	return true;
}

/* A command without a sandbox can make some in its own, which keep it there. */
#define DEPTH_MAX 32

static bool take_away(int parent, const char *name, int depth)
{
	cleanup_close int fd = -1;
	struct inner inner;

	if (unlinkat(parent, name, AT_REMOVEDIR) == 0)
		return true;
	if (errno != EBUSY || depth == 0)
		return false;
	fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return false;
	kill_all(fd);
	inner = (struct inner){fd, depth};
	if (listing(fd, take_inner, &inner) < 0)
		return false;
	return unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

bool cgroup_take_away(int parent, const char *name)
{
	return take_away(parent, name, DEPTH_MAX);
}
