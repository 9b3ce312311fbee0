/*
 * What do the layers of configuration say, merged into one tree?
 *
 * Each value has the layer and the place that it came from.
 */
#ifndef SBX_POLICY_CONFIG_CONFIG_H
#define SBX_POLICY_CONFIG_CONFIG_H

#include "config/settings.h"

#include <jansson.h>

/*
 * `values` holds checked values only.  `origins` has the same tables, and
 * [layer, "file:line"] where `values` has anything else.
 */
struct config {
	json_t *values;
	json_t *origins;
};

/* Where a value came from. */
struct from {
	enum layer layer;
	const char *source;
};

void config_begin(struct config *config);
void config_free(struct config *config);

/* Tables merge; everything else replaces. */
void config_merge(struct config *into, const struct config *layer);

/* The same with one key of the layer alone. */
void config_merge_key(struct config *into, const struct config *layer, const char *key);

/* The same with the table `name` of `table` of another configuration. */
bool config_merge_table(struct config *into, const struct config *from, const char *table,
                        const char *name, enum layer layer);

/* The value at a NULL-terminated path of keys, or NULL; from may be NULL. */
const json_t *config_find(const struct config *config, const char *const *path, struct from *from);

/* config_find() with the keys as arguments. */
#define config_get(config, from, ...)                                                              \
	config_find(config, (const char *const[]){__VA_ARGS__, NULL}, from)

/* The origin of a value. */
json_t *config_origin(enum layer layer, const char *source);
struct from config_from(const json_t *origin);

#endif
