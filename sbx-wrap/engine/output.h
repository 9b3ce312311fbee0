/*
 * How does what an engine reads get into files?
 */
#ifndef SBX_WRAP_ENGINE_OUTPUT_H
#define SBX_WRAP_ENGINE_OUTPUT_H

#include "base/error.h"

#include <jansson.h>

/* Makes the directory, which must not be there yet, and what exec has for it. */
int output_write(const char *directory, const json_t *exec, struct error *err);

#endif
