/*
 * What has changed, for a person?
 */
#ifndef SBX_RUN_PREVIEW_SHOW_CHANGES_H
#define SBX_RUN_PREVIEW_SHOW_CHANGES_H

#include <jansson.h>
#include <stddef.h>

/*
 * A line for each, relative to the directory if they are in it; `most`: then how many more.
 * What is warned of is never left out for what is not, nor for another kind of it.
 */
void show_changes(const json_t *changes, const char *directory, size_t most, int fd);

/* "3 changes (1 added, 1 changed, 1 deleted)", to be freed. */
char *count_changes(const json_t *changes);
#endif
