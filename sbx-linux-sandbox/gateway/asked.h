/*
 * Which hosts is somebody asked about, and what was said?
 *
 * Each host and port once in a run: what is decided becomes a rule of the list.
 */
#ifndef SBX_LINUX_SANDBOX_GATEWAY_ASKED_H
#define SBX_LINUX_SANDBOX_GATEWAY_ASKED_H

#include "gateway/tell.h"
#include "hosts/hosts.h"

#define ASKED_OPEN  16   /* at a time; nobody answers more */
#define ASKED_MAX   64   /* in a run */
#define ASKED_NAMES 1024 /* in all, of which unknown ones may be a part */

struct asked {
	bool can;   /* there is somebody */
	bool hold;  /* the command stands still meanwhile, so nobody of it may be answered */
	bool still; /* it does, or is about to */
	struct hosts *hosts;
	struct tell *tell;
	size_t total, open;
	struct gateway_word waiting[ASKED_OPEN];
};

/* Whether one more name can be asked about, beside so many that have an address. */
bool asked_can(const struct asked *asked, size_t names);

/* Asks, unless it is asked already; false: it cannot be. */
bool asked_about(struct asked *asked, const char *host, unsigned port, const char *program);

/* Adds it to the list, as allowed or as denied; false: nobody has asked. */
bool asked_decided(struct asked *asked, const char *host, unsigned port, bool allowed);

#endif
