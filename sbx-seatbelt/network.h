/*
 * Which rules about the network, and about sockets in the file system, does a
 * profile have?
 */
#ifndef SBX_SEATBELT_NETWORK_H
#define SBX_SEATBELT_NETWORK_H

#include "policy/permissions.h"
#include "profile.h"

void network_write(const struct permissions *permissions, struct profile *profile);

/* Their parameters come last on the command line. */
void network_write_sockets(const struct permissions *permissions, struct profile *profile);

#endif
