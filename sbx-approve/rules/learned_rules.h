/*
 * Which rules were learned from answers, and how is one saved or revoked?
 */
#ifndef SBX_APPROVE_RULES_LEARNED_RULES_H
#define SBX_APPROVE_RULES_LEARNED_RULES_H

#include "question.h"

/* How far a rule that is to be saved reaches. */
struct reach {
	bool everywhere; /* else only in the project */
	bool one_day;
	bool more_words; /* whatever follows; else the command as it is, and no other */
};

/*
 * The rule that would allow the command from now on, as it will be saved; NULL
 * when none should be offered: more than one command, a dangerous one, or a
 * program that runs whatever it is given.
 */
char *learned_rule(const struct question *q, const struct reach *reach);

/* A shell, interpreter or wrapper: its name says nothing about what it does. */
bool runs_anything(const char *program);

/* Where rules are saved, to be freed. */
char *learned_file(struct error *err);

/* Appends it, once, unless it allows something other than the question. */
int learned_save(const struct question *q, const char *rule, struct error *err);

/* One JSON object a line. */
int learned_list(struct error *err);
/* The rule with exactly this text. */
int learned_revoke(const char *rule, struct error *err);

#endif
