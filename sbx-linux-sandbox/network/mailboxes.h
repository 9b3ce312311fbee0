/*
 * How do processes of the sandbox send datagrams to each other?
 *
 * A unix datagram socket could name a receiver outside, in a message that no
 * filter sees.  Whoever asks for one gets half of a pair of the type
 * SOCK_SEQPACKET instead, to which the kernel takes no address: a mailbox.  It
 * can be bound to a file as usual, and what arrives is what the observer, which
 * has the other half, puts there.  A message goes to a mailbox of this run or
 * to nobody.
 */
#ifndef SBX_LINUX_SANDBOX_NETWORK_MAILBOXES_H
#define SBX_LINUX_SANDBOX_NETWORK_MAILBOXES_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <sys/stat.h>

/* The call is socket(AF_UNIX, SOCK_DGRAM). */
bool asks_for_mailbox(const struct seccomp_notif *request);

/* As the answer to it; 0, or the errno that is left to be answered. */
int mailbox_give(int listener, const struct seccomp_notif *request);

/* No file is one yet. */
bool mailbox_any(void);

/* The socket is one that was given, or writes to one. */
bool is_mailbox(int fd);

/* What writes to the one that is bound to the file; -1: none of ours is. */
int mailbox_at(const struct stat *file);

#endif
