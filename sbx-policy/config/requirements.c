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

		/* on-failure is an older word for what on-request asks. */
		if (index == setting->value ||
		    (words == approval_names && setting->value == ASK_ON_FAILURE &&
		     index == ASK_ON_REQUEST))
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

/* A set has to be among the allowed ones; a mode must not be among the others. */
static int require_profile(const struct settings *settings, struct error *err)
{
	static const char *const built_in[] = {[MODE_READ_ONLY] = ":read-only",
	                                       [MODE_WORKSPACE_WRITE] = ":workspace",
	                                       [MODE_DANGER] = ":danger-full-access",
	                                       [MODE_EXTERNAL] = ":external-sandbox"};
	const struct config *config = settings->config;
	const char *name = settings->set.name ? settings->set.name : built_in[settings->mode.value];
	const char *source = settings->set.name ? settings->set.source : settings->mode.source;
	bool named = settings->set.name || settings->mode.built_in;
	const json_t *allowed =
	        config_get(config, NULL, "requirements", "allowed_permission_profiles");
	const json_t *word = json_object_get(allowed, name);

	if (!allowed || json_is_true(word) || (!word && !named))
		return 0;
	return error_set(
	        err, EXIT_INPUT, "not-allowed",
	        "permissions \"%s\" (%s): not among the allowed_permission_profiles of the "
	        "administrator",
	        name, source);
}

/* Nothing would hide it. */
static int require_sandbox(const struct settings *settings, struct error *err)
{
	struct from from;

	if (!config_get(settings->config, &from, "requirements", "deny_read") ||
	    mode_width(settings->mode.value) <= mode_width(MODE_WORKSPACE_WRITE))
		return 0;
	return error_set(err, EXIT_INPUT, "not-allowed",
	                 "sandbox_mode \"%s\" (%s): deny_read of %s needs a sandbox",
	                 mode_names[settings->mode.value], settings->mode.source, from.source);
}

int settings_require(struct settings *settings, struct notes *notes, struct error *err)
{
	if (require_profile(settings, err) < 0 || require_sandbox(settings, err) < 0)
		return -1;
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
