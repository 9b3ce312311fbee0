#include "patch/lines.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *const line_ends[ENDS] = {
        [END_NONE] = "", [END_LF] = "\n", [END_CRLF] = "\r\n", [END_CR] = "\r"};

/* The length of the line that begins here, and how it ends. */
static size_t line_length(const char *text, size_t len, enum line_end *end)
{
	size_t i = 0;

	while (i < len && text[i] != '\n' && text[i] != '\r')
		i++;
	*end = i == len                             ? END_NONE
	       : text[i] == '\n'                    ? END_LF
	       : i + 1 < len && text[i + 1] == '\n' ? END_CRLF
	                                            : END_CR;
	return i;
}

void lines_split(struct lines *lines, const char *text, size_t len)
{
	*lines = (struct lines){.usual = END_LF};
	while (len > 0) {
		struct line line = {.text = text};
		size_t whole;

		line.len = line_length(text, len, &line.end);
		if (lines->count == 0 && line.end != END_NONE)
			lines->usual = line.end;
		whole = line.len + strlen(line_ends[line.end]);
		text += whole;
		len -= whole;
		if ((lines->count & (lines->count - 1)) == 0)
			lines->lines = xrealloc_array(
			        lines->lines, lines->count ? lines->count * 2 : 1, sizeof(line));
		lines->lines[lines->count++] = line;
	}
}

void lines_free(struct lines *lines)
{
	free(lines->lines);
	*lines = (struct lines){0};
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct line without_blanks(struct line line, bool before)
{
	while (line.len > 0 && is_blank(line.text[line.len - 1]))
		line.len--;
	while (before && line.len > 0 && is_blank(line.text[0])) {
		line.text++;
		line.len--;
	}
	return line;
}

/* What an editor or a model makes of ASCII, as UTF-8, and what it was. */
static const struct {
	const char *first, *last;
	char plain;
} typographic[] = {
        {"\u2010", "\u2015", '-'},  /* hyphens and dashes */
        {"\u2212", "\u2212", '-'},  /* minus */
        {"\u2018", "\u201b", '\''}, /* single quotes */
        {"\u201c", "\u201f", '"'},  /* double quotes */
        {"\u00a0", "\u00a0", ' '},  /* no-break space */
        {"\u2002", "\u200a", ' '},  /* spaces of some width */
        {"\u202f", "\u202f", ' '},  /* narrow no-break space */
        {"\u205f", "\u205f", ' '},  /* of mathematics */
        {"\u3000", "\u3000", ' '},  /* ideographic space */
};

/* The next character as a plain one; the line gets shorter. */
static char take_plain(struct line *line)
{
	size_t used = 1;
	char c = line->text[0];

	for (size_t i = 0; i < sizeof(typographic) / sizeof(typographic[0]); i++) {
		size_t len = strlen(typographic[i].first);

		if (line->len < len || memcmp(line->text, typographic[i].first, len) < 0 ||
		    memcmp(line->text, typographic[i].last, len) > 0)
			continue;
		c = typographic[i].plain;
		used = len;
		break;
	}
	line->text += used;
	line->len -= used;
	return c;
}

/* Blanks at both ends mean nothing here either, also those that were typographic. */
static char *plain(struct line line)
{
	char *out = xmalloc(line.len + 1);
	size_t len = 0, start = 0;

	while (line.len > 0)
		out[len++] = take_plain(&line);
	while (len > 0 && is_blank(out[len - 1]))
		len--;
	while (start < len && is_blank(out[start]))
		start++;
	memmove(out, out + start, len - start);
	out[len - start] = '\0';
	return out;
}

enum pass {
	PASS_EXACT,
	PASS_TRAILING,
	PASS_AROUND,
	PASS_PLAIN,
	PASSES,
};

static bool same(struct line a, struct line b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.text, b.text, a.len) == 0);
}

static bool is_same(struct line a, struct line b, enum pass pass)
{
	bool result;
	char *of_a, *of_b;

	if (pass == PASS_EXACT)
		return same(a, b);
	if (pass != PASS_PLAIN)
		return same(without_blanks(a, pass == PASS_AROUND),
		            without_blanks(b, pass == PASS_AROUND));
	of_a = plain(a);
	of_b = plain(b);
	result = strcmp(of_a, of_b) == 0;
	free(of_a);
	free(of_b);
	return result;
}

static bool stands_at(const struct lines *lines, size_t at, const struct line *wanted, size_t count,
                      enum pass pass)
{
	for (size_t i = 0; i < count; i++)
		if (!is_same(lines->lines[at + i], wanted[i], pass))
			return false;
	return true;
}

size_t lines_find(const struct lines *lines, const struct line *wanted, size_t count, size_t start,
                  int at_end)
{
	size_t last;

	if (count > lines->count)
		return SIZE_MAX;
	last = lines->count - count;
	for (enum pass pass = 0; at_end && last >= start && pass < PASSES; pass++)
		if (stands_at(lines, last, wanted, count, pass))
			return last;
	for (enum pass pass = 0; pass < PASSES; pass++)
		for (size_t at = start; at <= last; at++)
			if (stands_at(lines, at, wanted, count, pass))
				return at;
	return SIZE_MAX;
}
