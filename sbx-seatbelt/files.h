/*
 * Which rules about files does a profile have?
 *
 * What can be read, what can be written, and what keeps a protected path where
 * it is.
 */
#ifndef SBX_SEATBELT_FILES_H
#define SBX_SEATBELT_FILES_H

#include "policy/permissions.h"
#include "profile.h"

#include <stdbool.h>

/* Everything can be read: then no rule needs to name a place. */
bool files_full_read(const struct permissions *permissions);

void files_write_read(const struct permissions *permissions, struct profile *profile);

/* With `repositories`, a ".git" at any depth of a root is read-only. */
void files_write_roots(const struct permissions *permissions, bool repositories,
                       struct profile *profile);

/* After every rule that allows: "none" also beats what the system is made of. */
void files_write_hidden(const struct permissions *permissions, struct profile *profile);

/* Last of all: roots, and the directories above protected paths, stay. */
void files_write_pins(const struct permissions *permissions, struct profile *profile);

#endif
