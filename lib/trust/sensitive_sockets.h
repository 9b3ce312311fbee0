/*
 * Which sockets give away more than a connection?
 */
#ifndef SBX_TRUST_SENSITIVE_SOCKETS_H
#define SBX_TRUST_SENSITIVE_SOCKETS_H

/* Why it is more than usually sensitive that this socket can be connected to, or NULL. */
const char *sensitive_socket(const char *path);

#endif
