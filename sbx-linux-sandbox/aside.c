#include "aside.h"

#include "cleanup.h"
#include "memory.h"
#include "path.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

int aside_put(int directory, const char *path, char **name)
{
	cleanup_free char *parent = xstrdup(path);
	char *slash = strrchr(parent, '/');
	const char *base = slash ? slash + 1 : path;
	cleanup_close int fd = -1;
	unsigned number;

	if (slash)
		*slash = '\0';
	fd = path_open_beneath(directory, slash ? parent : ".", O_PATH | O_DIRECTORY);
	if (fd < 0 || getrandom(&number, sizeof(number), 0) != sizeof(number))
		return -1;
	*name = xasprintf("%s.sbx-%08x", base, number);
	return (int)syscall(SYS_renameat2, fd, base, fd, *name, RENAME_NOREPLACE);
}
