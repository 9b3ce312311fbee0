/*
 * In which steps are many changes made?
 *
 * What is old goes first, children before their directory; then comes what is new, the
 * directory before its children; then modes and times, children first again.
 */
#ifndef SBX_LINUX_SANDBOX_APPLY_STEPS_H
#define SBX_LINUX_SANDBOX_APPLY_STEPS_H

#include "apply/step.h"
#include "changes/scan.h"

struct steps {
	struct step *items;
	size_t count, room;
};

/* Writes what is new into the stages, one for each root, and says what is to be done. */
int steps_plan(const struct state *state, const struct changes *changes, char *const *stages,
               struct steps *steps, struct error *err);

/* All of them, or none. */
int steps_do(const struct steps *steps, struct error *err);
enum undone steps_undo(const struct steps *steps);
void steps_free(struct steps *steps);

struct step *steps_add(struct steps *steps, struct step step);

#endif
