/*
 * What comes from a terminal: a key, or what the terminal itself says?
 *
 * A command that has ended may have asked the terminal something, and the answer
 * comes while a person is asked: "ESC [ ? 7 ; 1 $ y" is no "y".
 */
#ifndef SBX_TERMINAL_TERMINAL_KEYS_H
#define SBX_TERMINAL_TERMINAL_KEYS_H

#include <stdbool.h>

struct keys {
	enum { KEYS_PLAIN, KEYS_ESCAPE, KEYS_SEQUENCE, KEYS_STRING, KEYS_SKIP } state;
	unsigned skip; /* bytes behind a sequence that belong to it */
	bool fresh;    /* nothing of the sequence was seen yet */
};

/* Whether the next byte is a key, and no part of a sequence. */
bool typed_key(struct keys *k, unsigned char c);

#endif
