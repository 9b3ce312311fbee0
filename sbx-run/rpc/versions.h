/*
 * Which version of the protocol is spoken?
 *
 * Up to 2025-11-25 a handshake agrees on one for the connection; from 2026-07-28
 * on each request names its own, and there is no handshake.
 */
#ifndef SBX_RUN_RPC_VERSIONS_H
#define SBX_RUN_RPC_VERSIONS_H

#include <jansson.h>
#include <stdbool.h>

enum version {
	VERSION_NONE,
	VERSION_2024_11,
	VERSION_2025_03, /* batches, and in this version only; hints about tools */
	VERSION_2025_06, /* structured results, elicitation */
	VERSION_2025_11, /* wrong arguments are a result */
	VERSION_2026_07, /* each request by itself */
};

const char *version_name(enum version version);

/* What a handshake agrees on: what was wanted, or the newest that has handshakes. */
enum version version_agreed(const char *wanted);

/* The one that a request names for itself, or VERSION_NONE. */
enum version version_named(const char *name);

/* Those that requests can name, as a list. */
json_t *versions_named(void);

#endif
