/*
 * Does a line of .gitignore name a path?
 *
 * As git reads it, to the character.  A match costs no more than the product of
 * the lengths, whatever a stranger wrote into the line.
 */
#ifndef SBX_POLICY_CLOSED_IGNORE_PATTERN_H
#define SBX_POLICY_CLOSED_IGNORE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

struct ignore_pattern {
	char *text;
	size_t *ends; /* of its components in the text, each one a "/" or the end */
	size_t count;
	bool negated, directories; /* "!" in front; "/" behind: of directories only */
	bool rooted;               /* it has a "/": from the directory of its file on */
	bool fold;                 /* letters in any case */
};

/* False: an empty line, a comment, or what git never matches. */
bool ignore_pattern_parse(struct ignore_pattern *pattern, const char *line, size_t len);
void ignore_pattern_free(struct ignore_pattern *pattern);

/* The components of the path, from the directory of the file on; at least one. */
bool ignore_pattern_matches(const struct ignore_pattern *pattern, const char *const *names,
                            size_t count, bool directory);

#endif
