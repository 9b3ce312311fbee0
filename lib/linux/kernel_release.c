#include "linux/kernel_release.h"

#include <stdio.h>
#ifdef __linux__
#include <sys/utsname.h>
#endif

bool kernel_at_least(int major, int minor)
{
#ifdef __linux__
	struct utsname name;
	int has_major = 0, has_minor = 0;

	if (uname(&name) == 0 && sscanf(name.release, "%d.%d", &has_major, &has_minor) == 2)
		return has_major > major || (has_major == major && has_minor >= minor);
#else
	(void)major, (void)minor;
#endif
	return false;
}
