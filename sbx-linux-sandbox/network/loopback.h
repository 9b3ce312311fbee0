/*
 * Which addresses has a private loopback, besides 127.0.0.1 and ::1?
 *
 * getaddrinfo() with AI_ADDRCONFIG, which most programs use, finds nothing, not
 * even localhost, on a machine that has only those two.  So lo gets an address
 * of the range for measurements (RFC 2544), which is nobody's in the internet,
 * and a unique local one (RFC 4193) of the same kind.
 */
#ifndef SBX_LINUX_SANDBOX_NETWORK_LOOPBACK_H
#define SBX_LINUX_SANDBOX_NETWORK_LOOPBACK_H

#define LOOPBACK_FOUR      "198.18.0.1"
#define LOOPBACK_FOUR_BITS 15
#define LOOPBACK_SIX       "fd73:6278::1"
#define LOOPBACK_SIX_BITS  64

/*
 * In a network namespace of the sandbox's own, with the rights of its owner.
 * Without IPv6, and where it is not permitted, there are fewer addresses and
 * nothing else is different.
 */
void loopback_addresses(void);

#endif
