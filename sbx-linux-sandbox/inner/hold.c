#include "inner/hold.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/read_full.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Whatever is in the kernel comes out of it, unless it waits there for us. */
#define LOOKS_MAX 250
#define LOOK_NS   2000000

static char *line_of(char *text, const char *name)
{
	char *at = strstr(text, name);

	return at ? at + strlen(name) : NULL;
}

/* "N VOLUNTARY OTHER", and its state; false: it cannot be seen. */
static bool add_thread(FILE *out, long process, const char *thread, char *state)
{
	char path[80], text[8192], *states, *voluntary, *other;

	snprintf(path, sizeof(path), "/proc/%ld/task/%s/status", process, thread);
	read_small(AT_FDCWD, path, text, sizeof(text));
	states = line_of(text, "\nState:\t");
	voluntary = line_of(text, "\nvoluntary_ctxt_switches:\t");
	other = line_of(text, "\nnonvoluntary_ctxt_switches:\t");
	if (!states || !voluntary || !other)
		return false;
	*state = *states;
	/* Who has ended runs no more, and may be buried at any time. */
	if (*state != 'Z' && *state != 'X')
		fprintf(out, "%s %ld %ld\n", thread, atol(voluntary), atol(other));
	return true;
}

/* True: none of its threads is on its way. */
static bool add_process(FILE *out, long process, bool *stopped)
{
	char path[64], state = '?';
	const struct dirent *entry;
	bool still = true;
	DIR *threads;

	snprintf(path, sizeof(path), "/proc/%ld/task", process);
	threads = opendir(path);
	*stopped = threads != NULL;
	while (threads && (entry = readdir(threads)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		still &= add_thread(out, process, entry->d_name, &state) && state != 'R';
		*stopped &= state == 'T' || state == 't';
	}
	if (threads)
		closedir(threads);
	return still && threads;
}

static void add_stopped(struct hold *hold, long process)
{
	hold->stopped = xrealloc_array(hold->stopped, hold->count + 1, sizeof(*hold->stopped));
	hold->stopped[hold->count++] = (pid_t)process;
}

/* Every thread but our own, or NULL: somebody is on the way.  into: who is stopped, or NULL. */
static char *look(struct hold *into)
{
	DIR *all = opendir("/proc");
	const struct dirent *entry;
	char *text = NULL;
	size_t size;
	FILE *out = all ? open_memstream(&text, &size) : NULL;
	bool still = out != NULL;

	while (out && (entry = readdir(all)) != NULL) {
		long process = strtol(entry->d_name, NULL, 10);
		bool stopped;

		if (process <= 0 || process == getpid())
			continue;
		still &= add_process(out, process, &stopped);
		if (into && stopped)
			add_stopped(into, process);
	}
	if (all)
		closedir(all);
	if (out && fclose(out) != 0)
		still = false;
	if (still)
		return text;
	free(text);
	return NULL;
}

/* Twice the same. */
static char *come_to_rest(void)
{
	const struct timespec moment = {.tv_nsec = LOOK_NS};
	char *before = look(NULL);

	for (int i = 0; i < LOOKS_MAX; i++) {
		char *now;

		nanosleep(&moment, NULL);
		now = look(NULL);
		if (before && now && strcmp(before, now) == 0) {
			free(before);
			return now;
		}
		free(before);
		before = now;
	}
	free(before);
	return NULL;
}

bool hold_begin(struct hold *hold)
{
	cleanup_free char *any = NULL;

	*hold = (struct hold){.held = true};
	any = look(hold);
	/* At once, and with those that are being born. */
	kill(-1, SIGSTOP);
	hold->before = come_to_rest();
	return hold->before != NULL;
}

static bool was_stopped(const struct hold *hold, long process)
{
	for (size_t i = 0; i < hold->count; i++)
		if (hold->stopped[i] == process)
			return true;
	return false;
}

/* One by one, where some were stopped by somebody else. */
static void continue_others(const struct hold *hold)
{
	DIR *all = hold->count > 0 ? opendir("/proc") : NULL;
	const struct dirent *entry;

	if (!all) {
		kill(-1, SIGCONT);
		return;
	}
	while ((entry = readdir(all)) != NULL) {
		long process = strtol(entry->d_name, NULL, 10);

		if (process > 0 && process != getpid() && !was_stopped(hold, process))
			kill((pid_t)process, SIGCONT);
	}
	closedir(all);
}

bool hold_end(struct hold *hold)
{
	cleanup_free char *now = look(NULL);
	bool quiet = now && hold->before && strcmp(now, hold->before) == 0;

	continue_others(hold);
	free(hold->stopped);
	free(hold->before);
	*hold = (struct hold){0};
	return quiet;
}
