#include "process/own_proc.h"

#ifdef __linux__

#include <stdlib.h>
#include <unistd.h>

bool proc_is_own(void)
{
	char self[32];
	ssize_t n = readlink("/proc/self", self, sizeof(self) - 1);

	self[n > 0 ? n : 0] = '\0';
	return atoi(self) == getpid();
}

#else

bool proc_is_own(void)
{
	return false;
}

#endif
