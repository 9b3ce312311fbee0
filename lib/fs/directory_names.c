#include "fs/directory_names.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <stdint.h>
#include <sys/syscall.h>
#endif

static enum kind kind_of(unsigned char type)
{
	switch (type) {
	case DT_DIR:
		return KIND_DIRECTORY;
	case DT_LNK:
		return KIND_LINK;
	case DT_FIFO:
	case DT_CHR:
	case DT_BLK:
		return KIND_DEVICE;
	case DT_UNKNOWN:
		return KIND_UNKNOWN;
	default:
		return KIND_OTHER;
	}
}

static bool is_dots(const char *name)
{
	return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

#ifdef __linux__

/* As the kernel writes it: C libraries differ in whether and how they name this. */
struct kernel_dirent {
	uint64_t d_ino;
	int64_t d_off;
	unsigned short d_reclen;
	unsigned char d_type;
	char d_name[];
};

/* Without the allocation and the fstat() of opendir(): a walk does this hundreds of times. */
int listing(int fd, listing_name *each, void *context)
{
	_Alignas(struct kernel_dirent) char buffer[32768];

	for (;;) {
		long n = syscall(SYS_getdents64, fd, buffer, sizeof(buffer));

		if (n <= 0)
			return (int)n;
		for (long at = 0; at < n;) {
			const struct kernel_dirent *entry = (const void *)(buffer + at);

			at += entry->d_reclen;
			if (!is_dots(entry->d_name) &&
			    !each(context, entry->d_name, kind_of(entry->d_type)))
				return 1;
		}
	}
}

#else

int listing(int fd, listing_name *each, void *context)
{
	int copy = dup(fd);
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;
	int status = 0;

	if (!dir) {
		if (copy >= 0)
			close(copy);
		return -1;
	}
	while (status == 0 && (errno = 0, entry = readdir(dir)) != NULL)
		if (!is_dots(entry->d_name) &&
		    !each(context, entry->d_name, kind_of(entry->d_type)))
			status = 1;
	if (status == 0 && errno != 0)
		status = -1;
	closedir(dir);
	return status;
}

#endif
