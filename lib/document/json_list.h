/*
 * Does a list of JSON have this already?
 */
#ifndef SBX_DOCUMENT_JSON_LIST_H
#define SBX_DOCUMENT_JSON_LIST_H

#include <jansson.h>
#include <stdbool.h>

/* False where there is no list, or nothing to look for. */
bool json_list_has(const json_t *list, const json_t *value);
bool json_list_has_text(const json_t *list, const char *text);

/* Each text once. */
void json_list_add_text(json_t *list, const char *text);

#endif
