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

/* Why it is, or what it holds is, sensitive to be changed: to be freed, or NULL. */
char *sensitive_to_change(const char *path);

/* Why what is kept below it, there or not, is sensitive; NULL when it is not. */
const char *sensitive_inside(const char *directory);

/*
 * Which sockets give away more than a connection?
 */

/* Why it is more than usually sensitive that this socket can be connected to, or NULL. */
const char *sensitive_socket(const char *path);

#endif
