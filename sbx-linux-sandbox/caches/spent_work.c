#include "caches/spent_work.h"

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/memory.h"
#include "tmp/stale_tmp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOMENT_MS 1000
#define STACK     1048576

static const char work[] = "work", spent_name[] = "spent";

int work_renew(int slot)
{
	if (renameat(slot, work, slot, spent_name) < 0 && errno != ENOENT) {
		/* An older one, of a run that was killed: both go now. */
		tree_remove(slot, spent_name, now_ms() + MOMENT_MS);
		tree_remove(slot, work, now_ms() + MOMENT_MS);
	}
	return mkdirat(slot, work, 0700);
}

static void open_below(int slot, const char *above)
{
	static const char *const closed[] = {"work", "work/incompat", "work/incompat/volatile"};

	for (size_t i = 0; i < sizeof(closed) / sizeof(closed[0]); i++) {
		cleanup_free char *path = xasprintf("%s/%s", above, closed[i]);

		tree_open(slot, path);
	}
}

void work_open(int slot)
{
	struct stat st;

	open_below(slot, work);
	for (unsigned i = 0;; i++) {
		cleanup_free char *part = xasprintf("%s/part%u", work, i);

		if (fstatat(slot, part, &st, AT_SYMLINK_NOFOLLOW) < 0)
			return;
		open_below(slot, part);
	}
}

static void *remove_spent(void *argument)
{
	const struct spent_work *spent = argument;

	tree_remove(spent->slot, spent_name, now_ms() + MOMENT_MS);
	return NULL;
}

void spent_begin(struct spent_work *spent, int slot)
{
	pthread_attr_t attributes;
	struct stat st;

	spent->slot = slot;
	if (fstatat(slot, spent_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    pthread_attr_init(&attributes) != 0)
		return;
	/* Without a thread it is the next run's. */
	spent->threaded = pthread_attr_setstacksize(&attributes, STACK) == 0 &&
	                  pthread_create(&spent->thread, &attributes, remove_spent, spent) == 0;
	pthread_attr_destroy(&attributes);
}

void spent_wait(struct spent_work *spent)
{
	if (spent->threaded)
		pthread_join(spent->thread, NULL);
	spent->threaded = false;
}
