/*
 * Which key did the person at the terminal press?
 *
 * One question at a time, one key at a time.
 */
#ifndef SBX_TERMINAL_QUESTION_TERMINAL_H
#define SBX_TERMINAL_QUESTION_TERMINAL_H

#include "terminal/terminal_keys.h"
#include "base/error.h"
#include "base/fold.h"

#include <stdbool.h>
#include <termios.h>

struct tty {
	int fd, lock, signals, parent;
	struct fold fold; /* onto it */
	struct keys keys; /* from it */
	struct termios before;
	/* What else may end the wait for a key: */
	int news;                       /* readable when something has changed; -1: nothing is */
	bool (*is_over)(void *context); /* reads it; true: no key is wanted any more */
	void *context;
	bool over; /* it said so */
};

/*
 * -1 with the code "no-terminal" when there is none, or "locked" when another
 * question was open on it for all of limit_ms.
 */
int tty_open(struct tty *t, int limit_ms, struct error *err);
/* An empty screen; where the terminal can do nothing, a new row. */
void tty_clear(const struct tty *t);
/* Each change of its size is seen at once, as TTY_RESIZED. */
int tty_watch_size(struct tty *t, struct error *err);
/* It is more than a printer. */
bool tty_has_screen(void);
/* A colour is seen where there are some and nobody declined them (NO_COLOR). */
bool tty_has_colours(void);
/* The settings as before.  A signal that came meanwhile is then obeyed. */
void tty_close(struct tty *t);

#define TTY_ENDED   0  /* the terminal, or whoever wants to know, is gone; or it is over */
#define TTY_RESIZED -1 /* what was shown may stand otherwise by now: no key counts */

/* One key, or one of the above; a paste or the sequence of a function key is none. */
int tty_key(struct tty *t);

/* What one of the keys does, in words of ours: they need no mark where they are folded. */
void tty_key_row(const struct tty *t, const char *text);
/* Said of one that is not offered. */
void tty_no_such_key(const struct tty *t, int key);

/* The same, and what was typed is seen. */
int tty_key_shown(struct tty *t);

#endif
