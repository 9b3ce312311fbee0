/*
 * What went wrong, and with which exit code does the program end?
 *
 * Every function of the library that can fail returns -1 or NULL and fills
 * one of these.  Nothing below main() prints or exits.
 */
#ifndef SBX_BASE_ERROR_H
#define SBX_BASE_ERROR_H

#include <stdbool.h>

/* Exit codes of the stages; sbx-run maps each of them to 125. */
enum {
	EXIT_DENIED = 1,
	EXIT_USAGE = 2,
	EXIT_INPUT = 3,
	EXIT_UNAVAILABLE = 4,
	EXIT_SYSTEM = 5,
};

struct error {
	int exit;          /* one of the codes above; 0: no error yet */
	char code[32];     /* a word for programs: "bad-document" */
	char message[768]; /* a line for people, not yet cleaned of control bytes */
};

/* Both return -1, so that "return error_set(...)" reads as one thought. */
int error_set(struct error *err, int exit, const char *code, const char *fmt, ...)
        __attribute__((format(printf, 4, 5)));

/* EXIT_SYSTEM, with strerror(errno) appended. */
int error_system(struct error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * True of an errno that says something about us and nothing about the file we
 * looked at.  Who passes over what cannot be read must not pass over these.
 */
bool error_is_ours(int number);

#endif
