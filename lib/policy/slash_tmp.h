/*
 * What is /tmp inside: the host's, or one of the workspace's own?
 *
 * The host's holds the sockets of agents, terminals and displays, and the
 * temporaries of whatever else the user runs.  So where a policy makes /tmp
 * writable, inside it is a private directory, unless somebody asked for the
 * host's.  The private ones lie in the place of this user in the host's /tmp.
 */
#ifndef SBX_POLICY_SLASH_TMP_H
#define SBX_POLICY_SLASH_TMP_H

#include "policy/permissions.h"

#include <jansson.h>
#include <stdbool.h>

/* /tmp, canonical; NULL when it is no directory, or the whole file system. */
char *slash_tmp(void);

/* A resolved policy asks for a private one. */
bool tmp_is_private(const json_t *policy);

/* What a path means is in the private /tmp: nothing that is more specific decides. */
bool tmp_decides(const struct permissions *permissions, const char *tmp, const char *path);

/* The same where the sandbox cannot give one, and the surroundings do not, either. */
bool tmp_is_lost(const json_t *policy);

/* This user's place for private directories, by its usual name; or NULL. */
char *tmp_place(void);

/* The name of one in the host's /tmp: the usual one, or the one that a squatter left. */
bool is_tmp_place(const char *name);

/* A canonical path is such a place, or lies in one. */
bool inside_tmp_place(const char *path);

#endif
