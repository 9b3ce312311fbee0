#include "config/requirements.h"

#include "config/config.h"
#include "policy/words.h"

/* Modes and policies are in the order of caution; the first allowed one is the safest. */
static int require_word(struct setting *setting, const char *const *words, const char *key,
                        const char *restricts, const struct config *config, struct notes *notes,
                        struct error *err)
{
	struct from from;
	const json_t *allowed = config_get(config, &from, "requirements", restricts);
	int fallback = -1;

	if (!allowed)
		return 0;
	for (size_t i = 0; i < json_array_size(allowed); i++) {
		int index = word_index(words, json_string_value(json_array_get(allowed, i)));

		if (index == setting->value)
			return 0;
		if (fallback < 0 || index < fallback)
			fallback = index;
	}
	if (fallback < 0)
		return error_set(err, EXIT_INPUT, "not-allowed",
		                 "%s: %s: the list is empty, so nothing is allowed", from.source,
		                 restricts);
	if (setting->layer != LAYER_DEFAULT)
		return error_set(err, EXIT_INPUT, "not-allowed",
		                 "%s \"%s\" (%s): not among the %s of %s", key,
		                 words[setting->value], setting->source, restricts, from.source);
	notes_add(notes, "%s: \"%s\" is not allowed by %s; using \"%s\"", key,
	          words[setting->value], from.source, words[fallback]);
	*setting =
	        (struct setting){.value = fallback, .layer = LAYER_MANAGED, .source = from.source};
	return 0;
}

int settings_require(struct settings *settings, struct notes *notes, struct error *err)
{
	if (require_word(&settings->mode, mode_names, "sandbox_mode", "allowed_sandbox_modes",
	                 settings->config, notes, err) < 0)
		return -1;
	return require_word(&settings->approval, approval_names, "approval_policy",
	                    "allowed_approval_policies", settings->config, notes, err);
}

int settings_require_set(const struct settings *settings, const struct permissions *permissions,
                         struct notes *notes, struct error *err)
{
	struct setting everything = {
	        .value = MODE_DANGER, .layer = settings->set.layer, .source = settings->set.source};

	if (!settings->set.name || permissions_resolve(permissions, "/", NULL) != ACCESS_WRITE)
		return 0;
	return require_word(&everything, mode_names, "sandbox_mode", "allowed_sandbox_modes",
	                    settings->config, notes, err);
}
