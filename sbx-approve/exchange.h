/*
 * What does a program answer, on its stdout, to what it reads on its stdin?
 */
#ifndef SBX_APPROVE_EXCHANGE_H
#define SBX_APPROVE_EXCHANGE_H

#include "error.h"

#include <jansson.h>

/* A longer answer is no answer. */
#define ANSWER_MAX (1U << 20)

/*
 * argv[0] is a path.  The text it printed, to be freed; NULL with err when it
 * could not be started, did not end in time, failed or printed too much.
 */
char *exchange(char *const *argv, const char *input, size_t len, int limit_ms, struct error *err);

/* The words to execute a command line with: its path if it is one, else a shell. */
char **command_line(const char *command);

#endif
