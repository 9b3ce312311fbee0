/*
 * Why is open() our own with musl?  Its own asks the kernel for O_CLOEXEC and
 * then sets the flag once more, for kernels that do not know it: a second
 * system call for each of the 150 files that a start of the sandbox opens.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <sys/types.h>

#if defined(__linux__) && !defined(__GLIBC__)

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;

	if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) {
		va_list ap;

		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	return openat(AT_FDCWD, path, flags, mode);
}

#else

typedef int open_is_the_libraries_own;

#endif
