/*
 * What does a file in the syntax of git's configuration say?
 *
 * Read as git reads it, to the character: a line that means something to git
 * and nothing to us would be a program that nobody protects.  Nothing is
 * executed and nothing included.
 */
#ifndef SBX_GIT_GIT_CONFIG_H
#define SBX_GIT_GIT_CONFIG_H

#include <stdbool.h>

struct gitconfig_reader {
	/* Is the value wanted?  Both are in lower case, without a subsection. */
	bool (*wanted)(void *context, const char *section, const char *key);
	/* Called for each "key = value" that is. */
	void (*value)(void *context, const char *section, const char *key, const char *value);
	void *context;
};

/* The text of such a file. */
void gitconfig_parse(const char *text, const struct gitconfig_reader *reader);

/* The config file of a repository; errno as gitfile_text() leaves it when there is none. */
int gitconfig_read(const char *gitdir, const struct gitconfig_reader *reader);

#endif
