/*
 * What is this command made of, and how is each part to be judged?
 */
#ifndef SBX_APPROVE_COMMAND_ANALYSIS_H
#define SBX_APPROVE_COMMAND_ANALYSIS_H

#include "command/dangerous.h"
#include "command/split_script.h"
#include "command/where_it_runs.h"

enum command_class {
	CLASS_SAFE,
	CLASS_UNKNOWN,
	CLASS_DANGEROUS,
	CLASSES,
};

extern const char *const class_names[CLASSES];

struct part {
	char *const *argv;
	enum command_class class;
	const char *danger; /* why it is dangerous, or NULL */
};

struct analysis {
	struct part *parts; /* at least one */
	size_t count;
	struct script script; /* what the parts of a shell script point into */
};

/*
 * The commands of `sh|bash|zsh -c|-lc SCRIPT` when the script can be split,
 * else the command itself.  argv must outlive the analysis.
 */
void analyse(char *const *argv, struct site *site, struct analysis *analysis);
void analysis_free(struct analysis *analysis);

/* The worst class of the parts that `covered` (may be NULL) does not mark. */
enum command_class analysis_class(const struct analysis *analysis, const bool *covered);

#endif
