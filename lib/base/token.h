/*
 * What does nobody guess?
 */
#ifndef SBX_BASE_TOKEN_H
#define SBX_BASE_TOKEN_H

#include <stdbool.h>

#define TOKEN_SIZE 33 /* with its end */

/* Digits and letters a to f; false: the kernel gives none. */
bool token_make(char token[TOKEN_SIZE]);

#endif
