/*
 * The project's own configuration: attacker-controlled text, read only where
 * a person trusts the project.
 */
#ifndef SBX_POLICY_PROJECT_H
#define SBX_POLICY_PROJECT_H

#include "config.h"
#include "error.h"
#include "notes.h"
#include "repository.h"

/* The nearest `.codex/config.toml` from the workspace up to the repository's root. */
int project_read(struct config *config, const struct trust *trust,
                 const struct repository *repository, const char *workspace, const char *home,
                 struct notes *notes, struct error *err);

#endif
