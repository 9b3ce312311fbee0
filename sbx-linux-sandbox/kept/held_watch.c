#include "kept/held_watch.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "linux/mount_table.h"
#include "mounts/late_mounts.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the table says about one mount. */
typedef void seen(struct held *held, int number, const char *point);

static void read_table(struct held *held, int table, seen *see)
{
	cleanup_close int fd = fcntl(table, F_DUPFD_CLOEXEC, 3);
	FILE *file = fd >= 0 && lseek(fd, 0, SEEK_SET) == 0 ? fdopen(fd, "r") : NULL;
	cleanup_free char *line = NULL;
	size_t size = 0;

	if (!file)
		return;
	fd = -1;
	while (getline(&line, &size, file) > 0) {
		int number = atoi(line);
		char *type, *point = mountinfo_point(line, &type);

		if (point)
			see(held, number, point);
	}
	fclose(file);
}

static bool is_at(const struct held_name *name, int number, const char *point)
{
	(void)number;
	return name->compared && !name->passage && strcmp(name->mount->path, point) == 0;
}

static bool has_number(const struct held_name *name, int number, const char *point)
{
	(void)point;
	return name->number == number;
}

/* The table is in our order, nearly: each is looked for behind the one before. */
static struct held_name *next(struct held *held, int number, const char *point,
                              bool (*is)(const struct held_name *, int, const char *))
{
	for (size_t i = 0; i < held->count; i++) {
		held->at = held->at + 1 < held->count ? held->at + 1 : 0;
		if (is(&held->items[held->at], number, point))
			return &held->items[held->at];
	}
	return NULL;
}

static void learn(struct held *held, int number, const char *point)
{
	struct held_name *name = next(held, number, point, is_at);

	if (name)
		name->number = number;
}

/* Remembers the mounts by their numbers, since a root may be renamed with all that it holds. */
static void held_mounts_learn(struct held *held, int table)
{
	read_table(held, table, learn);
}

static void find(struct held *held, int number, const char *point)
{
	struct held_name *name = next(held, number, point, has_number);

	if (name)
		name->loose = false;
}

static const struct held_name *first_loose(const struct held *held)
{
	for (size_t i = 0; i < held->count; i++)
		if (held->items[i].loose)
			return &held->items[i];
	return NULL;
}

/* The first name whose mount is gone, or NULL; it and all others are marked as loose. */
static const struct held_name *held_mounts_lost(struct held *held, int table)
{
	for (size_t i = 0; i < held->count; i++)
		held->items[i].loose = held->items[i].number > 0;
	/* Before Linux 5.8 a mount that goes away while we read hides another one. */
	for (int i = 0; i < 2 && first_loose(held); i++)
		read_table(held, table, find);
	return first_loose(held);
}

/* Most commands end before the first look, which costs them nothing. */
#define FIRST_LOOK_MS 20
#define LOOK_MS       200
/* Without the sandbox's mount table nothing else tells that a mount is gone. */
#define BLIND_LOOK_MS 50

void held_watch_begin(struct held_watch *watch, struct held *held, pid_t bwrap, long long now)
{
	*watch = (struct held_watch){
	        .held = held,
	        .bwrap = bwrap,
	        .tables = {-1, -1},
	        .next = now + FIRST_LOOK_MS,
	};
}

void held_watch_end(struct held_watch *watch)
{
	for (size_t i = 0; i < 2; i++)
		if (watch->tables[i] >= 0)
			close(watch->tables[i]);
	watch->tables[0] = watch->tables[1] = -1;
}

static void open_tables(struct held_watch *watch, long long now)
{
	pid_t inside = first_inside(watch->bwrap);
	cleanup_free char *path = xasprintf("/proc/%d/mountinfo", inside);

	watch->begun = now;
	if (inside > 0)
		watch->tables[0] = open(path, O_RDONLY | O_CLOEXEC);
	watch->tables[1] = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	if (watch->tables[0] >= 0)
		held_mounts_learn(watch->held, watch->tables[0]);
}

int held_watch_left(const struct held_watch *watch, long long now)
{
	if (watch->held->count == 0)
		return -1;
	return watch->next > now ? (int)(watch->next - now) : 0;
}

const struct held_name *held_watch_judge(struct held_watch *watch)
{
	const struct held_name *lost =
	        watch->tables[0] >= 0 ? held_mounts_lost(watch->held, watch->tables[0]) : NULL;

	return lost ? lost : held_changed(watch->held);
}

const struct held_name *held_watch_look(struct held_watch *watch, long long now)
{
	/* First the tables: what happens after the look is seen in them. */
	if (!watch->begun)
		open_tables(watch, now);
	watch->next = now + (watch->tables[0] >= 0 ? LOOK_MS : BLIND_LOOK_MS);
	return held_watch_judge(watch);
}
