/*
 * What does the person at the terminal say?
 */
#ifndef SBX_APPROVE_ASK_PROMPT_H
#define SBX_APPROVE_ASK_PROMPT_H

#include "question.h"
#include "terminal/question_terminal.h"

/*
 * Asks on /dev/tty.  An answer as an approver would give it, or NULL when
 * there is no terminal.  Another question at the same terminal is waited for
 * no longer than limit_ms.
 */
json_t *prompt_ask(const struct question *q, const json_t *request, bool in_session, int limit_ms);

/*
 * The same at a terminal that is open already, about a question of somebody else.
 * NULL: it was left open; *last is the key that did it, or TTY_ENDED.
 */
json_t *prompt_at_inbox(struct tty *tty, const struct question *q, const json_t *request,
                        int *last);

#endif
