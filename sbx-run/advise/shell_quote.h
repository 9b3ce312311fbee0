/*
 * How is a path written so that it can be pasted?
 */
#ifndef SBX_RUN_ADVISE_SHELL_QUOTE_H
#define SBX_RUN_ADVISE_SHELL_QUOTE_H

/*
 * A word for a shell, in characters that any terminal shows as they are: what
 * is not text is written as $'\xNN', which bash, zsh and ksh read.
 */
char *quote_shell(const char *word);

/* A string of TOML; NULL when the word is not UTF-8, which TOML cannot say. */
char *quote_toml(const char *word);

/* A key of TOML, bare where it can be; NULL as above. */
char *quote_key(const char *word);

#endif
