/*
 * What in the host's /tmp is kept from a command that has no other?
 *
 * What decides about later runs, what other programs listen on, and
 * repositories.  Ordinary temporaries are not: what a command has left there
 * for the next one looks the same as what others have.
 */
#ifndef SBX_TRUST_HOST_TMP_H
#define SBX_TRUST_HOST_TMP_H

#include <jansson.h>
#include <stdbool.h>

/*
 * The policy for a sandbox that has only the host's /tmp: what every writable
 * root keeps is kept there as well.  A new reference.
 */
json_t *tmp_shared(json_t *policy);

/* A directory of an open one has a socket in it, or cannot be looked through. */
bool has_socket(int directory, const char *name);

/* NULL-terminated; kept though missing, with the user's number behind each. */
extern const char *const tmp_socket_places[];

#endif
