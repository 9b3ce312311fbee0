/*
 * May configuration be read from a place that a variable names?
 *
 * A variable is nobody's decision (trusted_place.h): what it says to read must be
 * as safe as what it replaces.
 */
#ifndef SBX_TRUST_BELIEVED_PLACE_H
#define SBX_TRUST_BELIEVED_PLACE_H

#include "base/error.h"

/*
 * It, or what exists of the way to it, belongs to this user or root, nobody else
 * can change it, and it is not in /tmp.  -1 with err, in which `what` is the
 * variable.
 */
int place_believed(const char *what, const char *path, struct error *err);

#endif
