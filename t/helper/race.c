/*
 * race ALLOWED FORBIDDEN TRIES: connects unix sockets while two threads change
 * the address in memory and what the descriptor means; says how often each
 * attempt went through.  It listens on ALLOWED itself.  On a busy machine the
 * threads that change things may not run during all of TRIES: it goes on until
 * ALLOWED had its turn.
 */
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static const char *names[2];
static atomic_bool done;
static int swapped = -1, internet = -1, local = -1;

static void *rewrite(void *unused)
{
	(void)unused;
	for (unsigned i = 0; !done; i++) {
		const char *name = names[i & 1U];

		memcpy(address.sun_path, name, strlen(name) + 1);
	}
	return NULL;
}

static void *swap(void *unused)
{
	(void)unused;
	for (unsigned i = 0; !done; i++)
		dup2(i & 1U ? internet : local, swapped);
	return NULL;
}

static void *serve(void *listener)
{
	for (;;) {
		int fd = accept((int)(long)listener, NULL, NULL);

		if (fd >= 0)
			close(fd);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct sockaddr_un own = {.sun_family = AF_UNIX};
	long made = 0, through = 0, tries = argc == 4 ? atol(argv[3]) : 0;
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);
	pthread_t threads[3];

	if (tries < 1 || strlen(argv[1]) >= sizeof(own.sun_path) ||
	    strlen(argv[2]) >= sizeof(own.sun_path))
		return 2;
	names[0] = argv[1];
	names[1] = argv[2];
	strcpy(own.sun_path, argv[1]);
	internet = socket(AF_INET, SOCK_STREAM, 0);
	local = socket(AF_UNIX, SOCK_STREAM, 0);
	swapped = dup(local);
	if (bind(listener, (struct sockaddr *)&own, sizeof(own)) < 0 || listen(listener, 100) < 0 ||
	    pthread_create(&threads[0], NULL, rewrite, NULL) != 0 ||
	    (internet >= 0 && pthread_create(&threads[1], NULL, swap, NULL) != 0) ||
	    pthread_create(&threads[2], NULL, serve, (void *)(long)listener) != 0) {
		perror("race");
		return 1;
	}
	for (; made < tries || (through == 0 && made < tries * 100); made++) {
		int fd = socket(AF_UNIX, SOCK_STREAM, 0);

		through += connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
		close(fd);
		if (internet >= 0)
			(void)!connect(swapped, (struct sockaddr *)&address, sizeof(address));
	}
	printf("%ld of %ld connected\n", through, made);
	return through == 0;
}
