#include "glob.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* An attacker's {a,b}{a,b}{a,b}... must end somewhere. */
#define ALTERNATIVES_MAX 256
#define PATTERN_MAX      4096

/* One ASCII character, or a character that has several bytes. */
#define ANY_CHARACTER "([ -.0-~]|[^ -~][^ -~]*)"

/* The end of the component that begins at s. */
static const char *component_end(const char *s)
{
	while (*s && *s != '/')
		s += s[0] == '\\' && s[1] ? 2 : 1;
	return s;
}

/* The start of component `n`, or of the end. */
static const char *component(const char *pattern, size_t n)
{
	for (;;) {
		while (*pattern == '/')
			pattern++;
		if (n-- == 0 || !*pattern)
			return pattern;
		pattern = component_end(pattern);
	}
}

size_t glob_components(const char *pattern)
{
	size_t n = 0;

	while (*component(pattern, n))
		n++;
	return n;
}

bool glob_is_deep(const char *pattern, size_t n)
{
	const char *s = component(pattern, n);

	return component_end(s) - s == 2 && s[0] == '*' && s[1] == '*';
}

char *glob_directory(const char *pattern)
{
	char *out = xmalloc(strlen(pattern) + 2);
	size_t used = 0;

	for (size_t n = 0;; n++) {
		const char *s = component(pattern, n), *end = component_end(s);
		size_t before = used;

		/* The last one is a name, not a directory, special or not. */
		if (!*s || !*component(pattern, n + 1))
			break;
		for (out[used++] = '/'; s < end; s++) {
			if (strchr("*?[{", *s))
				break;
			s += *s == '\\' && s + 1 < end;
			out[used++] = *s;
		}
		if (s < end) {
			used = before;
			break;
		}
	}
	if (used == 0)
		out[used++] = '/';
	out[used] = '\0';
	return out;
}

/* ---- braces -------------------------------------------------------------- */

/* The "}" of the "{" at open, or NULL: then it is an ordinary character. */
static const char *closing(const char *open)
{
	size_t depth = 0;

	for (const char *s = open; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (*s == '{')
			depth++;
		else if (*s == '}' && --depth == 0)
			return s;
	}
	return NULL;
}

static const char *first_brace(const char *s)
{
	for (; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (*s == '{' && closing(s))
			return s;
	}
	return NULL;
}

static const char *alternative_end(const char *s, const char *close)
{
	size_t depth = 0;

	for (; s < close; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (*s == '{')
			depth++;
		else if (*s == '}')
			depth--;
		else if (*s == ',' && depth == 0)
			break;
	}
	return s;
}

static int expand(const char *pattern, struct strings *list, struct error *err)
{
	const char *open = first_brace(pattern), *close = open ? closing(open) : NULL;

	if (!open) {
		if (list->count == ALTERNATIVES_MAX)
			return error_set(err, EXIT_INPUT, "bad-glob",
			                 "deny_globs: more than %d alternatives: write several "
			                 "patterns",
			                 ALTERNATIVES_MAX);
		strings_add(list, xstrdup(pattern));
		return 0;
	}
	for (const char *s = open + 1;; s++) {
		const char *end = alternative_end(s, close);
		cleanup_free char *one = xasprintf("%.*s%.*s%s", (int)(open - pattern), pattern,
		                                   (int)(end - s), s, close + 1);

		if (expand(one, list, err) < 0)
			return -1;
		if (end == close)
			return 0;
		s = end;
	}
}

int glob_alternatives(const char *pattern, struct strings *list, struct error *err)
{
	if (strlen(pattern) > PATTERN_MAX)
		return error_set(err, EXIT_INPUT, "bad-glob",
		                 "deny_globs: a pattern of %zu bytes: at most %d", strlen(pattern),
		                 PATTERN_MAX);
	return expand(pattern, list, err);
}

/* ---- one component --------------------------------------------------------- */

static void put_literal(FILE *out, char c)
{
	if (strchr("\\^$.|?*+()[]{}\"", c))
		fputc('\\', out);
	fputc(c, out);
}

static int bad(const char *pattern, const char *what, struct error *err)
{
	return error_set(err, EXIT_INPUT, "bad-glob", "deny_globs: \"%s\": %s", pattern, what);
}

/* The "]" of the "[" at open; the first character may be a "]" itself. */
static const char *class_end(const char *open, const char *end)
{
	const char *s = open + 1;

	if (s < end && (*s == '!' || *s == '^'))
		s++;
	if (s < end && *s == ']')
		s++;
	for (; s < end && *s != ']'; s++)
		s += *s == '\\' && s + 1 < end;
	return s < end ? s : NULL;
}

/* The bytes of a class as a set; ranges are spelled out. */
static int read_class(const char *pattern, const char *s, const char *close, bool set[128],
                      struct error *err)
{
	memset(set, 0, 128);
	while (s < close) {
		unsigned char low, high;

		if (s[0] == '[' && (s[1] == ':' || s[1] == '.' || s[1] == '='))
			return bad(pattern, "named classes are not supported: write a range", err);
		s += *s == '\\' && s + 1 < close;
		low = high = (unsigned char)*s++;
		if (close - s > 1 && s[0] == '-') {
			s++;
			s += *s == '\\' && s + 1 < close;
			high = (unsigned char)*s++;
		}
		if (high > 126 || low < 32)
			return bad(pattern, "only printable ASCII can be in a class", err);
		for (unsigned c = low; c <= high; c++)
			set[c] = true;
	}
	/* A class never matches the separator. */
	set['/'] = false;
	return 0;
}

static int put_class(FILE *out, const char *pattern, const char *open, const char *close,
                     struct error *err)
{
	bool negated = open[1] == '!' || open[1] == '^', set[128];
	const char *separator = "(";

	if (read_class(pattern, open + 1 + negated, close, set, err) < 0)
		return -1;
	/*
	 * As alternatives: which characters are special inside brackets differs
	 * from one regular expression library to the next.
	 */
	for (int c = 32; c < 127; c++) {
		if (c == '/' || set[c] == negated)
			continue;
		fputs(separator, out);
		put_literal(out, (char)c);
		separator = "|";
	}
	if (negated) {
		fprintf(out, "%s[^ -~][^ -~]*", separator);
		separator = "|";
	}
	/* An empty class matches nothing, and neither does a separator in a name. */
	fputs(separator[0] == '(' ? "(/" : "", out);
	fputc(')', out);
	return 0;
}

static int put_component(FILE *out, const char *pattern, const char *s, const char *end,
                         struct error *err)
{
	for (; s < end; s++) {
		const char *close = *s == '[' ? class_end(s, end) : NULL;

		if (close) {
			if (put_class(out, pattern, s, close, err) < 0)
				return -1;
			s = close;
		} else if (*s == '*') {
			while (s + 1 < end && s[1] == '*')
				s++;
			fputs("[^/]*", out);
		} else if (*s == '?') {
			fputs(ANY_CHARACTER, out);
		} else {
			s += *s == '\\' && s + 1 < end;
			put_literal(out, *s);
		}
	}
	return 0;
}

static bool is_dots(const char *s, const char *end)
{
	return (end - s == 1 && s[0] == '.') || (end - s == 2 && s[0] == '.' && s[1] == '.');
}

static int put_pattern(FILE *out, const char *pattern, size_t components, struct error *err)
{
	size_t total = glob_components(pattern);
	size_t count = components ? components : total;

	fputc('^', out);
	for (size_t n = 0; n < count; n++) {
		const char *s = component(pattern, n), *end = component_end(s);

		if (is_dots(s, end))
			return bad(pattern, "\".\" and \"..\" do not belong in a pattern", err);
		if (glob_is_deep(pattern, n)) {
			/* At the end: everything inside. */
			if (n + 1 == total) {
				fputc('/', out);
				return 0;
			}
			fputs("(/[^/]+)*", out);
			continue;
		}
		fputc('/', out);
		if (put_component(out, pattern, s, end, err) < 0)
			return -1;
	}
	fputs(components ? "$" : "(/|$)", out);
	return 0;
}

char *glob_regex(const char *pattern, size_t components, struct error *err)
{
	cleanup_free char *text = NULL;
	size_t size = 0;
	FILE *out;
	int status;

	if (pattern[0] != '/') {
		bad(pattern, "not an absolute path", err);
		return NULL;
	}
	if (glob_components(pattern) == 0) {
		bad(pattern, "names everything: use an entry for \"/\"", err);
		return NULL;
	}
	out = open_memstream(&text, &size);
	if (!out) {
		error_system(err, "reading a pattern");
		return NULL;
	}
	status = put_pattern(out, pattern, components, err);
	if (fclose(out) != 0)
		status = error_system(err, "reading a pattern");
	return status < 0 ? NULL : keep_ptr(text);
}
