/*
 * What a repository's own config file says: enough of git's syntax to find
 * the values that name other files.  Nothing is executed and nothing included.
 */
#ifndef SBX_GITCONFIG_H
#define SBX_GITCONFIG_H

/*
 * Called for each "key = value"; name is "section.key" in lower case, without
 * a subsection.
 */
typedef void gitconfig_value(void *context, const char *name, const char *value);

void gitconfig_read(const char *gitdir, gitconfig_value *each, void *context);

#endif
