#include "caches/tree_size.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "fs/directory_names.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 100 /* a descriptor each */

struct sum {
	int at, depth;
	dev_t dev;
	long long end, bytes;
};

static bool add(void *context, const char *name, enum kind kind)
{
	struct sum *sum = context;
	cleanup_close int fd = -1;
	struct stat st;
	struct sum below = *sum;

	(void)kind;
	if (fstatat(sum->at, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || st.st_dev != sum->dev)
		return true;
	sum->bytes += (long long)st.st_blocks * 512;
	if (!S_ISDIR(st.st_mode) || sum->depth >= DEPTH_MAX)
		return now_ms() < sum->end;
	fd = openat(sum->at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	below = (struct sum){fd, sum->depth + 1, sum->dev, sum->end, 0};
	if (fd >= 0 && listing(fd, add, &below) >= 0)
		sum->bytes += below.bytes;
	return now_ms() < sum->end;
}

long long tree_size(int fd, long long end)
{
	struct stat st;
	struct sum sum = {.at = fd, .end = end};

	if (fstat(fd, &st) < 0)
		return 0;
	sum.dev = st.st_dev;
	return lseek(fd, 0, SEEK_SET) == 0 && listing(fd, add, &sum) >= 0 ? sum.bytes : 0;
}
