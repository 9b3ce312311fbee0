/*
 * How are arguments written into the one line that a program of Windows gets?
 *
 * The reverse of CommandLineToArgvW() and of the C runtime's own reading,
 * which agree on what is made here.
 */
#ifndef SBX_WINTOKEN_SPELLING_QUOTE_H
#define SBX_WINTOKEN_SPELLING_QUOTE_H

#include "base/error.h"

/* What CreateProcess() takes, in UTF-16 units and without the NUL. */
#define QUOTE_MAX_UNITS 32766

char *quote_command(char *const *argv, struct error *err);

/*
 * The line that has cmd.exe run a batch file.  cmd.exe reads it with rules of
 * its own, under which some arguments cannot be written: those are refused.
 */
char *quote_batch(const char *cmd, const char *batch, char *const *arguments, struct error *err);

#endif
