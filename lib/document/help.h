/*
 * What does --help say?
 */
#ifndef SBX_DOCUMENT_HELP_H
#define SBX_DOCUMENT_HELP_H

#include "document/program.h"

/* On standard output, in 80 columns; `standard` is what every program has. */
void help_print(const struct program *program, const struct option *standard);

#endif
