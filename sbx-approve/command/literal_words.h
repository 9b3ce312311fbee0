/*
 * Which literal words does a shell script contain, in whatever syntax?
 */
#ifndef SBX_APPROVE_COMMAND_LITERAL_WORDS_H
#define SBX_APPROVE_COMMAND_LITERAL_WORDS_H

#include <stddef.h>

/* Runs of words between anything that can end a command. */
struct loose {
	char ***runs; /* each NULL-terminated, not empty */
	size_t count, room;
};

/* Never fails: what is not understood is taken for words. */
void loose_read(struct loose *loose, const char *text);
void loose_free(struct loose *loose);

#endif
