/*
 * Which document of an engine runs the command under the policy?
 *
 * oci: exec.bundle; kubernetes: exec.manifests and exec.seccomp; systemd:
 * exec.unit.  exec.argv starts it, once it is written to --output.
 */
#ifndef SBX_WRAP_ENGINE_ENGINE_H
#define SBX_WRAP_ENGINE_ENGINE_H

#include "base/error.h"
#include "engine/places.h"
#include "wrap.h"

#include <jansson.h>

struct engine_run {
	const struct wrap *wrap;
	const struct places *places;
	char *const *env; /* of the command */
	char name[32];    /* of the container, pod or unit */
};

/* exec, a new reference; written to --output as well. */
json_t *engine_exec(const json_t *doc, const struct wrap *wrap, char *const *env,
                    struct error *err);

/* A string of JSON, or NULL: these documents have no form for other bytes than UTF-8. */
json_t *engine_text(const char *bytes, const char *what, struct error *err);
json_t *engine_texts(char *const *vector, const char *what, struct error *err);

/* The network that the command gets where its own loopback is nobody else's. */
bool engine_has_internet(const struct engine_run *run);
bool engine_is_debugged(const struct engine_run *run);

/* What each makes of it: members of exec.  NULL with err. */
json_t *oci_members(struct engine_run *run, struct error *err);
json_t *kubernetes_members(struct engine_run *run, struct error *err);
json_t *systemd_members(struct engine_run *run, struct error *err);

/* Sets run->name from what it runs. */
void engine_name(struct engine_run *run, const json_t *content);

#endif
