/*
 * How does a list of strings grow, and is a word among them?
 */
#ifndef SBX_BASE_STRINGS_H
#define SBX_BASE_STRINGS_H

#include <stdbool.h>
#include <stddef.h>

/* The items belong to the list; NULL comes after the last once there is one. */
struct strings {
	char **items;
	size_t count;
};

/* Takes the string. */
void strings_add(struct strings *strings, char *string);
void strings_free(struct strings *strings);
bool strings_have(const struct strings *strings, const char *word);

/* The place of a word in a list that ends with NULL; -1: it is NULL, or not among them. */
int word_index(const char *const *words, const char *word);
bool word_among(const char *word, const char *const *words);

#endif
