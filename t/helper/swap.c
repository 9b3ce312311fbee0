/*
 * swap WORKSPACE TRIES: changes files in WORKSPACE/one/two while other threads
 * rewrite the path in memory to one in .git, exchange the directory with a
 * link to .git, and move its parent; says how often a call went through.
 */
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char path[4096], good[4096], bad[4096];
static atomic_bool done;
static int descriptor = -1, own = -1, protected_one = -1;

/* In memory: "one/two/f" and ".git/f", a byte at a time and at once. */
static void *rewrite(void *unused)
{
	(void)unused;
	for (unsigned i = 0; !done; i++)
		memcpy(path, i & 1U ? good : bad, strlen(i & 1U ? good : bad) + 1);
	return NULL;
}

static void *exchange(void *unused)
{
	(void)unused;
	while (!done)
		syscall(SYS_renameat2, AT_FDCWD, "one/two", AT_FDCWD, "link", RENAME_EXCHANGE);
	return NULL;
}

static void *move(void *unused)
{
	(void)unused;
	while (!done) {
		(void)!rename("one", "own/one");
		(void)!rename("own/one", "one");
	}
	return NULL;
}

static void *renumber(void *unused)
{
	(void)unused;
	for (unsigned i = 0; !done; i++)
		dup2(i & 1U ? own : protected_one, descriptor);
	return NULL;
}

static int attempt(unsigned which)
{
	int fd = -1;

	switch (which % 12) {
	case 0:
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		break;
	case 1:
		fd = openat(descriptor, "f1", O_RDWR | O_CREAT, 0600);
		break;
	case 2:
		return chmod(path, 0700);
	case 3:
		return fchmodat(descriptor, "f2", 0701, 0);
	case 4:
		return truncate(path, 1);
	case 5:
		return unlinkat(descriptor, "f3", 0);
	case 6:
		return rename(path, "own/taken");
	case 7:
		return link(path, "own/second");
	case 8:
		return unlink("own/second");
	case 9:
		fd = open("one/two/f2", O_WRONLY | O_CREAT, 0600);
		break;
	case 10:
		return utimensat(descriptor, "f0", NULL, 0);
	default:
		return mkdirat(descriptor, "made", 0700) == 0
		               ? unlinkat(descriptor, "made", AT_REMOVEDIR)
		               : -1;
	}
	if (fd < 0)
		return -1;
	int wrote = (int)write(fd, "evil", 4);
	close(fd);
	return wrote;
}

int main(int argc, char **argv)
{
	void *(*const threads[])(void *) = {rewrite, exchange, move, renumber};
	long through = 0, tries = argc == 3 ? atol(argv[2]) : 0;
	pthread_t thread;

	if (tries < 1 || chdir(argv[1]) < 0)
		return 2;
	snprintf(good, sizeof(good), "%s/one/two/f0", argv[1]);
	snprintf(bad, sizeof(bad), "%s/.git/f0", argv[1]);
	strcpy(path, good);
	own = open("own", O_RDONLY | O_DIRECTORY);
	protected_one = open(".git", O_RDONLY | O_DIRECTORY);
	descriptor = dup(own);
	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++)
		if (pthread_create(&thread, NULL, threads[i], NULL) != 0)
			return 1;
	for (long i = 0; i < tries; i++)
		through += attempt((unsigned)i) >= 0;
	done = true;
	printf("%ld of %ld went through\n", through, tries);
	return 0;
}
