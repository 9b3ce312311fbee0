#include "typed/nearest_word.h"

#include <string.h>

/* No known word is longer, and nobody means one by something longer. */
#define LENGTH_MAX 64

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many letters have to be put in, left out or changed. */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t row[LENGTH_MAX + 1];

	for (size_t k = 0; k <= b_len; k++)
		row[k] = k;
	for (size_t i = 1; i <= a_len; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t k = 1; k <= b_len; k++) {
			size_t above = row[k];

			row[k] = smaller(smaller(row[k] + 1, row[k - 1] + 1),
			                 diagonal + (a[i - 1] != b[k - 1]));
			diagonal = above;
		}
	}
	return row[b_len];
}

struct nearest nearest_begin(const char *meant)
{
	size_t len = strlen(meant);

	/* A third of the letters may be wrong, and at least one. */
	return (struct nearest){.meant = meant, .distance = len / 3 + 2};
}

void nearest_try(struct nearest *nearest, const char *word, size_t len)
{
	size_t meant = strlen(nearest->meant), d;

	if (meant > LENGTH_MAX || len > LENGTH_MAX || (len == 1 && word[0] == '*'))
		return;
	d = distance(nearest->meant, meant, word, len);
	if (d >= nearest->distance)
		return;
	nearest->distance = d;
	nearest->word = word;
	nearest->len = len;
}
