#include "limits/thread_parts.h"

#include "base/cleanup.h"
#include "base/read_full.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

static DIR *threads_of(pid_t process)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/task", (int)process);
	return opendir(path);
}

static pid_t next_thread(DIR *threads)
{
	const struct dirent *entry;

	while (threads && (entry = readdir(threads)) != NULL)
		if (entry->d_name[0] != '.')
			return (pid_t)atoi(entry->d_name);
	return 0;
}

static bool is_dead(pid_t thread)
{
	char path[32], line[1024];
	const char *after;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)thread);
	read_small(AT_FDCWD, path, line, sizeof(line));
	after = strrchr(line, ')');
	return !after || after[1] != ' ' || after[2] == 'Z' || after[2] == 'X';
}

pid_t living_thread(pid_t process)
{
	DIR *threads = threads_of(process);
	pid_t thread = next_thread(threads);

	while (thread && is_dead(thread))
		thread = next_thread(threads);
	if (threads)
		closedir(threads);
	return thread ? thread : process;
}

/* Where the kernel does not say, they have the same ones, as all threads of a library have. */
static bool has_other_descriptors(pid_t thread, pid_t known)
{
#if defined(__linux__) && defined(SYS_kcmp)
	return syscall(SYS_kcmp, (int)known, (int)thread, 2 /* KCMP_FILES */, 0UL, 0UL) > 0;
#else
	(void)thread, (void)known;
	return false;
#endif
}

void threads_apart(pid_t process, pid_t known, void (*look)(void *context, pid_t thread),
                   void *context)
{
	DIR *threads = threads_of(process);
	pid_t thread;

	while ((thread = next_thread(threads)) != 0)
		if (thread != known && has_other_descriptors(thread, known))
			look(context, thread);
	if (threads)
		closedir(threads);
}
