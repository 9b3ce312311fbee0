/*
 * bomb KIND COUNT [PATH]: takes so much of the machine and no more, then says
 * "took N", and "refused N" where it did not get it.
 *
 *	fork      processes that wait      threads  threads that wait
 *	memory    MiB of its own           memfd    MiB in a file in memory
 *	shm, fill MiB in the file PATH     files    open files
 *	late      MiB of its own, in a thread, when the first has ended
 *	apart     MiB in a file in memory that only a thread has open
 *	behind    MiB in a file in memory, opened after thousands of files
 *	segments  MiB in segments of System V that nobody maps
 *	spin      ms of processor time     rhythm   ms: the longest that it was kept waiting
 *	storm     processes that make others, all at once
 *
 * Between two steps it rests a little, so that whoever has to look can; a storm does not.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <time.h>
#include <unistd.h>

static const char *path;
static int out = -1;
static char block[1 << 20];

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void *wait_long(void *nothing)
{
	sleep(20);
	return nothing;
}

static int one_process(void)
{
	pid_t child = fork();

	if (child == 0) {
		sleep(20);
		_exit(0);
	}
	return child < 0 ? -1 : 0;
}

static int one_thread(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, wait_long, NULL) == 0 ? 0 : -1;
}

static int one_mebibyte(void)
{
	volatile char *memory = malloc(sizeof(block));

	for (size_t i = 0; memory && i < sizeof(block); i += 1024)
		memory[i] = 1;
	return memory ? 0 : -1;
}

static int one_block(void)
{
	return write(out, block, sizeof(block)) == (ssize_t)sizeof(block) ? 0 : -1;
}

static int to_memfd(void)
{
	if (out < 0)
		out = memfd_create("bomb", 0);
	return one_block();
}

static int to_file(void)
{
	if (out < 0)
		out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	return one_block();
}

static int behind(void)
{
	struct rlimit files;

	if (out < 0 && getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
		for (int i = 0; i < 9000 && dup(0) >= 0; i++)
			continue;
	}
	return to_memfd();
}

static int one_segment(void)
{
	int segment = shmget(IPC_PRIVATE, sizeof(block), 0600 | IPC_CREAT);
	void *at = segment < 0 ? (void *)-1 : shmat(segment, NULL, 0);

	if (at == (void *)-1)
		return -1;
	memset(at, 1, sizeof(block));
	return shmdt(at);
}

static int one_file(void)
{
	return open("/dev/null", O_RDONLY) < 0 ? -1 : 0;
}

static int one_ms(void)
{
	static struct timespec t;
	long end;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	end = t.tv_sec * 1000000 + t.tv_nsec / 1000 + 1000;
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec * 1000000 + t.tv_nsec / 1000 < end);
	return 0;
}

static const struct {
	const char *name;
	int (*step)(void);
	long rest_us;
	unsigned wait; /* seconds at the end, if BOMB_WAIT says no other number */
} kinds[] = {
        {"fork", one_process, 500, 1},     {"threads", one_thread, 500, 1},
        {"memory", one_mebibyte, 2000, 0}, {"memfd", to_memfd, 2000, 0},
        {"shm", to_file, 2000, 0},         {"fill", to_file, 0, 0},
        {"files", one_file, 0, 0},         {"spin", one_ms, 0, 0},
        {"late", one_mebibyte, 2000, 0},   {"apart", to_memfd, 2000, 0},
        {"behind", behind, 2000, 0},       {"segments", one_segment, 2000, 0},
};

static int rhythm(long ms)
{
	double end = now_ms() + (double)ms, longest = 0;

	for (double before = now_ms(); before < end;) {
		double now;

		usleep(5000);
		now = now_ms();
		longest = now - before > longest ? now - before : longest;
		before = now;
	}
	printf("%.0f\n", longest);
	return 0;
}

static int explode(const char *kind, long count)
{
	long refused = 0;

	for (size_t i = 0; count && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kind, kinds[i].name) != 0)
			continue;
		for (long k = 0; k < count; k++) {
			refused += kinds[i].step() < 0;
			if (kinds[i].rest_us)
				usleep((useconds_t)kinds[i].rest_us);
		}
		printf("took %ld\nrefused %ld\n", count - refused, refused);
		fflush(stdout);
		sleep(getenv("BOMB_WAIT") ? (unsigned)atoi(getenv("BOMB_WAIT")) : kinds[i].wait);
		/* Without waiting for its threads. */
		_exit(refused > 0);
	}
	fprintf(stderr, "usage: bomb KIND COUNT [PATH]\n");
	return 2;
}

/* Each that is born goes on like the first; all that were made wait at the end. */
static int storm(long count)
{
	long *made = mmap(NULL, sizeof(*made), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
	                  -1, 0);
	pid_t first = getpid();

	if (made == MAP_FAILED)
		return 3;
	while (__atomic_add_fetch(made, 1, __ATOMIC_RELAXED) <= count)
		if (fork() < 0)
			usleep(1000);
	sleep(20);
	if (getpid() == first)
		printf("took %ld\n", count);
	return 0;
}

static void *in_thread(void *words)
{
	char **argv = words;

	if (strcmp(argv[1], "apart") == 0 && unshare(CLONE_FILES) < 0)
		_exit(3);
	explode(argv[1], atol(argv[2]));
	return NULL;
}

int main(int argc, char **argv)
{
	long count = argc > 2 ? atol(argv[2]) : 0;
	pthread_t thread;

	path = argc > 3 ? argv[3] : NULL;
	if (count && strcmp(argv[1], "rhythm") == 0)
		return rhythm(count);
	if (count && strcmp(argv[1], "storm") == 0)
		return storm(count);
	if (!count || (strcmp(argv[1], "late") != 0 && strcmp(argv[1], "apart") != 0))
		return explode(argc > 1 ? argv[1] : "", count);
	if (pthread_create(&thread, NULL, in_thread, argv) != 0)
		return 3;
	if (strcmp(argv[1], "apart") == 0)
		pthread_join(thread, NULL);
	pthread_exit(NULL);
}
