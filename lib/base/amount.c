#include "base/amount.h"

#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

/* Far beyond any run, and far from overflow. */
#define DURATION_MAX_MS 1000000000000LL

static const struct unit {
	const char *name;
	int64_t ms;
} units[] = {
        {"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}, {"d", 86400000},
};

/* The unit at the beginning of text and its length; seconds where there is none. */
static const struct unit *unit_at(const char *text, size_t *len)
{
	*len = strspn(text, "abcdefghijklmnopqrstuvwxyz");
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i].name) == *len && strncmp(text, units[i].name, *len) == 0)
			return &units[i];
	return *len == 0 ? &units[1] : NULL;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* One number with its unit; NULL: it is none.  The fraction is in a billionth of the unit. */
static const char *part(const char *p, int64_t *ms)
{
	int64_t whole = 0, billionths = 0, place = 100000000;
	const struct unit *unit;
	bool digits = false, finer = false;
	size_t len;

	for (; is_digit(*p) && whole <= DURATION_MAX_MS; p++, digits = true)
		whole = whole * 10 + (*p - '0');
	if (*p == '.')
		for (p++; is_digit(*p); p++, digits = true, place /= 10) {
			billionths += place * (*p - '0');
			finer |= place == 0 && *p != '0';
		}
	unit = digits ? unit_at(p, &len) : NULL;
	if (!unit || (len == 0 && p[0]) || whole > DURATION_MAX_MS / unit->ms)
		return NULL;
	*ms = whole * unit->ms + (billionths * unit->ms + 999999999) / 1000000000;
	*ms += finer && billionths * unit->ms % 1000000000 == 0;
	return p + len;
}

int duration_parse(const char *text, int64_t *ms)
{
	int64_t one;

	*ms = 0;
	do {
		text = part(text, &one);
		if (!text || *ms + one > DURATION_MAX_MS)
			return -1;
		*ms += one;
	} while (*text);
	return 0;
}

char *duration_text(int64_t ms)
{
	size_t i = sizeof(units) / sizeof(units[0]) - 1;

	/* The largest unit of which it is at least one, and at most one digit behind it. */
	while (i > 0 && (ms < units[i].ms || ms * 10 % units[i].ms != 0))
		i--;
	if (ms % units[i].ms == 0)
		return xasprintf("%lld%s", (long long)(ms / units[i].ms), units[i].name);
	return xasprintf("%lld.%lld%s", (long long)(ms / units[i].ms),
	                 (long long)(ms * 10 / units[i].ms % 10), units[i].name);
}
