/*
 * How is a path in the home directory written for a person?
 */
#ifndef SBX_FS_HOME_SIGN_H
#define SBX_FS_HOME_SIGN_H

/* The path, with "~" for the home directory. */
char *home_sign_path(const char *path);

/* The same of every word of a line that a shell reads; quoted ones stay readable to it. */
char *home_sign_words(const char *line);

#endif
