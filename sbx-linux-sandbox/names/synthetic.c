#include "names/synthetic.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS (4 * SYNTHETIC_MAX)
#define FIRST 2 /* the network's own number, and the machine's */

/* The networks of LOOPBACK_FOUR and LOOPBACK_SIX. */
static const uint8_t synthetic_four[4] = {198, 18};
const uint8_t synthetic_six[16] = {0xfd, 0x73, 0x62, 0x78};

/* 0.0.0.0: nobody's, and of the family that every client takes. */
const struct host_address unresolved = {.bytes = {[10] = 0xff, [11] = 0xff}};

bool is_unresolved(const struct host_address *real)
{
	return memcmp(real, &unresolved, sizeof(unresolved)) == 0;
}

void synthetics_begin(struct synthetics *all)
{
	/* Pages that nobody writes to cost nothing. */
	*all = (struct synthetics){.items = xcalloc(SYNTHETIC_MAX, sizeof(*all->items)),
	                           .slots = xcalloc(SLOTS, sizeof(*all->slots))};
}

static struct host_address address_at(size_t index, bool four)
{
	struct host_address address = {.bytes = {[10] = 0xff, [11] = 0xff}};
	size_t number = index + FIRST;

	if (four)
		memcpy(address.bytes + 12, synthetic_four, 4);
	else
		memcpy(address.bytes, synthetic_six, 16);
	for (size_t i = 15; number > 0; number >>= 8)
		address.bytes[i--] |= (uint8_t)(number & 0xff);
	return address;
}

bool is_synthetic(const struct host_address *inside)
{
	if (host_address_is_four(inside))
		return inside->bytes[12] == synthetic_four[0] &&
		       (inside->bytes[13] & 0xfe) == synthetic_four[1];
	return memcmp(inside->bytes, synthetic_six, 12) == 0;
}

static bool is_same(const struct synthetic *item, const char *name, const struct host_address *real)
{
	return strcmp(item->name, name) == 0 && memcmp(&item->real, real, sizeof(*real)) == 0;
}

static size_t *slot_of(const struct synthetics *all, const char *name,
                       const struct host_address *real)
{
	size_t i = (size_t)((hash_bytes(name, strlen(name)) ^
	                     hash_bytes((const char *)real, sizeof(*real))) %
	                    SLOTS);

	while (all->slots[i] && !is_same(&all->items[all->slots[i] - 1], name, real))
		i = (i + 1) % SLOTS;
	return &all->slots[i];
}

bool synthetic_of(struct synthetics *all, const char *name, const struct host_address *real,
                  struct host_address *inside)
{
	size_t *slot = slot_of(all, name, real);

	if (*slot == 0) {
		if (all->count == SYNTHETIC_MAX)
			return false;
		all->items[all->count] = (struct synthetic){.name = xstrdup(name), .real = *real};
		*slot = ++all->count;
	}
	*inside = address_at(*slot - 1, host_address_is_four(real));
	return true;
}

const struct synthetic *synthetic_find(const struct synthetics *all,
                                       const struct host_address *inside)
{
	bool four = host_address_is_four(inside);
	size_t number = 0;
	struct host_address again;

	if (!is_synthetic(inside))
		return NULL;
	for (size_t i = four ? 13 : 12; i < 16; i++)
		number = number << 8 | (four && i == 13 ? inside->bytes[i] & 1U : inside->bytes[i]);
	if (number < FIRST || number - FIRST >= all->count)
		return NULL;
	/* Of the other family, or a number that only looks like one of ours. */
	again = address_at(number - FIRST, host_address_is_four(&all->items[number - FIRST].real));
	return memcmp(&again, inside, sizeof(again)) == 0 ? &all->items[number - FIRST] : NULL;
}
