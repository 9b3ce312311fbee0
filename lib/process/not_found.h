/*
 * Why was there nothing to execute, for the person who typed it?
 */
#ifndef SBX_PROCESS_NOT_FOUND_H
#define SBX_PROCESS_NOT_FOUND_H

#include <stdbool.h>

/* By the error of search_execute(): there was nothing, so the status is 127. */
bool not_found(int number);

/*
 * What to say of it, and what was meant where that can be told.  To be freed;
 * not yet cleaned.  No file is looked at: the command may not see what we see.
 */
char *not_found_words(const char *program, int number);

#endif
