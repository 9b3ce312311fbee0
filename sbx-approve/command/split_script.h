/*
 * Which plain commands is a shell script made of?
 *
 * Only a script that every shell reads the same way is split: words, quotes
 * without expansion, and && || ; | or newlines between the commands.  All
 * else is opaque: in doubt the answer is "cannot tell".
 */
#ifndef SBX_APPROVE_COMMAND_SPLIT_SCRIPT_H
#define SBX_APPROVE_COMMAND_SPLIT_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

/* What stands behind a command. */
enum joint {
	JOINT_END,
	JOINT_THEN, /* ; or a newline */
	JOINT_AND,
	JOINT_OR,
	JOINT_PIPE,
};

struct segment {
	char **argv; /* at least one word */
	enum joint joint;
};

struct script {
	struct segment *segments;
	size_t count;
};

/* False, and an empty script, when it is opaque. */
bool split(const char *text, struct script *script);
void script_free(struct script *script);

#endif
