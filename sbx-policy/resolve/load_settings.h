/*
 * What do the files, the profile and the flags say together?
 */
#ifndef SBX_POLICY_RESOLVE_LOAD_SETTINGS_H
#define SBX_POLICY_RESOLVE_LOAD_SETTINGS_H

#include "config/command_line.h"
#include "git/repository.h"

/* All that is known before any root is looked at. */
struct loaded {
	char *workspace; /* canonical; NULL: there is no such directory */
	struct repository repository;
	struct config config; /* all layers, merged */
	struct settings settings;
};

/* Fills loaded (zeroed), which is to be freed also after a failure. */
int settings_load(struct loaded *loaded, const struct request *request, struct notes *notes,
                  struct error *err);
void loaded_free(struct loaded *loaded);

#endif
