/*
 * What is to be decided about one document?
 */
#ifndef SBX_APPROVE_QUESTION_H
#define SBX_APPROVE_QUESTION_H

#include "command/analysis.h"
#include "decision_table.h"
#include "grant/grant.h"
#include "rules/match.h"

struct question {
	const json_t *doc, *policy;
	struct command command;
	struct site site;
	struct analysis analysis;
	char *key;
	enum command_class class; /* of the whole command */
	const char *danger;       /* what is dangerous about it, or NULL */
	bool covered;             /* a rule allows every part of it */
	struct match rule;        /* the strictest rule */
	struct judgement judgement;
	const json_t *changes; /* of a preview, that are to be made; or NULL */
	char *host;            /* and port that it waits for, or NULL */
	char *beyond;          /* a file of a patch that the policy lets nobody write, or NULL */
	json_t *hidden;        /* what the policy hides from every run: a list */
	struct grant scope;    /* what the session gives to every command here */
};

/* What an outer session allows at most. */
struct ceiling {
	const char *const *policies; /* each is judged, and the strictest counts */
	size_t count;
	const char *mode; /* the widest mode, or NULL */
};

int question_build(struct question *q, const json_t *doc, const struct rules *rules,
                   const struct ceiling *ceiling, struct site_memory *memory, struct error *err);
void question_free(struct question *q);

/* The run would be outside of the sandbox that the policy asks for. */
bool question_outside(const struct question *q);

/* The policy asks for no sandbox at all. */
bool question_full_access(const struct question *q);

/* No sandbox of ours would hold the run: outside of it, or the policy has none. */
bool question_unconfined(const struct question *q);

/* What was denied would take a home directory: a plain yes is none to leaving the sandbox. */
bool question_wants_home(const struct question *q);

/* One line of words: why it is asked, or why not. */
char *question_reason(const struct question *q);

#endif
