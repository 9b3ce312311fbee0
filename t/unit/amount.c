/*
 * How long does a person mean?
 */
#include "base/amount.c"

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

int main(void)
{
	char got[32];

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
