/*
 * What can an engine not hold, and did somebody agree to that?
 *
 * What the policy asks for and the engine cannot give needs consent: an approval
 * of a run without a sandbox, or its name in sbx.accept_lost.  The rest is what
 * sbx does around a run, and an engine does not.
 */
#ifndef SBX_ENGINE_ENGINE_LOST_H
#define SBX_ENGINE_ENGINE_LOST_H

#include "base/error.h"
#include "document/document.h"
#include "engine/places.h"
#include "policy/permissions.h"

#include <jansson.h>

struct engine_asked {
	const char *platform;
	const json_t *policy;
	const struct permissions *permissions;
	const struct places *places;
	json_int_t timeout_ms;
};

/* sandbox.lost: a new list. */
json_t *engine_lost(const struct engine_asked *asked);

/*
 * 0, or EXIT_UNAVAILABLE: the list has something that needs consent and has none,
 * or that nobody here knows.
 */
int engine_lost_check(const json_t *doc, const json_t *list, struct error *err);

/* What no consent makes possible on an engine. */
int engine_fits(const struct engine_asked *asked, struct error *err);

#endif
