/*
 * How long, or how much, does a person mean?
 */
#include "typed/amount.c"

#include "tap.h"

#include <stdlib.h>

static const struct {
	const char *text;
	int64_t ms; /* -1: none */
} durations[] = {
        {"10", 10000},
        {"0.5", 500},
        {".5", 500},
        {"5.", 5000},
        {"0", 0},
        {"90s", 90000},
        {"300ms", 300},
        {"10m", 600000},
        {"1.5h", 5400000},
        {"1h30m", 5400000},
        {"2d", 172800000},
        {"0.0001", 1}, /* a limit is a limit */
        {"0.0000000000001", 1},
        {"0.00000000000h", 0},
        {"1000000000", 1000000000000},
        {"1000000001", -1},
        {"99999999999999999999999999", -1},
        {"999999999999999d", -1},
        {"", -1},
        {".", -1},
        {"m", -1},
        {"10x", -1},
        {"10 m", -1},
        {"-1", -1},
        {"+1", -1},
        {"1e3", -1},
        {"0x10", -1},
        {"1h30", 3630000}, /* a number alone is seconds */
        {"10M", -1},
        {"10,5", -1},
        {"1..5", -1},
        {"inf", -1},
};

static const struct {
	int64_t ms;
	const char *text;
} texts[] = {
        {300, "300ms"},  {500, "500ms"},   {1000, "1s"},      {1500, "1.5s"},
        {90000, "1.5m"}, {600000, "10m"},  {5400000, "1.5h"}, {86400000, "1d"},
        {61000, "61s"},  {1234, "1234ms"}, {0, "0ms"},
};

static const struct {
	const char *text;
	int64_t bytes; /* -1: none */
} sizes[] = {
        {"512M", 512LL << 20},
        {"512m", 512LL << 20},
        {"1.5G", 1536LL << 20},
        {"64KB", 65536},
        {"64KiB", 65536},
        {"64kib", 65536},
        {"100", 100},
        {"100B", 100},
        {"1T", 1LL << 40},
        {"2000T", -1},
        {"", -1},
        {"M", -1},
        {"-1M", -1},
        {"1e3", -1},
        {"1 M", -1},
        {"1Ki", -1},
        {"1Mi B", -1},
        {"0.5K", 512},
        {"1P", -1},
        {"10MM", -1},
        {"0x10", -1},
        {"1125899906842625", -1},
};

static const struct {
	int64_t bytes;
	const char *text;
} size_texts[] = {
        {512LL << 20, "512M"}, {1536LL << 20, "1.5G"},  {1000, "1000"},
        {65536, "64K"},        {1000LL << 20, "1000M"}, {1LL << 40, "1T"},
};

static const struct {
	const char *text;
	int64_t unit, parts; /* -1: none */
} decimals[] = {
        {"2", 1000, 2000}, {"0.5", 1000, 500}, {"1.2345", 1000, 1235}, {"2", 1, 2}, {"2.5", 1, -1},
        {"2x", 1000, -1},  {"", 1, -1},
};

static void check_sizes(void)
{
	char got[32];

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		int64_t bytes = 0;

		if (size_parse(sizes[i].text, &bytes) < 0)
			bytes = -1;
		snprintf(got, sizeof(got), "%lld", (long long)bytes);
		check(bytes == sizes[i].bytes, sizes[i].text, got);
	}
	for (size_t i = 0; i < sizeof(size_texts) / sizeof(size_texts[0]); i++) {
		char *text = size_text(size_texts[i].bytes);

		check(strcmp(text, size_texts[i].text) == 0, size_texts[i].text, text);
		free(text);
	}
}

static void check_decimals(void)
{
	char got[32], *text = decimal_text(1500, 1000);

	for (size_t i = 0; i < sizeof(decimals) / sizeof(decimals[0]); i++) {
		int64_t parts = 0;

		if (decimal_parse(decimals[i].text, decimals[i].unit, &parts) < 0)
			parts = -1;
		snprintf(got, sizeof(got), "%lld", (long long)parts);
		check(parts == decimals[i].parts, decimals[i].text, got);
	}
	check(strcmp(text, "1.5") == 0, "1.5", text);
	free(text);
}

int main(void)
{
	char got[32];

	check_sizes();
	check_decimals();

	for (size_t i = 0; i < sizeof(durations) / sizeof(durations[0]); i++) {
		int64_t ms = 0;

		if (duration_parse(durations[i].text, &ms) < 0)
			ms = -1;
		snprintf(got, sizeof(got), "%lld", (long long)ms);
		check(ms == durations[i].ms, durations[i].text, got);
	}
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char *text = duration_text(texts[i].ms);

		check(strcmp(text, texts[i].text) == 0, texts[i].text, text);
		free(text);
	}
	return finish();
}
