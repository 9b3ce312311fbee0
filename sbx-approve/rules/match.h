/*
 * What do the rules say about a command?
 */
#ifndef SBX_APPROVE_RULES_MATCH_H
#define SBX_APPROVE_RULES_MATCH_H

#include "command/where_it_runs.h"
#include "rules/rules.h"

#include <jansson.h>
#include <time.h>

/* Where and when a rule is asked about. */
struct occasion {
	struct site *site; /* NULL: names mean what they say */
	const char *cwd;
	time_t now;
	bool outside; /* no sandbox of ours would hold the run */
	bool deep;    /* a command found inside another: only what is stricter than allow */
};

struct match {
	enum decision decision;
	const struct rule *rule; /* of that decision, the longest; NULL when none matches */
};

/* Strictest first; *list, when given, gets every match as JSON. */
struct match rules_match(const struct rules *rules, char *const *argv,
                         const struct occasion *occasion, json_t *list);

/*
 * Do the examples beside a rule hold?
 */

/* What is wrong with the first that does not, to be freed; NULL: all hold. */
char *examples_fail(const struct rules *one, const json_t *examples, bool match);

#endif
