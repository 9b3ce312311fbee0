/*
 * How does an opened file get to whoever asked for it?
 */
#ifndef SBX_BROKER_GIVE_H
#define SBX_BROKER_GIVE_H

#include "broker/broker.h"

/* As the answer to the call. */
struct reply give(const struct asked *asked, int fd, int flags);

/*
 * The pinned file, which it takes, is opened once that can be done: by a
 * thread of its own, while others are served.
 */
struct reply give_later(const struct asked *asked, int pinned, int flags);

#endif
