/*
 * By which variables can a command tell where it runs?
 */
#ifndef SBX_WRAP_MARKERS_H
#define SBX_WRAP_MARKERS_H

#include "wrap.h"

/* Sets the markers that are true, and removes those that are not. */
void markers_apply(char ***env, const struct wrap *wrap);

#endif
