/*
 * What is a rule?
 *
 * A rule is a prefix of words with a decision.  The strictest decision of all
 * rules that match counts.
 */
#ifndef SBX_APPROVE_RULES_RULES_H
#define SBX_APPROVE_RULES_RULES_H

#include <stdbool.h>
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

/* network_rule(): a host of the list, "!" before it where it is denied. */
struct network_rule {
	char *host;
	char *project;  /* only for commands that run in it; or NULL */
	time_t expires; /* 0: never */
	char *file;
	unsigned line;
	char *text;   /* as it stands in the file */
	bool doubted; /* as above */
};

struct rules {
	struct rule *rules;
	size_t count;
	struct host *hosts;
	size_t host_count;
	struct network_rule *networks;
	size_t network_count;
};

/* The file that answers are saved in, as opposed to those written by hand. */
#define LEARNED_NAME "learned.rules"

/*
 * For rules that nobody wrote by hand, from index `first` on: what they do not
 * say is the narrower thing.  In the sandbox; and, learned, nothing after it.
 */
void rules_narrow(struct rules *rules, size_t first, bool learned);
/*
 * Moves all of `from` to the end of `into`.  What nobody has looked at can be stricter,
 * and allows nothing: neither a rule nor a path that counts as a name.
 */
void rules_take(struct rules *into, struct rules *from, bool seen);
/* The last definition of a name counts. */
void rules_keep_host(struct rules *rules, struct host host);

/* What denies holds wherever it is; what allows, in its project and time, and undoubted. */
bool network_rule_holds(const struct network_rule *network, const char *cwd, time_t now);

void rules_keep_network(struct rules *rules, struct network_rule network);

void rule_free(struct rule *rule);
void host_free(struct host *host);
void network_rule_free(struct network_rule *network);
void rules_free(struct rules *rules);

#endif
