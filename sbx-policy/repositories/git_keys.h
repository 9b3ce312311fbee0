/*
 * Which settings of git name something that runs later, or that decides what does?
 */
#ifndef SBX_POLICY_REPOSITORIES_GIT_KEYS_H
#define SBX_POLICY_REPOSITORIES_GIT_KEYS_H

/* What the value is. */
enum git_value {
	VALUE_INCLUDE,   /* another file of settings, relative to the one that names it */
	VALUE_DIRECTORY, /* of programs, relative to where git runs them */
	VALUE_LINE,      /* a command line for the shell */
	VALUE_BANG_LINE, /* the same behind a "!", else a word of git's own */
	VALUE_HELPER,    /* the same behind a "!", or from "/"; else the end of a name in PATH */
	VALUE_TOP,       /* where git runs all of these */
	VALUE_OWN_FILE,  /* a worktree has a file of settings of its own */
	VALUE_EXCLUDES,  /* a file of patterns: what is ignored */
	VALUE_FOLD,      /* letters in any case */
};

struct git_key {
	const char *section, *key; /* in lower case; a NULL key is every key */
	enum git_value value;
	const char *name; /* for people */
};

/* NULL: the setting names nothing of that kind. */
const struct git_key *git_key_find(const char *section, const char *key);

#endif
