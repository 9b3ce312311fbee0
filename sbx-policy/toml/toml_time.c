/*
 * Dates and times, as RFC 3339 has them.
 */
#include "toml/toml_parser.h"

#include "base/memory.h"

#include <string.h>

json_t *toml_typed(const char *type, const char *value, size_t len)
{
	return xjson(json_pack("{s:s,s:s%,s:n}", "$toml", type, "value", value, len, "sealed"));
}

bool toml_looks_like_time(const struct toml_parser *p, const char *end)
{
	const char *s = p->at;
	size_t count = 0;

	while (s + count < end && toml_digit(s[count]))
		count++;
	return count && s + count < end && (s[count] == ':' || (count >= 3 && s[count] == '-'));
}

/* Exactly `count` digits within bounds; else *at stays, for the error. */
static bool field(const char **at, const char *end, int count, int least, int most, int *value)
{
	const char *s = *at;

	*value = 0;
	for (; count > 0; count--, s++) {
		if (s == end || !toml_digit(*s))
			return false;
		*value = *value * 10 + (*s - '0');
	}
	if (*value < least || *value > most)
		return false;
	*at = s;
	return true;
}

static bool sign(const char **at, const char *end, const char *set)
{
	if (*at == end || !strchr(set, **at))
		return false;
	++*at;
	return true;
}

static int days_of(int month, int year)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

static bool date(const char **at, const char *end)
{
	int year, month, day;

	return field(at, end, 4, 0, 9999, &year) && sign(at, end, "-") &&
	       field(at, end, 2, 1, 12, &month) && sign(at, end, "-") &&
	       field(at, end, 2, 1, days_of(month, year), &day);
}

/* Second 60 is a leap second, of which nobody knows the future ones. */
static bool clock_time(const char **at, const char *end)
{
	int hour, minute, second;

	if (!field(at, end, 2, 0, 23, &hour) || !sign(at, end, ":") ||
	    !field(at, end, 2, 0, 59, &minute) || !sign(at, end, ":") ||
	    !field(at, end, 2, 0, 60, &second))
		return false;
	if (!sign(at, end, "."))
		return true;
	if (*at == end || !toml_digit(**at))
		return false;
	while (*at < end && toml_digit(**at))
		++*at;
	return true;
}

static bool offset(const char **at, const char *end)
{
	int hour, minute;

	return sign(at, end, "Zz") || (sign(at, end, "+-") && field(at, end, 2, 0, 23, &hour) &&
	                               sign(at, end, ":") && field(at, end, 2, 0, 59, &minute));
}

/* The type of what stands from *at to end, or NULL with *at at the trouble. */
static const char *type_of(const char **at, const char *end)
{
	bool has_date = end - *at >= 5 && (*at)[2] != ':';

	if (has_date && !date(at, end))
		return NULL;
	if (has_date && *at == end)
		return "date-local";
	if (has_date && !sign(at, end, "Tt "))
		return NULL;
	if (!clock_time(at, end))
		return NULL;
	if (*at == end)
		return has_date ? "datetime-local" : "time-local";
	if (!has_date || !offset(at, end) || *at != end)
		return NULL;
	return "datetime";
}

json_t *toml_time(struct toml_parser *p, const char *end)
{
	size_t len = (size_t)(end - p->at);
	const char *s = p->at;
	const char *type = type_of(&s, end);
	char *text = toml_decoded(p);

	if (!type) {
		toml_fail(p, s, "not a valid date or time");
		return NULL;
	}
	memcpy(text, p->at, len);
	if (len > 10 && text[4] == '-')
		text[10] = 'T';
	if (text[len - 1] == 'z')
		text[len - 1] = 'Z';
	return toml_typed(type, text, len);
}
