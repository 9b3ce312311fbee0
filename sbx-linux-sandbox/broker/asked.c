#include "broker/asked.h"

#include "base/clock.h"
#include "base/read_full.h"
#include "observer/asking_process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>

/* Most paths are shorter, and a short read is cheaper. */
#define USUAL 256U

/*
 * How long an umask is believed.  Every change is seen before it happens, so
 * for a moment after one nothing is kept; and no number of a process is used
 * again this soon.
 */
#define KEPT_US     100000
#define CHANGING_US 10000

bool asked_still(const struct asked *asked)
{
	uint64_t id = asked->request->id;

	return ioctl(asked->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

/* A process that must not be looked into is refused; other addresses are wrong. */
static int unreadable(void)
{
	return errno == EPERM ? -EPERM : -EFAULT;
}

int asked_text(const struct asked *asked, uint64_t address, char text[PATH_MAX])
{
	size_t got = 0;

	while (got < PATH_MAX) {
		size_t n = target_read(asked_by(asked), address + got, text + got,
		                       got == 0 ? USUAL : PATH_MAX - got);

		if (n == 0)
			return unreadable();
		if (memchr(text + got, '\0', n))
			return 0;
		got += n;
	}
	return -ENAMETOOLONG;
}

int asked_bytes(const struct asked *asked, uint64_t address, void *buffer, size_t size)
{
	for (size_t got = 0; got < size;) {
		size_t part = size - got < 8192 ? size - got : 8192;
		size_t n = target_read(asked_by(asked), address + got, (char *)buffer + got, part);

		if (n == 0)
			return unreadable();
		got += n;
	}
	return 0;
}

int asked_file(const struct asked *asked, int fd)
{
	char name[48];
	int pinned;

	if (fd == AT_FDCWD)
		snprintf(name, sizeof(name), "/proc/%d/cwd", (int)asked_by(asked));
	else
		snprintf(name, sizeof(name), "/proc/%d/fd/%d", (int)asked_by(asked), fd);
	pinned = fd < 0 && fd != AT_FDCWD ? -1 : open(name, O_PATH | O_CLOEXEC);
	if (pinned >= 0)
		return pinned;
	return fd != AT_FDCWD && (fd < 0 || errno == ENOENT) ? -EBADF : -EPERM;
}

/* The number after a word of /proc/PID/status; -1. */
static long status_number(const struct asked *asked, const char *word, int base)
{
	char name[32], text[2048];
	const char *at;

	snprintf(name, sizeof(name), "/proc/%d/status", (int)asked_by(asked));
	read_small(AT_FDCWD, name, text, sizeof(text));
	at = strstr(text, word);
	return at ? strtol(at + strlen(word), NULL, base) : -1;
}

pid_t asked_leader(const struct asked *asked)
{
	return (pid_t)status_number(asked, "\nTgid:", 10);
}

void umasks_changed(struct umasks *umasks)
{
	memset(umasks, 0, sizeof(*umasks));
	umasks->changed = now_us();
}

int umask_take(struct umasks *umasks, const struct asked *asked)
{
	size_t slot = (size_t)asked_by(asked) % UMASKS_KEPT;
	long long now = now_us();
	long mask;

	if (umasks->kept[slot].pid == asked_by(asked) && now - umasks->kept[slot].known < KEPT_US) {
		umask(umasks->kept[slot].mask);
		return 0;
	}
	mask = status_number(asked, "\nUmask:", 8);
	if (mask < 0)
		return -EPERM;
	if (now - umasks->changed > CHANGING_US) {
		umasks->kept[slot].pid = asked_by(asked);
		umasks->kept[slot].mask = (mode_t)mask;
		umasks->kept[slot].known = now;
	}
	umask((mode_t)mask);
	return 0;
}
