/*
 * What does Landlock itself give, where the broker grants the rest?
 *
 * Landlock only adds rights below a directory.  A directory that contains
 * something with fewer rights therefore gets no more than that something has:
 * no right to write where something below is protected, and none to read where
 * something below is hidden.  What is missing then the broker does.
 */
#ifndef SBX_BROKER_GROUND_H
#define SBX_BROKER_GROUND_H

#include "policy/permissions.h"

/*
 * ground holds the same kind of entries: "none" is what the kernel refuses,
 * and what the policy nevertheless gives is the broker's to do.
 */
void ground_find(const struct permissions *permissions, struct permissions *ground);

#endif
