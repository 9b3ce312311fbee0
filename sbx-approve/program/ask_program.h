/*
 * What does a program answer, on its stdout, to what it reads on its stdin?
 */
#ifndef SBX_APPROVE_ASK_ASK_PROGRAM_H
#define SBX_APPROVE_ASK_ASK_PROGRAM_H

#include "program/trusted_approver.h"

#include <jansson.h>

/* A longer answer is no answer. */
#define ANSWER_MAX (1U << 20)

/*
 * The text it printed, to be freed; NULL with err when it could not be
 * started, did not end in time, failed or printed too much.  It starts in "/":
 * interpreters load code from their working directory, and the caller's is the
 * command's to write.
 */
char *exchange(const struct asked *asked, const char *input, size_t len, int limit_ms,
               struct error *err);

#endif
