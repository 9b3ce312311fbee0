/*
 * Which system calls does an engine refuse?  The rules of the Linux helper, in
 * the form of an OCI bundle; made by the build.
 */
#ifndef SBX_WRAP_ENGINE_FILTER_H
#define SBX_WRAP_ENGINE_FILTER_H

#include <jansson.h>
#include <stdbool.h>

#define ENGINE_FILTERS 8
extern const char *const engine_filters[ENGINE_FILTERS];

/* root: the user outside has the number 0; debug: processes inside may trace each other. */
json_t *engine_filter(bool network, bool root, bool debug);

#endif
