#include "base/strings.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void strings_add(struct strings *strings, char *string)
{
	strings->items =
	        xrealloc_array(strings->items, strings->count + 2, sizeof(*strings->items));
	strings->items[strings->count++] = string;
	strings->items[strings->count] = NULL;
}

void strings_free(struct strings *strings)
{
	for (size_t i = 0; i < strings->count; i++)
		free(strings->items[i]);
	free(strings->items);
	*strings = (struct strings){0};
}

bool strings_have(const struct strings *strings, const char *word)
{
	for (size_t i = 0; i < strings->count; i++)
		if (strcmp(strings->items[i], word) == 0)
			return true;
	return false;
}

int word_index(const char *const *words, const char *word)
{
	for (int i = 0; word && words[i]; i++)
		if (strcmp(words[i], word) == 0)
			return i;
	return -1;
}

bool word_among(const char *word, const char *const *words)
{
	return word_index(words, word) >= 0;
}
