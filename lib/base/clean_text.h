/*
 * What may stand on a person's terminal?
 *
 * argv, paths and configuration values are the attacker's words.  Everything
 * a person reads goes through text_clean(), and nothing else cleans.
 */
#ifndef SBX_BASE_CLEAN_TEXT_H
#define SBX_BASE_CLEAN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The length of the UTF-8 character that begins at s, of which `left` bytes
 * may be read, and its value; 0 when it is none.  left is at least 1.
 */
int text_character(const char *s, size_t left, uint32_t *out);

/* Does this character reorder, hide or imitate text, or move a cursor?  Of those above ASCII. */
bool text_deceives(uint32_t c);

/* Is this character a mark that is drawn on the one before it?  left is at least 1. */
bool text_combines(const char *s, size_t left);

/*
 * A copy in which control bytes, invalid UTF-8 and characters that reorder,
 * hide or imitate text (bidi controls, zero-width, line separators, blanks of
 * other kinds, piles of marks) are \xNN or \u{N}.
 */
char *text_clean(const char *s);

/* A word as a POSIX shell would have to read it; plain words stay plain. */
char *text_quote(const char *word);

#endif
