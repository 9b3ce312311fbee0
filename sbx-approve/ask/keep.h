/*
 * How does an answer last, so that the same is not asked again?
 *
 * A command gets a rule; what was denied is given to the project.  Either is
 * shown exactly as it will be written, into the user's own files, before it is.
 */
#ifndef SBX_APPROVE_ASK_KEEP_H
#define SBX_APPROVE_ASK_KEEP_H

#include "grant/grant.h"
#include "question.h"
#include "terminal/question_terminal.h"

enum keep {
	KEEP_NOTHING, /* nothing that could be written would answer this question */
	KEEP_RULE,
	KEEP_GRANT,
};

/*
 * grant: what would be given, or NULL.  Directories and hosts can be given to a
 * project; what is sensitive is decided about each time.
 */
enum keep keep_offered(const struct question *q, const struct grant *grant,
                       const json_t *sensitive);

/* The answer, when it was agreed to and, of a grant, written; NULL: back. */
json_t *keep_ask(struct tty *tty, const struct question *q, enum keep keep,
                 const struct grant *grant);

#endif
