#include "patch/change.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "patch/lines.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Where a change goes: `old` lines from `at` on make place for its own. */
struct place {
	const struct patch_change *change;
	size_t at, old;
};

struct writing {
	struct content *out;
	size_t room;
	enum line_end usual;
};

static void put(struct writing *w, const char *text, size_t len)
{
	if (w->out->len + len > w->room) {
		w->room = (w->out->len + len) * 2;
		w->out->text = xrealloc_array(w->out->text, w->room, 1);
	}
	if (len > 0)
		memcpy(w->out->text + w->out->len, text, len);
	w->out->len += len;
}

/* A file ends with a line end once it has been changed. */
static void put_line(struct writing *w, const char *text, size_t len, enum line_end end)
{
	const char *ending = line_ends[end == END_NONE ? w->usual : end];

	put(w, text, len);
	put(w, ending, strlen(ending));
}

void change_add(const struct patch_file *file, struct content *out)
{
	struct writing w = {.out = out, .usual = END_LF};

	*out = (struct content){0};
	for (size_t i = 0; i < file->changes[0].count; i++)
		put_line(&w, file->changes[0].lines[i].text, file->changes[0].lines[i].len, END_LF);
}

/* The lines that a change expects to find. */
static struct line *expected(const struct patch_change *change, size_t *count)
{
	struct line *lines = xrealloc_array(NULL, change->count + 1, sizeof(*lines));

	*count = 0;
	for (size_t i = 0; i < change->count; i++)
		if (change->lines[i].mark != '+')
			lines[(*count)++] = (struct line){.text = change->lines[i].text,
			                                  .len = change->lines[i].len};
	return lines;
}

static int not_found(const struct patch_file *file, struct line line, size_t start,
                     struct error *err)
{
	cleanup_free char *text = xstrndup(line.text ? line.text : "", line.len);
	cleanup_free char *clean = text_clean(text);

	return error_set(err, EXIT_INPUT, "bad-patch",
	                 "%s: from line %zu on, the lines to change are not there: \"%.200s\"",
	                 file->name, start + 1, clean);
}

/* After the context, if there is one; *start is behind what was found. */
static int find(const struct patch_file *file, const struct lines *lines, size_t *start,
                struct place *place, struct error *err)
{
	const struct patch_change *change = place->change;
	struct line context = {.text = change->context.text, .len = change->context.len};
	size_t count;
	cleanup_free struct line *wanted = expected(change, &count);

	if (context.text) {
		place->at = lines_find(lines, &context, 1, *start, false);
		if (place->at == SIZE_MAX)
			return not_found(file, context, *start, err);
		*start = place->at + 1;
	}
	if (count == 0) {
		bool empty = lines->count > 0 && lines->lines[lines->count - 1].len == 0;

		/* Lines that are only added go to the end, before an empty last one. */
		place->at = lines->count - empty;
		return 0;
	}
	place->at = lines_find(lines, wanted, count, *start, change->at_end);
	/* Many a patch has an empty line too much at its end. */
	if (place->at == SIZE_MAX && count > 1 && wanted[count - 1].len == 0)
		place->at = lines_find(lines, wanted, --count, *start, change->at_end);
	if (place->at == SIZE_MAX)
		return not_found(file, wanted[0], *start, err);
	place->old = count;
	*start = place->at + count;
	return 0;
}

static void put_change(struct writing *w, const struct lines *lines, const struct place *place)
{
	size_t at = place->at, end = place->at + place->old;

	for (size_t i = 0; i < place->change->count; i++) {
		const struct patch_line *line = &place->change->lines[i];

		if (line->mark == '+') {
			put_line(w, line->text, line->len, w->usual);
		} else if (at < end) {
			if (line->mark == ' ')
				put_line(w, lines->lines[at].text, lines->lines[at].len,
				         lines->lines[at].end);
			at++;
		}
	}
}

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->change < y->change ? -1 : x->change > y->change;
}

static void put_all(struct writing *w, const struct lines *lines, const struct place *places,
                    size_t count)
{
	size_t at = 0;

	for (size_t i = 0; i <= count; i++) {
		size_t end = i < count ? places[i].at : lines->count;

		for (; at < end; at++)
			put_line(w, lines->lines[at].text, lines->lines[at].len,
			         lines->lines[at].end);
		if (i < count) {
			put_change(w, lines, &places[i]);
			/* What is added before an empty last line may lie in a change of it. */
			if (at < places[i].at + places[i].old)
				at = places[i].at + places[i].old;
		}
	}
}

int change_update(const struct patch_file *file, const struct content *old, struct content *out,
                  struct error *err)
{
	cleanup_free struct place *places = xrealloc_array(NULL, file->count + 1, sizeof(*places));
	struct writing w = {.out = out};
	struct lines lines;
	size_t start = 0;
	int status = 0;

	*out = (struct content){0};
	lines_split(&lines, old->text, old->len);
	w.usual = lines.usual;
	for (size_t i = 0; status == 0 && i < file->count; i++) {
		places[i] = (struct place){.change = &file->changes[i]};
		status = find(file, &lines, &start, &places[i], err);
	}
	if (status == 0) {
		qsort(places, file->count, sizeof(*places), by_place);
		put_all(&w, &lines, places, file->count);
	}
	lines_free(&lines);
	return status;
}
