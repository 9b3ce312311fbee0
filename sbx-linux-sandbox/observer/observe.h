/*
 * What does the kernel ask about the command's calls, and who answers?
 *
 * The observer, a thread of the outer stage.
 *
 * It explains and does not enforce: calls on files go on, and the mounts and
 * Landlock decide, unless it is also the broker (broker/broker.h).  What the filter refuses it
 * refuses too, by the same table and by default; and it connects sockets itself (connect_for.h says
 * why).  When it is gone, every such call fails.
 */
#ifndef SBX_LINUX_SANDBOX_OBSERVER_OBSERVE_H
#define SBX_LINUX_SANDBOX_OBSERVER_OBSERVE_H

#include "base/error.h"
#include "observer/observation.h"

/* Takes the listener; runs until the program ends. */
int observe_begin(const struct observation *observation, int listener, struct error *err);

#endif
