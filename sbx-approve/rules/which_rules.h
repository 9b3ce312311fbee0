/*
 * Which rules apply to a document?
 *
 * Those of $CODEX_HOME/rules, of --rules, and of .codex/rules of the project
 * when the policy says that it is trusted: as somebody saw them, or only where
 * they are stricter.
 */
#ifndef SBX_APPROVE_RULES_WHICH_RULES_H
#define SBX_APPROVE_RULES_WHICH_RULES_H

#include "base/error.h"
#include "rules/rules.h"

#include <jansson.h>

struct book {
	struct rules own;
	char *directory; /* $CODEX_HOME/rules, or NULL */
	char *required;  /* rules of the administrator, as text, or NULL */
	/* A stream may come from several projects. */
	struct project {
		char *root;
		char *digest;       /* of the rules that somebody looked at, or NULL */
		struct rules rules; /* the user's and the project's */
	} * projects;
	size_t project_count;
	const char *const *files; /* --rules */
	size_t file_count;
	bool loaded;
	bool stale; /* a rule was saved: to be read again before the next document */
};

void book_free(struct book *book);

/* NULL with err, naming file and line, when a file cannot be understood. */
const struct rules *book_rules(struct book *book, const json_t *policy, struct error *err);

/* After a rule was saved: what was read is out of date. */
void book_forget(struct book *book);

/* $CODEX_HOME/rules, to be freed; NULL when there is no home. */
char *book_directory(struct error *err);

#endif
