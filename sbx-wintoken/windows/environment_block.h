/*
 * How does an environment become the block of the API?
 */
#ifndef SBX_WINTOKEN_ENVIRONMENT_BLOCK_H
#define SBX_WINTOKEN_ENVIRONMENT_BLOCK_H

#include "windows/system.h"

/* This process's own, for os_vector_free(). */
char **block_read(struct error *err);

/* Sorted and with two zeros at the end, for free(). */
WCHAR *block_make(char **env, struct error *err);

#endif
