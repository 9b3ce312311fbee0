#include "changes/line_diff.h"

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CONTEXT 3
/* Texts that differ in more than that are shown as one replaced by the other. */
#define STEPS_MAX 4000

struct line {
	const char *text;
	size_t len; /* with its newline */
	uint64_t hash;
};

struct side {
	struct line *lines;
	size_t count;
	bool *changed;
};

static void split(struct side *side, const struct text *text)
{
	size_t room = 0;

	*side = (struct side){0};
	for (size_t at = 0; at < text->size;) {
		const char *end = memchr(text->bytes + at, '\n', text->size - at);
		size_t len = end ? (size_t)(end - text->bytes) + 1 - at : text->size - at;

		if (side->count == room) {
			room = room ? room * 2 : 256;
			side->lines = xrealloc_array(side->lines, room, sizeof(*side->lines));
		}
		side->lines[side->count++] =
		        (struct line){text->bytes + at, len, hash_bytes(text->bytes + at, len)};
		at += len;
	}
	side->changed = xcalloc(side->count + 1, sizeof(*side->changed));
}

static bool same(const struct line *a, const struct line *b)
{
	return a->hash == b->hash && a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

/*
 * Myers: how far each diagonal gets with so many changes.  Every round is kept, to be
 * walked back from the end.
 */
struct rounds {
	long **reached;
	long count;
};

static long step(const long *v, long k, long d)
{
	return k == -d || (k != d && v[k - 1] < v[k + 1]) ? v[k + 1] : v[k - 1] + 1;
}

static bool forward(const struct side *a, size_t first, long n, const struct side *b, long m,
                    struct rounds *r)
{
	cleanup_free long *room = xcalloc((size_t)(2 * STEPS_MAX + 3), sizeof(long));
	long *v = room + STEPS_MAX + 1;

	for (long d = 0; d <= STEPS_MAX && d <= n + m; d++) {
		long *kept = xrealloc_array(NULL, (size_t)(2 * d + 3), sizeof(long));

		memcpy(kept, v - d - 1, (size_t)(2 * d + 3) * sizeof(long));
		r->reached[r->count++] = kept;
		for (long k = -d; k <= d; k += 2) {
			long x = step(v, k, d), y = x - k;

			while (x < n && y < m &&
			       same(&a->lines[first + (size_t)x], &b->lines[first + (size_t)y])) {
				x++;
				y++;
			}
			v[k] = x;
			if (x >= n && y >= m)
				return true;
		}
	}
	return false;
}

static void backward(struct side *a, struct side *b, size_t first, long n, long m,
                     const struct rounds *r)
{
	long x = n, y = m;

	for (long d = r->count - 1; d > 0; d--) {
		const long *v = r->reached[d] + d + 1;
		long k = x - y;
		bool down = k == -d || (k != d && v[k - 1] < v[k + 1]);
		long from = down ? k + 1 : k - 1;

		x = v[from];
		y = x - from;
		if (down)
			b->changed[first + (size_t)y] = true;
		else
			a->changed[first + (size_t)x] = true;
	}
}

static void compare(struct side *a, struct side *b)
{
	size_t first = 0, last = 0;
	struct rounds r = {.reached = xcalloc(STEPS_MAX + 2, sizeof(long *))};
	long n, m;

	while (first < a->count && first < b->count && same(&a->lines[first], &b->lines[first]))
		first++;
	while (last < a->count - first && last < b->count - first &&
	       same(&a->lines[a->count - 1 - last], &b->lines[b->count - 1 - last]))
		last++;
	n = (long)(a->count - first - last);
	m = (long)(b->count - first - last);
	if (forward(a, first, n, b, m, &r)) {
		backward(a, b, first, n, m, &r);
	} else {
		memset(a->changed + first, 1, (size_t)n * sizeof(bool));
		memset(b->changed + first, 1, (size_t)m * sizeof(bool));
	}
	for (long i = 0; i < r.count; i++)
		free(r.reached[i]);
	free(r.reached);
}

static void print_line(char sign, const struct line *line, FILE *out)
{
	fputc(sign, out);
	fwrite(line->text, 1, line->len, out);
	if (line->text[line->len - 1] != '\n')
		fputs("\n\\ No newline at end of file\n", out);
}

static size_t minus(size_t a, size_t b)
{
	return a > b ? a - b : 0;
}

/* From the change at (i, k) to the last one that is near: where both sides are then. */
static void end_of_hunk(const struct side *a, const struct side *b, size_t *i, size_t *k)
{
	size_t quiet = 0, x = *i, y = *k;

	while (x < a->count || y < b->count) {
		if (x < a->count && a->changed[x]) {
			x++;
		} else if (y < b->count && b->changed[y]) {
			y++;
		} else {
			if (++quiet > 2 * CONTEXT)
				return;
			x++;
			y++;
			continue;
		}
		quiet = 0;
		*i = x;
		*k = y;
	}
}

static void print_range(size_t first, size_t count, FILE *out)
{
	/* An empty range is named by the line before it. */
	if (count == 1)
		fprintf(out, "%zu", first + 1);
	else
		fprintf(out, "%zu,%zu", count ? first + 1 : first, count);
}

static void print_hunk(const struct side *a, const struct side *b, size_t i, size_t k, size_t x,
                       size_t y, FILE *out)
{
	fputs("@@ -", out);
	print_range(i, x - i, out);
	fputs(" +", out);
	print_range(k, y - k, out);
	fputs(" @@\n", out);
	while (i < x || k < y) {
		if (i < x && a->changed[i])
			print_line('-', &a->lines[i++], out);
		else if (k < y && b->changed[k])
			print_line('+', &b->lines[k++], out);
		else {
			print_line(' ', &a->lines[i++], out);
			k++;
		}
	}
}

static void print_hunks(const struct side *a, const struct side *b, FILE *out)
{
	size_t i = 0, k = 0;

	while (i < a->count || k < b->count) {
		size_t before, after, x = i, y = k;

		if (!(i < a->count && a->changed[i]) && !(k < b->count && b->changed[k])) {
			i++;
			k++;
			continue;
		}
		end_of_hunk(a, b, &x, &y);
		before = i - minus(i, CONTEXT);
		after = a->count - x < CONTEXT ? a->count - x : CONTEXT;
		print_hunk(a, b, i - before, k - before, x + after, y + after, out);
		i = x;
		k = y;
	}
}

void line_diff(const struct text *old, const struct text *new, FILE *out)
{
	struct side a, b;

	split(&a, old);
	split(&b, new);
	compare(&a, &b);
	print_hunks(&a, &b, out);
	free(a.lines);
	free(a.changed);
	free(b.lines);
	free(b.changed);
}
