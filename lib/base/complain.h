/*
 * How does a program tell a person what is wrong?
 *
 * In one line on stderr that begins with its name; what it repeats of the words
 * of others is cleaned, and on a terminal folded (fold.h).
 */
#ifndef SBX_BASE_COMPLAIN_H
#define SBX_BASE_COMPLAIN_H

/* The program's name, for the prefix of every line; set once by main(). */
extern const char *program_name;

/* "sbx-wrap: cwd: ..."; errno stays what it was. */
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
