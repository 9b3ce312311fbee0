/*
 * Which keys of a configuration are ours, what do they hold, and where do they count?
 */
#ifndef SBX_POLICY_CONFIG_KNOWN_KEYS_H
#define SBX_POLICY_CONFIG_KNOWN_KEYS_H

#include <stddef.h>

enum type {
	WORD,    /* one of `words` */
	TRUTH,   /* true or false */
	TEXT,    /* a string */
	NAME,    /* a string; a table of that name is another key, spelled wrong */
	TEXTS,   /* a list of strings */
	WORDS,   /* a list of `words` */
	PATHS,   /* a list of absolute paths */
	ROOTS,   /* a list of paths, maybe relative to the workspace */
	HOSTS,   /* a list of hosts */
	TABLE,   /* what is in it is judged where it is used */
	NETWORK, /* a word, or a table */
	ASKING,  /* an approval policy: a word, or {granular = {CLASS = true or false}} */
	FILTERS, /* patterns of names, each to include or exclude */
	FEATURE, /* true or false, or a table of its own */
	LIMIT,   /* how much of what the last word of the key names */
};

/* Which layers a key counts in. */
enum where {
	USER = 1,    /* the user's file, -c, a profile file of the user's */
	PROJECT = 2, /* attacker-controlled text, although a person trusts it */
	MANAGED = 4,
	ANY = USER | PROJECT | MANAGED,
};

/* "*" is any key. */
struct key {
	const char *path;
	enum type type;
	const char *const *words;
	enum where where;
};

extern const struct key known_keys[];
extern const size_t known_key_count;

#endif
