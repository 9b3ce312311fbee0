/*
 * Which name and which real address does an address inside stand for?
 *
 * One for each name and address, so that a client's own way of trying one
 * after the other works; and for good, because clients remember.
 */
#ifndef SBX_LINUX_SANDBOX_NAMES_SYNTHETIC_H
#define SBX_LINUX_SANDBOX_NAMES_SYNTHETIC_H

#include "hosts/host_rule.h"

/* All of it is this machine, inside. */
extern const uint8_t synthetic_six[16];
#define SYNTHETIC_SIX_BITS 96

/*
 * As many as the network of IPv4 has, without its own, the machine's and the last: a
 * name may lead elsewhere each time it is looked up, for days.  Later ones are refused.
 */
#define SYNTHETIC_MAX 131068

struct synthetic {
	char *name; /* "": the address itself was asked for */
	struct host_address real;
};

/* In the place of a real address: the name is not known outside before somebody allows it. */
extern const struct host_address unresolved;
bool is_unresolved(const struct host_address *real);

struct synthetics {
	struct synthetic *items;
	size_t count;
	size_t *slots; /* by hash of name and address; 0: free */
};

void synthetics_begin(struct synthetics *all);

/* False when there are too many. */
bool synthetic_of(struct synthetics *all, const char *name, const struct host_address *real,
                  struct host_address *inside);

/* Whether it is of the range at all. */
bool is_synthetic(const struct host_address *inside);

/* NULL: nobody was given it. */
const struct synthetic *synthetic_find(const struct synthetics *all,
                                       const struct host_address *inside);

#endif
