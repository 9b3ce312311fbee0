#include "observer/asking_process.h"

#include "base/clock.h"
#include "base/memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096U

/* Most paths are shorter, and a short read is cheaper. */
#define USUAL 256U

/*
 * How long a working directory is believed.  Every change is seen before it
 * happens, so for a moment after one nothing is kept; and no number of a
 * process is used again this soon.
 */
#define KEPT_US   100000
#define MOVING_US 10000

void targets_begin(struct targets *targets)
{
	memset(targets, 0, sizeof(*targets));
	for (size_t i = 0; i < TARGETS_KEPT; i++)
		targets->kept[i].directory = -1;
}

void targets_end(struct targets *targets)
{
	for (size_t i = 0; i < TARGETS_KEPT; i++) {
		if (targets->kept[i].directory >= 0)
			close(targets->kept[i].directory);
		free(targets->kept[i].cwd);
	}
	targets_begin(targets);
}

void targets_moved(struct targets *targets)
{
	for (size_t i = 0; i < TARGETS_KEPT; i++)
		targets->kept[i].known = 0;
	targets->moved = now_us();
}

size_t target_read(pid_t pid, uint64_t address, void *buffer, size_t size)
{
	size_t first = PAGE - address % PAGE;
	struct iovec local = {.iov_base = buffer, .iov_len = size};
	struct iovec remote[3];
	unsigned long count = 0;
	ssize_t n;

	/* A part that cannot be read fails as a whole: one part per page. */
	for (size_t done = 0; done < size && count < 3; count++) {
		size_t part = done == 0 ? first : PAGE;

		if (part > size - done)
			part = size - done;
		remote[count].iov_base = (char *)(uintptr_t)address + done;
		remote[count].iov_len = part;
		done += part;
	}
	n = process_vm_readv(pid, &local, 1, remote, count, 0);
	return n > 0 ? (size_t)n : 0;
}

/* A string in its memory; false when there is none, or it is too long for a path. */
static bool target_string(pid_t pid, uint64_t address, char path[PATH_MAX])
{
	size_t got = target_read(pid, address, path, USUAL);

	if (memchr(path, '\0', got))
		return true;
	if (got < USUAL)
		return false;
	got += target_read(pid, address + got, path + got, PATH_MAX - got);
	return memchr(path, '\0', got) != NULL;
}

/* -1: gone. */
static int directory_of(struct targets *targets, pid_t pid, bool again)
{
	size_t slot = (size_t)pid % TARGETS_KEPT;
	char name[32];

	if (!again && targets->kept[slot].pid == pid)
		return targets->kept[slot].directory;
	if (targets->kept[slot].directory >= 0)
		close(targets->kept[slot].directory);
	snprintf(name, sizeof(name), "/proc/%d", (int)pid);
	targets->kept[slot].known = 0;
	targets->kept[slot].pid = pid;
	targets->kept[slot].directory = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return targets->kept[slot].directory;
}

bool target_link(struct targets *targets, pid_t pid, const char *name, char path[PATH_MAX])
{
	int directory = directory_of(targets, pid, false);
	ssize_t n = readlinkat(directory, name, path, PATH_MAX - 1);

	/* The number may have been another process's when we kept it. */
	if (n < 0)
		n = readlinkat(directory_of(targets, pid, true), name, path, PATH_MAX - 1);
	if (n <= 0 || n >= PATH_MAX - 1)
		return false;
	path[n] = '\0';
	return true;
}

static bool working_directory(struct targets *targets, pid_t pid, char path[PATH_MAX])
{
	size_t slot = (size_t)pid % TARGETS_KEPT;
	long long now = now_us();

	if (targets->kept[slot].pid == pid && targets->kept[slot].known &&
	    now - targets->kept[slot].known < KEPT_US) {
		memcpy(path, targets->kept[slot].cwd, strlen(targets->kept[slot].cwd) + 1);
		return true;
	}
	if (!target_link(targets, pid, "cwd", path))
		return false;
	if (now - targets->moved > MOVING_US) {
		free(targets->kept[slot].cwd);
		targets->kept[slot].cwd = xstrdup(path);
		targets->kept[slot].known = now;
	}
	return true;
}

/* Done for every call that names a directory: cheaper than a formatted number. */
static bool open_file(struct targets *targets, pid_t pid, int fd, char path[PATH_MAX])
{
	char name[16] = "fd/";
	char *at = name + sizeof(name) - 1;

	if (fd < 0)
		return false;
	do
		*--at = (char)('0' + fd % 10);
	while ((fd /= 10) > 0);
	memmove(name + 3, at, (size_t)(name + sizeof(name) - at));
	return target_link(targets, pid, name, path);
}

static void look_at_end(const char *text, size_t len, struct named *named)
{
	size_t end = len, at;

	while (end > 0 && text[end - 1] == '/')
		end--;
	for (at = end; at > 0 && text[at - 1] != '/'; at--)
		;
	named->nothing = len == 0;
	named->dots = (end - at == 1 && text[at] == '.') ||
	              (end - at == 2 && text[at] == '.' && text[at + 1] == '.');
	named->directory = end < len || named->dots;
}

bool target_path(struct targets *targets, pid_t pid, int directory, uint64_t address,
                 struct named *named)
{
	char text[PATH_MAX];
	size_t base, len;

	if (!target_string(pid, address, text))
		return false;
	len = strlen(text);
	look_at_end(text, len, named);
	if (text[0] == '/') {
		memcpy(named->path, text, len + 1);
		return true;
	}
	if (directory == AT_FDCWD ? !working_directory(targets, pid, named->path)
	                          : !open_file(targets, pid, directory, named->path))
		return false;
	base = strlen(named->path);
	if (named->path[0] != '/' || base + 1 + len >= PATH_MAX)
		return false;
	named->path[base] = '/';
	memcpy(named->path + base + 1, text, len + 1);
	return true;
}

pid_t thread_leader(pid_t thread)
{
	char name[64], line[256];
	FILE *status;
	long leader = 0;

	snprintf(name, sizeof(name), "/proc/%d/status", (int)thread);
	status = fopen(name, "re");
	while (status && fgets(line, sizeof(line), status))
		if (strncmp(line, "Tgid:", 5) == 0)
			leader = strtol(line + 5, NULL, 10);
	if (status)
		fclose(status);
	return (pid_t)leader;
}
