/*
 * Integers and floats.
 */
#include "toml/toml_parser.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct base {
	char letter;
	int base;
	const char *digits;
} bases[] = {
        {'x', 16, "0123456789abcdefABCDEF"},
        {'o', 8, "01234567"},
        {'b', 2, "01"},
};

static const char decimal[] = "0123456789";

/*
 * Digits from *at on, copied without their underscores, each of which must
 * stand between two digits.  NULL: this is not such a run.
 */
static char *digits(const char **at, const char *end, const char *allowed, char *out)
{
	const char *s = *at;

	for (bool digit = false;; digit = *s++ != '_') {
		bool is_digit = s < end && strchr(allowed, *s);

		if (is_digit)
			*out++ = *s;
		else if (!digit)
			return NULL;
		else if (s == end || *s != '_')
			break;
	}
	*at = s;
	return out;
}

static json_t *malformed(struct toml_parser *p)
{
	char c = toml_peek(p);

	if (toml_digit(c) || c == '+' || c == '-' || c == '.' || c == '_')
		toml_fail(p, p->at, "not a valid number, date or time");
	else
		toml_fail(p, p->at, "not a value; text needs quotes");
	return NULL;
}

static json_t *integer(struct toml_parser *p, const char *text, int base)
{
	json_int_t value;

	errno = 0;
	value = strtoll(text, NULL, base);
	if (errno == ERANGE) {
		toml_fail(p, p->at, "this integer does not fit in 64 bits");
		return NULL;
	}
	return json_integer(value);
}

static json_t *real(struct toml_parser *p, const char *text)
{
	char *rest;
	double value = strtod(text, &rest);

	/* A locale with a decimal comma stops strtod() at the dot. */
	if (*rest) {
		toml_fail(p, p->at, "this float cannot be read in the current locale");
		return NULL;
	}
	if (isinf(value)) {
		toml_fail(p, p->at, "this float is out of range");
		return NULL;
	}
	return json_real(value);
}

static json_t *infinite(const char *s, const char *end, bool negative)
{
	if (end - s != 3)
		return NULL;
	if (memcmp(s, "nan", 3) == 0)
		return toml_typed("float", "nan", 3);
	if (memcmp(s, "inf", 3) == 0)
		return toml_typed("float", negative ? "-inf" : "inf", negative ? 4 : 3);
	return NULL;
}

/* The rest of a float, from the dot or the exponent on. */
static char *fraction(const char **at, const char *end, char *out)
{
	const char *s = *at;

	if (*s == '.') {
		*out++ = *s++;
		out = digits(&s, end, decimal, out);
		if (!out)
			return NULL;
	}
	if (s < end && (*s == 'e' || *s == 'E')) {
		*out++ = *s++;
		if (s < end && (*s == '+' || *s == '-'))
			*out++ = *s++;
		out = digits(&s, end, decimal, out);
	}
	*at = s;
	return out;
}

json_t *toml_number(struct toml_parser *p, const char *end)
{
	const char *s = p->at;
	char *text = toml_decoded(p);
	char *out = text;
	json_t *special;

	for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
		if (end - s < 2 || s[0] != '0' || s[1] != bases[i].letter)
			continue;
		s += 2;
		out = digits(&s, end, bases[i].digits, out);
		if (!out || s != end)
			return malformed(p);
		*out = '\0';
		return integer(p, text, bases[i].base);
	}
	if (s < end && (*s == '+' || *s == '-'))
		*out++ = *s++;
	special = infinite(s, end, out != text && *text == '-');
	if (special)
		return special;
	if (end - s >= 2 && s[0] == '0' && (toml_digit(s[1]) || s[1] == '_')) {
		toml_fail(p, p->at, "a number cannot begin with a zero");
		return NULL;
	}
	out = digits(&s, end, decimal, out);
	if (!out)
		return malformed(p);
	if (s == end) {
		*out = '\0';
		return integer(p, text, 10);
	}
	if (*s != '.' && *s != 'e' && *s != 'E')
		return malformed(p);
	out = fraction(&s, end, out);
	if (!out || s != end)
		return malformed(p);
	*out = '\0';
	return real(p, text);
}
