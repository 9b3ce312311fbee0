/*
 * May it be changed, and who does it: the kernel by itself, or the broker?
 */
#ifndef SBX_BROKER_ALLOWED_H
#define SBX_BROKER_ALLOWED_H

#include "broker/broker.h"

enum change {
	CHANGE_CONTENT, /* of the file itself: what is in it, mode, times, attributes */
	CHANGE_NAME,    /* the name comes to be, or goes, or means another file */
};

/* By the policy; CHANGE_NAME does not say whether something is in its way, see is_pinned(). */
bool is_allowed(struct broker *broker, const struct place *place, enum change change);

/* By Landlock, so that the call can go on. */
bool is_granted(const struct broker *broker, const struct place *place, enum change change);

bool may_read(struct broker *broker, const struct place *place);
bool reads_by_itself(const struct broker *broker, const struct place *place);

/* The policy names it or something below it: it stays where it is, as a mount point would. */
bool is_pinned(const struct broker *broker, const struct place *place);

#endif
