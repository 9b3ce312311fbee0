/*
 * Where does a session listen?
 */
#ifndef SBX_APPROVE_SESSION_LISTENING_PLACE_H
#define SBX_APPROVE_SESSION_LISTENING_PLACE_H

#include "base/error.h"
#include "base/strings.h"

/* Directories of sessions begin like this; the socket in them is "s". */
#define SESSION_DIRECTORY "sbx-session."

/* Where one can be, the best first. */
void listening_places(struct strings *places);

/* In a process that took a listener over: the one that clients see there. */
int session_listen_again(int listener, struct error *err);

/*
 * A socket in a new directory that only this user can enter, where no sandbox
 * can write if there is such a place.  *path and *directory are to be freed.
 */
int session_listen(char **path, char **directory, struct error *err);
void listening_place_remove(const char *path, const char *directory);

#endif
