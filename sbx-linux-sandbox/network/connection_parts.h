/*
 * What do connecting and sending on the command's behalf have in common?
 */
#ifndef SBX_LINUX_SANDBOX_NETWORK_CONNECTION_PARTS_H
#define SBX_LINUX_SANDBOX_NETWORK_CONNECTION_PARTS_H

#include <stdbool.h>
#include <sys/stat.h>

struct connection;

/* What we hold was the caller's, and not that of a later process with its number. */
bool connection_waits(const struct connection *connection);

/* Copies it, by the numbers of two arguments: 0, or the errno that the kernel would have. */
int connection_address(struct connection *connection, int address, int length);

/* The socket file as the command sees it: past its mounts and its links. */
int connection_file(struct connection *connection);

/* What writes to a mailbox of the command's; -1, and the errno in *error. */
int connection_mailbox(struct connection *connection, const struct stat *file, int *error);

#endif
