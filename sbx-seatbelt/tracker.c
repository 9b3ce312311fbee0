#include "tracker.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <fcntl.h>
#include <sys/event.h>
#include <sys/sysctl.h>
#include <sys/time.h>
#else
#include <dirent.h>
#endif

bool tracker_has(const struct tracker *tracker, pid_t pid)
{
	for (size_t i = 0; i < tracker->count; i++)
		if (tracker->pids[i] == pid)
			return true;
	return false;
}

#ifdef __APPLE__

/* A fork wakes us, so that a short life is still seen in the table. */
static void notice_forks(const struct tracker *tracker, pid_t pid)
{
	struct kevent event;

	EV_SET(&event, pid, EVFILT_PROC, EV_ADD | EV_CLEAR, NOTE_FORK, 0, NULL);
	/* It may have ended already; then it forks no more. */
	if (tracker->wakes >= 0)
		kevent(tracker->wakes, &event, 1, NULL, 0, NULL);
}

static void forget_wakes(const struct tracker *tracker)
{
	struct timespec none = {0};
	struct kevent event;

	while (tracker->wakes >= 0 && kevent(tracker->wakes, NULL, 0, &event, 1, &none) > 0)
		;
}

static int open_wakes(void)
{
	int fd = kqueue();

	if (fd >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static struct process *read_table(size_t *count)
{
	int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_ALL};
	struct process *table = NULL;
	struct kinfo_proc *rows;
	size_t size = 0;

	*count = 0;
	if (sysctl(name, 3, NULL, &size, NULL, 0) < 0)
		return NULL;
	/* More may start before the second call. */
	size += 64 * sizeof(*rows);
	rows = xmalloc(size);
	if (sysctl(name, 3, rows, &size, NULL, 0) == 0) {
		*count = size / sizeof(*rows);
		table = xrealloc_array(NULL, *count + 1, sizeof(*table));
		for (size_t i = 0; i < *count; i++)
			table[i] = (struct process){rows[i].kp_proc.p_pid, rows[i].kp_eproc.e_ppid};
	}
	free(rows);
	return table;
}

#else

static void notice_forks(const struct tracker *tracker, pid_t pid)
{
	(void)tracker, (void)pid;
}

static void forget_wakes(const struct tracker *tracker)
{
	(void)tracker;
}

static int open_wakes(void)
{
	return -1;
}

static bool read_process(const char *name, struct process *p)
{
	char path[64], line[512];
	const char *after = NULL;
	FILE *file;
	int parent;

	snprintf(path, sizeof(path), "/proc/%.32s/stat", name);
	file = fopen(path, "re");
	if (!file)
		return false;
	/* The name in parentheses is the process's own text: the last ")" ends it. */
	if (fgets(line, sizeof(line), file))
		after = strrchr(line, ')');
	fclose(file);
	if (!after || sscanf(after + 1, " %*c %d", &parent) != 1)
		return false;
	*p = (struct process){.pid = (pid_t)atoi(name), .parent = parent};
	return true;
}

static struct process *read_table(size_t *count)
{
	struct process *table = NULL, row;
	DIR *dir = opendir("/proc");
	const struct dirent *entry;

	*count = 0;
	while (dir && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] < '0' || entry->d_name[0] > '9' ||
		    !read_process(entry->d_name, &row))
			continue;
		table = xrealloc_array(table, *count + 1, sizeof(*table));
		table[(*count)++] = row;
	}
	if (dir)
		closedir(dir);
	return table;
}

#endif

static void add(struct tracker *tracker, pid_t pid)
{
	list_add(tracker->pids, tracker->count, pid);
	notice_forks(tracker, pid);
}

void tracker_begin(struct tracker *tracker, pid_t command)
{
	*tracker = (struct tracker){.wakes = open_wakes()};
	add(tracker, command);
}

void tracker_free(struct tracker *tracker)
{
	if (tracker->wakes >= 0)
		close(tracker->wakes);
	free(tracker->pids);
	*tracker = (struct tracker){.wakes = -1};
}

void tracker_add(struct tracker *tracker, const struct process *table, size_t count)
{
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < count; i++) {
			if (tracker_has(tracker, table[i].pid) ||
			    !tracker_has(tracker, table[i].parent))
				continue;
			add(tracker, table[i].pid);
			more = true;
		}
	}
}

void tracker_look(struct tracker *tracker)
{
	struct process *table;
	size_t count;

	/* Before the table: what forks after it is read wakes us again. */
	forget_wakes(tracker);
	table = read_table(&count);
	tracker_add(tracker, table, count);
	free(table);
}
