#include "limits/own_limits.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

void go_first_without_memory(void)
{
#ifdef __linux__
	int saved = errno;
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	/* A bystander less is saved where there is no /proc. */
	if (fd >= 0 && write(fd, "1000", 4) < 0)
		errno = saved;
	if (fd >= 0)
		close(fd);
	errno = saved;
#endif
}

static int lower(int resource, int64_t most)
{
	struct rlimit limit;

	if (most <= 0)
		return 0;
	if (getrlimit(resource, &limit) < 0)
		return -1;
	if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > (rlim_t)most)
		limit.rlim_max = (rlim_t)most;
	if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > limit.rlim_max)
		limit.rlim_cur = limit.rlim_max;
	return setrlimit(resource, &limit);
}

int own_limits_set(int64_t processes, int64_t file)
{
	return lower(RLIMIT_NPROC, processes) < 0 ? -1 : lower(RLIMIT_FSIZE, file);
}
