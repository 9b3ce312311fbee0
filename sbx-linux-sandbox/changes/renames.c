#include "changes/renames.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "changes/same_content.h"
#include "fs/path.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Beyond one for each: files that are the same at first and different later. */
#define TRIES 1000

/* What was or is there, and, where size and time are not enough, a sum of its bytes. */
struct candidate {
	struct change *change;
	uint64_t sum;
};

static const struct stat *stat_of(const struct candidate *c)
{
	return c->change->kind == CHANGE_DELETED ? &c->change->was : &c->change->now;
}

/* Moving keeps size and time: only what has both is worth reading. */
static int compare(const struct candidate *a, const struct candidate *b)
{
	const struct stat *x = stat_of(a), *y = stat_of(b);

	if (x->st_size != y->st_size)
		return x->st_size < y->st_size ? -1 : 1;
	if (x->st_mtim.tv_sec != y->st_mtim.tv_sec)
		return x->st_mtim.tv_sec < y->st_mtim.tv_sec ? -1 : 1;
	if (x->st_mtim.tv_nsec != y->st_mtim.tv_nsec)
		return x->st_mtim.tv_nsec < y->st_mtim.tv_nsec ? -1 : 1;
	return (a->sum > b->sum) - (a->sum < b->sum);
}

/* What came before what went, and then by their names. */
static int in_order(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int order = compare(x, y);

	if (order == 0)
		order = (y->change->kind == CHANGE_ADDED) - (x->change->kind == CHANGE_ADDED);
	return order ? order : (x->change > y->change) - (x->change < y->change);
}

static bool is_candidate(const struct change *c)
{
	return (c->kind == CHANGE_DELETED && S_ISREG(c->was.st_mode) && c->was.st_size > 0) ||
	       (c->kind == CHANGE_ADDED && S_ISREG(c->now.st_mode) && c->now.st_size > 0);
}

static int open_candidate(const struct state *state, const struct change *c)
{
	const struct state_root *root = &state->roots[c->root];

	return path_open_beneath(c->kind == CHANGE_DELETED ? root->host : root->upper,
	                         below_upper(state, c), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
}

/* Of its beginning: what is the same there is compared in full. */
static uint64_t sum_of(const struct state *state, const struct change *c)
{
	cleanup_close int fd = open_candidate(state, c);
	unsigned char head[4096];
	ssize_t n = fd < 0 ? 0 : pread(fd, head, sizeof(head), 0);
	uint64_t sum = 14695981039346656037U;

	for (ssize_t i = 0; i < n; i++)
		sum = (sum ^ head[i]) * 1099511628211U;
	return sum;
}

static bool is_same(const struct state *state, const struct change *old, const struct change *new)
{
	cleanup_close int a = open_candidate(state, old), b = open_candidate(state, new);

	return a >= 0 && b >= 0 && same_bytes(a, b) == 1;
}

static void sort(struct candidate *all, size_t count)
{
	if (count > 0)
		qsort(all, count, sizeof(*all), in_order);
}

/* How many are alike, from the i-th. */
static size_t group(const struct candidate *all, size_t count, size_t i)
{
	size_t end = i + 1;

	while (end < count && compare(&all[i], &all[end]) == 0)
		end++;
	return end - i;
}

/* Where several could be the one that went. */
static void sum_up(const struct state *state, struct candidate *all, size_t count)
{
	for (size_t i = 0, n; i < count; i += n) {
		n = group(all, count, i);
		for (size_t k = i; n > 2 && k < i + n; k++)
			all[k].sum = sum_of(state, all[k].change);
	}
	sort(all, count);
}

/* One that went for each that came; not what differs only far behind, more often than that. */
static void pair(const struct state *state, const struct candidate *all, size_t count)
{
	size_t old = 0, tries = 0;

	while (old < count && all[old].change->kind == CHANGE_ADDED)
		old++;
	for (size_t new = 0; new < count &&all[new].change->kind == CHANGE_ADDED; new ++) {
		struct change *came = all[new].change;

		while (old < count && all[old].change->renamed)
			old++;
		for (size_t k = old; !came->from && k < count && tries < count + TRIES; k++) {
			struct change *went = all[k].change;

			if (went->renamed)
				continue;
			tries++;
			if (!is_same(state, went, came))
				continue;
			came->from = went;
			went->renamed = true;
		}
	}
}

void renames_find(const struct state *state, struct changes *changes)
{
	cleanup_free struct candidate *all =
	        xrealloc_array(NULL, changes->count + 1, sizeof(struct candidate));
	size_t count = 0;

	for (size_t i = 0; i < changes->count; i++)
		if (is_candidate(&changes->items[i]))
			all[count++] = (struct candidate){.change = &changes->items[i]};
	sort(all, count);
	sum_up(state, all, count);
	for (size_t i = 0, n; i < count; i += n) {
		n = group(all, count, i);
		pair(state, all + i, n);
	}
}
