/*
 * flood THREADS OPENS DIRECTORY: opens files for writing, OPENS times in all,
 * and says how many of them failed.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_long failures;
static const char *directory;
static long each;

static void *work(void *number)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/f%ld", directory, (long)number);
	for (long i = 0; i < each; i++) {
		int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

		if (fd < 0)
			failures++;
		else
			close(fd);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	long threads = argc == 4 ? atol(argv[1]) : 0;
	pthread_t list[256];

	if (threads < 1 || threads > 256)
		return 2;
	each = atol(argv[2]) / threads;
	directory = argv[3];
	for (long i = 0; i < threads; i++)
		if (pthread_create(&list[i], NULL, work, (void *)i) != 0)
			return 1;
	for (long i = 0; i < threads; i++)
		pthread_join(list[i], NULL);
	printf("%ld done, %ld failed\n", each * threads, (long)failures);
	return failures != 0;
}
