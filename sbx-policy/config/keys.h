/*
 * Which configuration keys are there, what may each of them be, and in which
 * files does it count?
 */
#ifndef SBX_POLICY_CONFIG_KEYS_H
#define SBX_POLICY_CONFIG_KEYS_H

#include "base/complain.h"
#include "base/error.h"
#include "config/config.h"
#include "toml/toml.h"

/* A layer as it was read. */
struct layer_text {
	enum layer layer;
	const char *name;                     /* the file, or "flag -c KEY" */
	const struct toml_document *document; /* to find places in; NULL: a flag */
};

/*
 * Checks a table and takes over what is known and allowed in this layer.  A
 * wrong value is an error; what is unknown or not for this layer is noted and
 * left out, so that it can change nothing.
 */
int keys_take(const struct layer_text *layer, json_t *table, struct config *out,
              struct notes *notes, struct error *err);

#endif
