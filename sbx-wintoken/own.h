/*
 * What is in the environment of this program itself?
 *
 * On Windows the C library has it in a code page that not every name survives;
 * here it is Unicode.
 */
#ifndef SBX_WINTOKEN_OWN_H
#define SBX_WINTOKEN_OWN_H

/* For os_vector_free(); NULL when the system does not tell. */
char **own_environment(void);

/* For free(); NULL when it is not set, or empty. */
char *own_variable(const char *name);

#endif
