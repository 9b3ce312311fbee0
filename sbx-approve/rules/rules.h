/*
 * What do the rules say about a command?
 *
 * A rule is a prefix of words with a decision.  The strictest decision of all
 * rules that match counts.
 */
#ifndef SBX_APPROVE_RULES_RULES_H
#define SBX_APPROVE_RULES_RULES_H

#include "base/error.h"
#include "base/sha256.h"
#include "command/where_it_runs.h"

#include <jansson.h>
#include <stddef.h>
#include <time.h>

/* From lenient to strict. */
enum decision {
	DECISION_NONE,
	DECISION_ALLOW,
	DECISION_PROMPT,
	DECISION_FORBIDDEN,
};

extern const char *const decision_names[]; /* by enum decision */

/* Where a rule that allows holds; a stricter one holds everywhere. */
enum where {
	WHERE_UNSAID,  /* outside as well, in a file that the user wrote */
	WHERE_SANDBOX, /* runs that the sandbox holds, and no others */
	WHERE_OUTSIDE, /* outside as well */
};

struct rule {
	char ***tokens; /* for each word of the prefix its alternatives; all NULL-terminated */
	size_t length;
	enum decision decision;
	enum where where;
	bool whole;          /* nothing may follow the pattern */
	bool rest_said;      /* the rule says so itself, or the contrary */
	char *justification; /* or NULL */
	char *project;       /* only for commands that run in it; or NULL */
	time_t expires;      /* 0: never */
	char *file;
	unsigned line;
	char *text;   /* as it stands in the file */
	bool doubted; /* its file could have been written by a sandbox */
	bool unseen;  /* of a project, and nobody has looked at it */
};

/* host_executable(): paths that count as a bare name. */
struct host {
	char *name;
	char **paths;
	char *file;
	unsigned line;
	bool doubted; /* as above */
};

struct rules {
	struct rule *rules;
	size_t count;
	struct host *hosts;
	size_t host_count;
};

/* The file that answers are saved in, as opposed to those written by hand. */
#define LEARNED_NAME "learned.rules"

/* Adds the rules of a text; -1 names the line.  Examples are checked. */
int rules_add(struct rules *rules, const char *text, size_t len, const char *file,
              struct error *err);
/* Reads and adds a file. */
int rules_add_file(struct rules *rules, const char *path, struct error *err);
/*
 * For rules that nobody wrote by hand, from index `first` on: what they do not
 * say is the narrower thing.  In the sandbox; and, learned, nothing behind it.
 */
void rules_narrow(struct rules *rules, size_t first, bool learned);
/* Every *.rules of a directory, by name; a directory that is not there is empty. */
int rules_add_directory(struct rules *rules, const char *path, struct error *err);
/* The same; the names and the texts that are parsed go into sha, if there are any. */
int rules_read_directory(struct rules *rules, const char *path, struct sha256 *sha,
                         struct error *err);
/*
 * Moves all of `from` behind `into`.  What nobody has looked at can be stricter,
 * and allows nothing: neither a rule nor a path that counts as a name.
 */
void rules_take(struct rules *into, struct rules *from, bool seen);
void rules_free(struct rules *rules);

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

#endif
