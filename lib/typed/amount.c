#include "typed/amount.h"

#include "base/memory.h"

#include <stdbool.h>
#include <string.h>

/* The fraction is in billionths; finer: there is more of it. */
struct number {
	int64_t whole, billionths;
	bool finer;
};

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

/* Digits, perhaps with a fraction, as far as most; NULL: there are none. */
static const char *number_at(const char *p, int64_t most, struct number *n)
{
	int64_t place = 100000000;
	bool digits = false;

	*n = (struct number){0};
	for (; is_digit(*p) && n->whole <= most; p++, digits = true)
		n->whole = n->whole * 10 + (*p - '0');
	if (*p == '.')
		for (p++; is_digit(*p); p++, digits = true, place /= 10) {
			n->billionths += place * (*p - '0');
			n->finer |= place == 0 && *p != '0';
		}
	return digits && n->whole <= most ? p : NULL;
}

/* One number with its unit; NULL: it is none. */
static const char *part(const char *p, int64_t *ms)
{
	const struct unit *unit;
	struct number n;
	int64_t more;
	size_t len;

	p = number_at(p, DURATION_MAX_MS, &n);
	unit = p ? unit_at(p, &len) : NULL;
	if (!unit || (len == 0 && p[0]) || n.whole > DURATION_MAX_MS / unit->ms)
		return NULL;
	more = n.billionths * unit->ms;
	*ms = n.whole * unit->ms + (more + 999999999) / 1000000000;
	*ms += n.finer && more % 1000000000 == 0;
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

/* More than any machine has, and far from overflow. */
#define SIZE_MAX_BYTES (1LL << 50)

static const char size_units[] = "KMGT";

/* 1024 to the power of the unit: "", "B", "K", "KB" or "KiB"; 0: it is none. */
static int64_t size_unit(const char *text)
{
	const char *found = text[0] ? strchr(size_units, text[0] & ~0x20) : NULL;
	const char *rest = text + (found != NULL);

	if (found && (rest[0] | 0x20) == 'i' && rest[1])
		rest++;
	if ((rest[0] | 0x20) == 'b')
		rest++;
	return rest[0] ? 0 : found ? 1LL << 10 * (found - size_units + 1) : 1;
}

int size_parse(const char *text, int64_t *bytes)
{
	struct number n;
	const char *end = number_at(text, SIZE_MAX_BYTES, &n);
	int64_t unit = end ? size_unit(end) : 0;

	if (unit == 0 || n.whole > SIZE_MAX_BYTES / unit)
		return -1;
	/* A billionth of a unit is a byte of a G: finer than that is not asked for. */
	*bytes = n.whole * unit + (int64_t)((double)n.billionths * (double)unit / 1e9);
	return 0;
}

char *size_text(int64_t bytes)
{
	int64_t unit = 1;
	int power = 0;

	while (power < 4 && bytes >= unit << 10 && bytes * 10 % (unit << 10) == 0) {
		unit <<= 10;
		power++;
	}
	if (power == 0)
		return xasprintf("%lld", (long long)bytes);
	if (bytes % unit == 0)
		return xasprintf("%lld%c", (long long)(bytes / unit), size_units[power - 1]);
	return xasprintf("%lld.%lld%c", (long long)(bytes / unit),
	                 (long long)(bytes * 10 / unit % 10), size_units[power - 1]);
}

int decimal_parse(const char *text, int64_t unit, int64_t *parts)
{
	struct number n;
	const char *end = number_at(text, 1000000000, &n);

	/* Half a process is none. */
	if (!end || *end || (unit == 1 && strchr(text, '.')))
		return -1;
	*parts = n.whole * unit + (n.billionths * unit + 500000000) / 1000000000;
	return 0;
}

char *decimal_text(int64_t parts, int64_t unit)
{
	char *text = xasprintf("%lld.%03lld", (long long)(parts / unit),
	                       (long long)(parts % unit * 1000 / unit));
	size_t len = strlen(text);

	while (text[len - 1] == '0')
		text[--len] = '\0';
	if (text[len - 1] == '.')
		text[len - 1] = '\0';
	return text;
}
