/*
 * What does the person at the terminal say?
 */
#ifndef SBX_APPROVE_PROMPT_H
#define SBX_APPROVE_PROMPT_H

#include "question.h"

/*
 * Asks on /dev/tty.  An answer as an approver would give it, or NULL when
 * there is no terminal.  Everything shown was cleaned: the command's words are
 * the attacker's.
 */
json_t *prompt_ask(const struct question *q, const json_t *request, bool in_session);

#endif
