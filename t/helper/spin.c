/*
 * spin FILE TEXT: tries without a pause to make FILE say TEXT: by a directory
 * for it, by appending, and by renaming a file of its own onto it.  Says
 * "spinning" on stdout once it has begun; ends when it is killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void append(const char *file, const char *text, int flags)
{
	int fd = open(file, flags | O_WRONLY | O_APPEND | O_CLOEXEC, 0666);

	if (fd < 0)
		return;
	if (write(fd, text, strlen(text)) < 0)
		errno = 0;
	close(fd);
}

int main(int argc, char **argv)
{
	char directory[PATH_MAX], own[PATH_MAX + 16];
	const char *slash = argc == 3 ? strrchr(argv[1], '/') : NULL;

	if (!slash)
		return 2;
	snprintf(directory, sizeof(directory), "%.*s", (int)(slash - argv[1]), argv[1]);
	snprintf(own, sizeof(own), "%s/planted", directory);
	printf("spinning\n");
	fflush(stdout);
	for (unsigned long i = 0;; i++) {
		mkdir(directory, 0777);
		append(argv[1], argv[2], i % 2 ? O_CREAT : 0);
		if (i % 64 == 0) {
			append(own, argv[2], O_CREAT);
			if (rename(own, argv[1]) < 0)
				unlink(own);
		}
	}
}
