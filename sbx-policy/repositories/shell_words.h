/*
 * Which words of a shell's command line could be paths?
 *
 * For finding files that a setting names, not for judging what a line does:
 * nothing is expanded, and where it is unclear whether a text is one word or
 * several, both are told.
 */
#ifndef SBX_POLICY_REPOSITORIES_SHELL_WORDS_H
#define SBX_POLICY_REPOSITORIES_SHELL_WORDS_H

#include <stdbool.h>

/* `command`: the word stands where a shell takes it for a program. */
typedef void shell_word(void *context, const char *word, bool command);

void shell_words(const char *line, shell_word *each, void *context);

#endif
