#include "kept/held_mounts.h"

#include "base/cleanup.h"
#include "linux/mount_table.h"

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

static void learn(struct held *held, int number, const char *point)
{
	for (size_t i = 0; i < held->count; i++)
		if (held->items[i].compared && !held->items[i].passage &&
		    strcmp(held->items[i].mount->path, point) == 0)
			held->items[i].number = number;
}

void held_mounts_learn(struct held *held, int table)
{
	read_table(held, table, learn);
}

static void find(struct held *held, int number, const char *point)
{
	(void)point;
	for (size_t i = 0; i < held->count; i++)
		if (held->items[i].number == number)
			held->items[i].loose = false;
}

static const struct held_name *first_loose(const struct held *held)
{
	for (size_t i = 0; i < held->count; i++)
		if (held->items[i].loose)
			return &held->items[i];
	return NULL;
}

const struct held_name *held_mounts_lost(struct held *held, int table)
{
	for (size_t i = 0; i < held->count; i++)
		held->items[i].loose = held->items[i].number > 0;
	/* Before Linux 5.8 a mount that goes away while we read hides another one. */
	for (int i = 0; i < 2 && first_loose(held); i++)
		read_table(held, table, find);
	return first_loose(held);
}
