#include "network/interruption.h"

#include "base/read_full.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* For this thread alone; nobody sends it to us, and the kernel only with urgent data. */
#define TICK SIGURG

bool is_interrupted(pid_t pid)
{
	static const char *const words[] = {"\nSigPnd:", "\nShdPnd:", "\nSigBlk:", "\nSigCgt:"};
	unsigned long long sets[4];
	char name[32], leader[32], text[2048];

	snprintf(name, sizeof(name), "/proc/%d/status", (int)pid);
	snprintf(leader, sizeof(leader), "\nTgid:\t%d\n", (int)pid);
	if (read_small(AT_FDCWD, name, text, sizeof(text)) < 0)
		return false;
	for (size_t i = 0; i < 4; i++) {
		const char *at = strstr(text, words[i]);

		if (!at)
			return false;
		sets[i] = strtoull(at + strlen(words[i]), NULL, 16);
	}
	/* What is for the whole process the kernel gives to its first thread, if that takes it. */
	if (!strstr(text, leader))
		sets[1] = 0;
	return ((sets[0] | sets[1]) & ~sets[2] & sets[3]) != 0;
}

static void tick(int number)
{
	(void)number;
}

/* connect() says EINTR again and again; false: it waits as long as it wants. */
static bool begin_ticks(timer_t *timer)
{
	const struct sigaction action = {.sa_handler = tick};
	const struct itimerspec often = {{0, INTERRUPTION_LOOK_MS * 1000000L},
	                                 {0, INTERRUPTION_LOOK_MS * 1000000L}};
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = TICK};
	sigset_t set;

	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	sigemptyset(&set);
	sigaddset(&set, TICK);
	if (sigaction(TICK, &action, NULL) < 0 || timer_create(CLOCK_MONOTONIC, &event, timer) < 0)
		return false;
	if (timer_settime(*timer, 0, &often, NULL) == 0 &&
	    pthread_sigmask(SIG_UNBLOCK, &set, NULL) == 0)
		return true;
	timer_delete(*timer);
	return false;
}

/* Each time anew, which is for ever: a socket with a time of its own does without. */
static bool has_time(int fd)
{
	struct timeval time = {0};
	socklen_t size = sizeof(time);

	return getsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &time, &size) < 0 || time.tv_sec != 0 ||
	       time.tv_usec != 0;
}

int connect_until_interrupted(int fd, const struct sockaddr *address, socklen_t len, pid_t pid)
{
	bool waits = !(fcntl(fd, F_GETFL) & O_NONBLOCK) && !has_time(fd);
	timer_t timer;
	int error;

	waits = waits && begin_ticks(&timer);
	do
		error = connect(fd, address, len) == 0 ? 0 : errno;
	while (waits && error == EINTR && !is_interrupted(pid));
	if (waits)
		timer_delete(timer);
	return waits && error == EINTR ? CALL_RESTARTS : error;
}
