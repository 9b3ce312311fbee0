#include "limits/stale_cgroups.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "fs/directory_names.h"
#include "limits/cgroup_files.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "sbx-limits-"
#define DIGITS 16

int stale_cgroup_name(char *name, size_t size)
{
	cleanup_close int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	uint64_t chance;

	if (fd < 0 || read(fd, &chance, sizeof(chance)) != (ssize_t)sizeof(chance))
		return -1;
	snprintf(name, size, PREFIX "%016llx", (unsigned long long)chance);
	return 0;
}

static bool is_name_of_ours(const char *name)
{
	const char *digits = name + strlen(PREFIX);

	return strncmp(name, PREFIX, strlen(PREFIX)) == 0 && strlen(digits) == DIGITS &&
	       strspn(digits, "0123456789abcdef") == DIGITS;
}

/* A process that was killed is in it for a moment more. */
static void remove_one(int parent, const char *name)
{
	for (int i = 0; i < 100 && !cgroup_take_away(parent, name); i++)
		pause_ms(1);
}

static bool look(void *context, const char *name, enum kind kind)
{
	int parent = *(int *)context;
	cleanup_close int fd = -1;
	struct stat st;

	if (!may_be_directory(kind) || !is_name_of_ours(name))
		return true;
	fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	    flock(fd, LOCK_EX | LOCK_NB) == 0)
		remove_one(parent, name);
	return true;
}

void stale_cgroups_remove(int parent)
{
	/* What cannot be listed is looked at by the next run. */
	if (lseek(parent, 0, SEEK_SET) == 0)
		(void)listing(parent, look, &parent);
}
