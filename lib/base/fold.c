#include "base/fold.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"

#include <stdint.h>
#include <string.h>

#ifndef _WIN32
#include <unistd.h>
#endif
/* The size of a terminal: where macOS and the BSDs have it, there is <sys/ttycom.h>. */
#if defined(__linux__) || __has_include(<sys/ttycom.h>)
#include <sys/ioctl.h>
#endif

#define COLUMNS_MAX 80
#define COLUMNS_MIN 4  /* the mark, a blank, one column for us and the one left free */
#define BLANKS_MAX  2  /* more are counted */
#define ROOM_MIN    12 /* beside a head; with less, the head has a row of its own */
#define TAB         8  /* before the text of a line */
#define INDENT_MAX  40 /* of it */
#define WORD_MAX    16 /* how far back a row may end at a blank */

#ifndef _WIN32
/* What the kernel was told; 0: nothing. */
static unsigned columns_told(int fd)
{
#ifdef TIOCGWINSZ
	struct winsize size = {0};

	return ioctl(fd, TIOCGWINSZ, &size) < 0 ? 0 : size.ws_col;
#else
	(void)fd;
	return 0;
#endif
}
#endif

unsigned fold_columns(int fd)
{
#ifdef _WIN32
	(void)fd;
	return 0;
#else
	unsigned told;

	if (!isatty(fd))
		return 0;
	told = columns_told(fd);
	if (told == 0 || told > COLUMNS_MAX)
		return COLUMNS_MAX;
	return told < COLUMNS_MIN ? COLUMNS_MIN : told;
#endif
}

char *fold_shown(const char *text)
{
	cleanup_free char *clean = text_clean(text);
	/* A run of three takes the room of "[3 blanks]". */
	char *out = xmalloc(strlen(clean) * 4 + 16), *p = out;

	for (const char *s = clean; *s;) {
		size_t run = strspn(s, " ");

		if (run > BLANKS_MAX) {
			p += sprintf(p, "[%zu blanks]", run);
			s += run;
		} else {
			*p++ = *s++;
		}
	}
	*p = '\0';
	return out;
}

/*
 * A character and the marks on it, which must not be parted: they would be
 * drawn on ours.  Terminals do not agree about the width of what is not ASCII
 * (wide, ambiguous, emoji, marks), so all of it counts as two columns: a row
 * that ends early is no row that wraps.
 */
static size_t character(const char *s, size_t left, unsigned *columns)
{
	size_t used = 0;

	*columns = 0;
	do {
		uint32_t c = 0;
		int len = text_character(s + used, left - used, &c);

		*columns += c < 0x80 ? 1 : 2;
		used += len > 0 ? (size_t)len : 1;
	} while (used < left && text_combines(s + used, left - used));
	return used;
}

/* How many bytes of the text fit; at least one character. */
static size_t fitting(const char *text, size_t len, unsigned room)
{
	size_t used = 0, blank = 0;
	unsigned columns = 0, at_blank = 0;

	while (used < len) {
		unsigned wide;
		size_t bytes = character(text + used, len - used, &wide);

		if (used > 0 && columns + wide > room)
			return blank && columns - at_blank <= WORD_MAX ? blank : used;
		used += bytes;
		columns += wide;
		if (text[used - 1] == ' ') {
			blank = used;
			at_blank = columns;
		}
	}
	return len;
}

/* A place on the screen: how the next row begins. */
struct margin {
	const struct fold *fold;
	const char *head; /* for the first row; then NULL */
	unsigned indent;  /* where text begins */
	const char *colour;
};

static struct margin margin(const struct fold *fold, const char *head)
{
	unsigned len = (unsigned)strlen(head);
	struct margin m = {fold, head, len + fold->hang, NULL};

	if (fold->mark && strlen(fold->mark) > m.indent)
		m.indent = (unsigned)strlen(fold->mark);
	if (fold->columns == 0 || m.indent + ROOM_MIN < fold->columns)
		return m;
	/* Too narrow for both: the head alone, and the text under it. */
	m.head = NULL;
	m.indent = 2;
	if (head[strspn(head, " ")])
		fprintf(fold->out, "%s%s", head, fold->end);
	return m;
}

static void begin_row(struct margin *m)
{
	if (m->head || m->fold->mark)
		fputs(m->head ? m->head : m->fold->mark, m->fold->out);
	else if (m->indent < 2)
		fputs("| ", m->fold->out);
	else
		fprintf(m->fold->out, "%*s| ", (int)m->indent - 2, "");
	m->head = NULL;
}

/* The last column stays free: some terminals wrap as soon as it is written. */
static void put(struct margin *m, const char *text, size_t len)
{
	unsigned columns = m->fold->columns;

	do {
		unsigned taken = m->head         ? (unsigned)strlen(m->head)
		                 : m->indent < 2 ? 2
		                                 : m->indent;
		unsigned room = columns > taken + 1 ? columns - taken - 1 : 1;
		size_t bytes = columns ? fitting(text, len, room) : len;

		begin_row(m);
		if (m->colour)
			fputs(m->colour, m->fold->out);
		fwrite(text, 1, bytes, m->fold->out);
		if (m->colour)
			fputs("\033[0m", m->fold->out);
		fputs(m->fold->end, m->fold->out);
		text += bytes;
		len -= bytes;
	} while (len > 0);
}

static const char *colour_of(const char *line)
{
	static const struct {
		const char *begins, *colour;
	} colours[] = {
	        {"*** ", "\033[1m"}, /* a file */
	        {"@@", "\033[36m"},
	        {"+", "\033[32m"},
	        {"-", "\033[31m"},
	};

	for (size_t i = 0; i < sizeof(colours) / sizeof(colours[0]); i++)
		if (strncmp(line, colours[i].begins, strlen(colours[i].begins)) == 0)
			return colours[i].colour;
	return NULL;
}

/*
 * A line of a patch or a listing: how far it is indented is seen as such.  Behind the
 * mark it moves nothing of ours; what is more than INDENT_MAX wide is counted.
 */
static char *shown_line(const char *line)
{
	size_t sign = *line == '+' || *line == '-' ? 1 : 0;
	size_t blanks = strspn(line + sign, " \t");
	unsigned columns = 0;
	cleanup_free char *rest = NULL;

	for (size_t i = 0; i < blanks; i++)
		columns += line[sign + i] == '\t' ? TAB : 1;
	if (columns > INDENT_MAX)
		return fold_shown(line);
	rest = fold_shown(line + sign + blanks);
	return xasprintf("%.*s%*s%s", (int)sign, line, (int)columns, "", rest);
}

static void put_lines(struct margin *m, const char *text, size_t len)
{
	cleanup_free char *part = xstrndup(text, len);

	for (char *line = part; line;) {
		char *next = m->fold->lines ? strchr(line, '\n') : NULL;
		cleanup_free char *shown = NULL;

		if (next)
			*next++ = '\0';
		shown = m->fold->lines ? shown_line(line) : fold_shown(line);
		m->colour = m->fold->diff ? colour_of(line) : NULL;
		put(m, shown, strlen(shown));
		line = next;
	}
}

void fold_ready(const struct fold *fold, const char *head, const char *ready)
{
	struct margin m = margin(fold, head);

	put(&m, ready, strlen(ready));
}

/* A row of ours: it begins where text of others has a mark. */
static void left_out(const struct margin *m, size_t bytes, const char *how)
{
	cleanup_free char *head = xasprintf("%*s", (int)m->indent, "");
	cleanup_free char *row = xasprintf("[... %zu %s ...]", bytes, how);
	struct margin own = {m->fold, head, m->indent, NULL};

	put(&own, row, strlen(row));
}

bool fold_field(const struct fold *fold, const char *head, const char *text, size_t limit,
                const char *how)
{
	struct margin m = margin(fold, head);
	size_t len = strlen(text), first = limit / 3 * 2, last;

	if (limit == 0 || len <= limit) {
		put_lines(&m, text, len);
		return false;
	}
	last = len - limit / 3;
	/* No cut through a character. */
	while (first > 0 && ((unsigned char)text[first] & 0xc0) == 0x80)
		first--;
	while (((unsigned char)text[last] & 0xc0) == 0x80)
		last++;
	put_lines(&m, text, first);
	left_out(&m, last - first, how);
	put_lines(&m, text + last, len - last);
	return true;
}
