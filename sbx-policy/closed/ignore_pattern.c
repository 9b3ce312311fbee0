#include "closed/ignore_pattern.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	int (*has)(int);
} classes[] = {
        {"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl},
        {"digit", isdigit}, {"graph", isgraph}, {"lower", islower}, {"print", isprint},
        {"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit},
};

/* "[:name:]" at p: behind it, or NULL when there is no such class; *found when c is in it. */
static const char *named_class(const char *p, const char *end, unsigned char c, bool fold,
                               bool *found)
{
	const char *name = p + 2;
	const char *stop = memchr(name, ']', (size_t)(end - name));

	if (!stop || stop == name || stop[-1] != ':')
		return NULL;
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		size_t len = strlen(classes[i].name);

		if (len != (size_t)(stop - 1 - name) || strncmp(name, classes[i].name, len) != 0)
			continue;
		*found |= classes[i].has(c) != 0 ||
		          (fold && classes[i].has == isupper && islower(c) != 0);
		return stop + 1;
	}
	return NULL;
}

/* A character that may stand behind a backslash; NULL: the text ends. */
static const char *one_character(const char *p, const char *end, unsigned char *c)
{
	if (p < end && *p == '\\')
		p++;
	if (p >= end)
		return NULL;
	*c = (unsigned char)*p;
	return p + 1;
}

static bool in_range(unsigned char low, unsigned char high, unsigned char c, bool fold)
{
	return (c >= low && c <= high) || (fold && ((tolower(c) >= low && tolower(c) <= high) ||
	                                            (toupper(c) >= low && toupper(c) <= high)));
}

/* [...] at p: behind it, or NULL when it never ends; *matches when c is one of it. */
static const char *bracket(const char *p, const char *end, unsigned char c, bool fold,
                           bool *matches)
{
	bool negated = p + 1 < end && (p[1] == '!' || p[1] == '^');
	bool found = false, first = true;

	for (p += 1 + negated; p < end && (first || *p != ']'); first = false) {
		unsigned char low, high;

		if (*p == '[' && p + 1 < end && p[1] == ':') {
			p = named_class(p, end, c, fold, &found);
			if (!p)
				return NULL;
			continue;
		}
		p = one_character(p, end, &low);
		if (!p)
			return NULL;
		high = low;
		if (p + 1 < end && *p == '-' && p[1] != ']') {
			p = one_character(p + 1, end, &high);
			if (!p)
				return NULL;
		}
		found |= in_range(low, high, c, fold);
	}
	*matches = found != negated;
	return p < end ? p + 1 : NULL;
}

/* One character of a name against what is at p; *next is behind that. */
static bool matches_one(const char *p, const char *end, unsigned char c, bool fold,
                        const char **next)
{
	bool found = false;
	unsigned char literal = 0;

	if (*p == '?') {
		*next = p + 1;
		return true;
	}
	if (*p == '[') {
		*next = bracket(p, end, c, fold, &found);
		return found;
	}
	*next = one_character(p, end, &literal);
	return literal == c || (fold && tolower(literal) == tolower(c));
}

/* One star to come back to is enough; no recursion on a stranger's names. */
static bool matches_name(const char *p, const char *end, const char *name, bool fold)
{
	const char *star = NULL, *retry = NULL;

	while (*name || p < end) {
		const char *next;

		if (p < end && *p == '*') {
			star = ++p;
			retry = name;
		} else if (p < end && *name &&
		           matches_one(p, end, (unsigned char)*name, fold, &next)) {
			p = next;
			name++;
		} else if (star && *retry) {
			p = star;
			name = ++retry;
		} else {
			return false;
		}
	}
	return true;
}

static const char *start_of(const struct ignore_pattern *pattern, size_t i)
{
	return i == 0 ? pattern->text : pattern->text + pattern->ends[i - 1] + 1;
}

/* Any number of directories. */
static bool is_stars(const struct ignore_pattern *pattern, size_t i)
{
	const char *p = start_of(pattern, i), *end = pattern->text + pattern->ends[i];

	return end - p >= 2 && strspn(p, "*") >= (size_t)(end - p);
}

/*
 * states[i]: the first i components can have been used up.  A set, so that many
 * "**" do not cost a search for each way to share the directories out.
 */
static void without_names(const struct ignore_pattern *pattern, bool *states)
{
	for (size_t i = 0; i + 1 < pattern->count; i++)
		if (states[i] && is_stars(pattern, i))
			states[i + 1] = true;
}

static void take_name(const struct ignore_pattern *pattern, bool *states, const char *name)
{
	for (size_t i = pattern->count; i-- > 0;) {
		bool here = states[i], stars = here && is_stars(pattern, i);

		states[i] = stars;
		states[i + 1] |=
		        here && matches_name(start_of(pattern, i), pattern->text + pattern->ends[i],
		                             name, pattern->fold);
	}
}

bool ignore_pattern_matches(const struct ignore_pattern *pattern, const char *const *names,
                            size_t count, bool directory)
{
	cleanup_free bool *states = NULL;

	if (pattern->directories && !directory)
		return false;
	if (!pattern->rooted)
		return matches_name(pattern->text, pattern->text + pattern->ends[0],
		                    names[count - 1], pattern->fold);
	states = xmalloc(pattern->count + 1);
	memset(states, 0, pattern->count + 1);
	states[0] = true;
	for (size_t i = 0; i < count; i++) {
		without_names(pattern, states);
		states[pattern->count] = false; /* used up, with a name left */
		take_name(pattern, states, names[i]);
	}
	return states[pattern->count];
}

/* Splits at each "/" that is not in brackets; false: git never matches it. */
static bool split(struct ignore_pattern *pattern)
{
	const char *end = pattern->text + strlen(pattern->text);

	for (const char *p = pattern->text;;) {
		bool ignored;
		unsigned char c;

		if (p == end || *p == '/')
			list_add(pattern->ends, pattern->count, (size_t)(p - pattern->text));
		if (p == end)
			return true;
		p = *p == '[' ? bracket(p, end, 0, false, &ignored) : one_character(p, end, &c);
		if (!p)
			return false;
	}
}

/* Blanks at the end do not count, unless there is a backslash before them. */
static size_t without_blanks(const char *line, size_t len)
{
	size_t kept = 0;

	for (size_t i = 0; i < len; i++) {
		if (line[i] == '\\' && i + 1 < len)
			i++;
		else if (line[i] == ' ')
			continue;
		kept = i + 1;
	}
	return kept;
}

bool ignore_pattern_parse(struct ignore_pattern *pattern, const char *line, size_t len)
{
	*pattern = (struct ignore_pattern){0};
	if (len > 0 && line[len - 1] == '\r')
		len--;
	len = without_blanks(line, len);
	if (len == 0 || line[0] == '#')
		return false;
	pattern->negated = line[0] == '!';
	line += pattern->negated;
	len -= pattern->negated;
	pattern->directories = len > 0 && line[len - 1] == '/';
	len -= pattern->directories;
	pattern->rooted = memchr(line, '/', len) != NULL;
	if (len > 0 && line[0] == '/') {
		line++;
		len--;
	}
	pattern->text = xstrndup(line, len);
	if (len > 0 && split(pattern))
		return true;
	ignore_pattern_free(pattern);
	return false;
}

void ignore_pattern_free(struct ignore_pattern *pattern)
{
	free(pattern->text);
	free(pattern->ends);
	*pattern = (struct ignore_pattern){0};
}
