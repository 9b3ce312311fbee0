/*
 * What does the text of a rules file say?  Calls with strings, lists and
 * keywords.
 *
 *	prefix_rule(pattern = ["git", ["status", "log"]], decision = "allow")
 *
 * A literal-only part of a larger language.  Whatever else stands in a file
 * is an error that names the line.
 */
#ifndef SBX_APPROVE_RULES_CALL_NOTATION_H
#define SBX_APPROVE_RULES_CALL_NOTATION_H

#include "base/error.h"

#include <jansson.h>
#include <stddef.h>

struct call {
	char *name;
	unsigned line;
	size_t start, end;  /* of the call, in the text */
	json_t *positional; /* a list */
	json_t *keywords;   /* an object */
};

struct calls {
	struct call *calls;
	size_t count;
};

/* `file` names the text in errors: "default.rules:3: ..." */
int calls_read(const char *text, size_t len, const char *file, struct calls *calls,
               struct error *err);
void calls_free(struct calls *calls);

#endif
