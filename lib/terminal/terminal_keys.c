#include "terminal/terminal_keys.h"

#include <string.h>

#define ESCAPE 0x1b
#define BELL   0x07
#define CTRL_C 0x03

/* Of one byte, as they are where a command asked for that. */
#define C1_SS3 0x8f
#define C1_CSI 0x9b
#define C1_ST  0x9c
static const char c1_strings[] = "\x90\x98\x9d\x9e\x9f";

/* Behind ESC: what begins a string that lasts until ST. */
static const char strings[] = "PX]^_";

static void skip(struct keys *k, unsigned count)
{
	k->skip = count;
	k->state = count ? KEYS_SKIP : KEYS_PLAIN;
}

static void begin_sequence(struct keys *k)
{
	k->state = KEYS_SEQUENCE;
	k->fresh = true;
}

static bool take_plain(struct keys *k, unsigned char c)
{
	if (c == ESCAPE)
		k->state = KEYS_ESCAPE;
	else if (c == C1_CSI)
		begin_sequence(k);
	else if (c == C1_SS3)
		skip(k, 1);
	else if (c >= 0x80 && strchr(c1_strings, (char)c))
		k->state = KEYS_STRING;
	return c != ESCAPE && c < 0x80;
}

static void take_escape(struct keys *k, unsigned char c)
{
	if (c == '[')
		begin_sequence(k);
	else if (c == 'O')
		skip(k, 1);
	else if (c && strchr(strings, c))
		k->state = KEYS_STRING;
	else if (c != ESCAPE && (c < 0x20 || c > 0x2f))
		k->state = KEYS_PLAIN;
}

/* A click is a letter with bytes behind it, which may be any. */
static void take_sequence(struct keys *k, unsigned char c)
{
	bool fresh = k->fresh;

	k->fresh = false;
	if (c == ESCAPE)
		k->state = KEYS_ESCAPE;
	else if (c >= 0x40 && c <= 0x7e)
		skip(k, !fresh ? 0 : c == 'M' ? 3 : c == 'T' ? 6 : c == 't' ? 2 : c == '[' ? 1 : 0);
}

bool typed_key(struct keys *k, unsigned char c)
{
	/* Whoever gives up can do so in the middle of anything. */
	if (c == CTRL_C) {
		k->state = KEYS_PLAIN;
		return true;
	}
	switch (k->state) {
	case KEYS_PLAIN:
		return take_plain(k, c);
	case KEYS_ESCAPE:
		take_escape(k, c);
		break;
	case KEYS_SEQUENCE:
		take_sequence(k, c);
		break;
	case KEYS_STRING:
		if (c == ESCAPE)
			k->state = KEYS_ESCAPE;
		else if (c == BELL || c == C1_ST)
			k->state = KEYS_PLAIN;
		break;
	case KEYS_SKIP:
		skip(k, k->skip - 1);
		break;
	}
	return false;
}
