/*
 * How does a program tell a person what is wrong?
 *
 * In one line on stderr that begins with its name; what it repeats of the words
 * of others is cleaned, and on a terminal folded (fold.h).
 */
#ifndef SBX_BASE_COMPLAIN_H
#define SBX_BASE_COMPLAIN_H

#include <stddef.h>

/* The program's name, for the prefix of every line; set once by main(). */
extern const char *program_name;

/* Who speaks: another program, where ours is only a part of it. */
const char *speaker(void);
void speak_as(const char *name);

/* "sbx-wrap: cwd: ..."; errno stays what it was. */
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * What is a person told that is not a failure?
 *
 * A key that nobody knows, a directory that was not granted.  main() prints
 * them.
 */

struct notes {
	char **lines;
	size_t count;
};

void notes_add(struct notes *notes, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void notes_print(const struct notes *notes);
/* Those of `from` behind the others; it has none then. */
void notes_move(struct notes *notes, struct notes *from);
void notes_free(struct notes *notes);

#endif
