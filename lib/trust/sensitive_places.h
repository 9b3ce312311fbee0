/*
 * Which places does nobody open by accident?
 *
 * Protected names, keys and credentials, and files that run later with the
 * user's own rights.  A grant may name them; whoever is asked has to be told.
 */
#ifndef SBX_TRUST_SENSITIVE_PLACES_H
#define SBX_TRUST_SENSITIVE_PLACES_H

#include <stdbool.h>
#include <stddef.h>

/* What every writable root keeps read-only, there or not; ends with NULL. */
extern const char *const protected_names[];

/* The path is one of these, or lies in one. */
bool inside_protected_name(const char *path);

/* Why it is sensitive that this normal path can be changed or read, or NULL. */
const char *sensitive_path(const char *path);

/*
 * The i-th such place below a home directory, from there; NULL at the end.  ~/bin
 * is not among them: in a home directory that is a project as well, it is where
 * programs are built.
 */
const char *sensitive_in_home(size_t i);

/*
 * The i-th sensitive place that exists below a directory, to be freed; NULL at
 * the end.  Protected names are not among them: no grant of a directory opens
 * those.
 */
char *sensitive_below(const char *directory, unsigned i);

/*
 * What decides about the next run: the programs of sbx, the user's
 * configuration, the session.  The i-th such directory, as named or canonical,
 * to be freed; NULL where there is none, for all i below OWN_PLACES.
 */
#define OWN_PLACES 6
char *own_place(unsigned i);

/*
 * The path is one of these, or in a user's place for private directories
 * (slash_tmp.h), or lies in one: nothing ever opens it.
 */
bool inside_own_place(const char *path);

/* Why it is more than usually sensitive that this socket can be connected to, or NULL. */
const char *sensitive_socket(const char *path);

#endif
