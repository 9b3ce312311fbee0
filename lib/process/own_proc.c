#include "process/own_proc.h"

#ifdef __linux__

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

int proc_look(void)
{
	char self[32];
	ssize_t n = readlink("/proc/self", self, sizeof(self) - 1);

	if (n < 0)
		return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
	self[n] = '\0';
	return atoi(self) == getpid();
}

bool proc_is_own(void)
{
	return proc_look() > 0;
}

#else

int proc_look(void)
{
	return 0;
}

bool proc_is_own(void)
{
	return false;
}

#endif
