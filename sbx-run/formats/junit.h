/*
 * How do tools that read JUnit's XML see a run and its denials?
 */
#ifndef SBX_RUN_FORMATS_JUNIT_H
#define SBX_RUN_FORMATS_JUNIT_H

#include <jansson.h>

/* One suite: the command is a case, and so is each denial; to be freed. NULL with errno. */
char *junit_text(const json_t *doc);

#endif
