#include "apply/same_files.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdlib.h>

struct file {
	const struct change *change;
	size_t index;
};

bool file_stays(const struct change *c)
{
	return c->had && !change_removes(c) && c->kind != CHANGE_CONTENT;
}

static int by_number(const struct change *a, const struct change *b)
{
	if (a->root != b->root)
		return a->root < b->root ? -1 : 1;
	if (a->now.st_dev != b->now.st_dev)
		return a->now.st_dev < b->now.st_dev ? -1 : 1;
	return (a->now.st_ino > b->now.st_ino) - (a->now.st_ino < b->now.st_ino);
}

/* Of one file what stays comes first, then what comes first in the list. */
static int in_order(const void *a, const void *b)
{
	const struct file *x = a, *y = b;
	int order = by_number(x->change, y->change);

	if (order == 0)
		order = file_stays(y->change) - file_stays(x->change);
	return order ? order : (x->index > y->index) - (x->index < y->index);
}

static bool may_have_names(const struct change *c)
{
	return c->has && !S_ISDIR(c->now.st_mode) && c->now.st_nlink > 1;
}

size_t *same_files(const struct changes *changes)
{
	size_t *same = xrealloc_array(NULL, changes->count + 1, sizeof(*same));
	cleanup_free struct file *files =
	        xrealloc_array(NULL, changes->count + 1, sizeof(struct file));
	size_t count = 0, first = 0;

	for (size_t i = 0; i < changes->count; i++) {
		same[i] = NO_OTHER;
		if (may_have_names(&changes->items[i]))
			files[count++] = (struct file){&changes->items[i], i};
	}
	if (count > 0)
		qsort(files, count, sizeof(*files), in_order);
	for (size_t i = 1; i < count; i++)
		if (by_number(files[first].change, files[i].change) == 0)
			same[files[i].index] = files[first].index;
		else
			first = i;
	return same;
}
