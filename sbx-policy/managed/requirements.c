#include "managed/requirements.h"

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

/* A mode is the built-in set of its name: whoever lists sets allows nothing besides them. */
static int require_profile(struct settings *settings, struct notes *notes, struct error *err)
{
	static const char *const built_in[] = {[MODE_READ_ONLY] = ":read-only",
	                                       [MODE_WORKSPACE_WRITE] = ":workspace",
	                                       [MODE_DANGER] = ":danger-full-access",
	                                       [MODE_EXTERNAL] = ":external-sandbox"};
	struct setting *mode = &settings->mode;
	const char *name = settings->set.name ? settings->set.name : built_in[mode->value];
	const json_t *allowed =
	        config_get(settings->config, NULL, "requirements", "allowed_permission_profiles");
	const json_t *word = json_object_get(allowed, name);

	if (!allowed || json_is_true(word))
		return 0;
	if (!settings->set.name && mode->layer == LAYER_DEFAULT &&
	    json_is_true(json_object_get(allowed, built_in[MODE_READ_ONLY]))) {
		notes_add(notes,
		          "sandbox_mode: \"%s\" is not among the allowed_permission_profiles; "
		          "using \"read-only\"",
		          mode_names[mode->value]);
		mode->value = MODE_READ_ONLY;
		return 0;
	}
	return error_set(
	        err, EXIT_INPUT, "not-allowed",
	        "permissions \"%s\" (%s): not among the allowed_permission_profiles of the "
	        "administrator; choose one of them with -P or default_permissions",
	        name, settings->set.name ? settings->set.source : mode->source);
}

/* Nothing would hold it. */
static int require_sandbox(const struct settings *settings, struct error *err)
{
	static const char *const held[] = {"deny_read", "allowed_hosts", "denied_hosts", NULL};
	const char *const *key = held;
	struct from from;

	while (*key && !config_get(settings->config, &from, "requirements", *key))
		key++;
	if (!*key || mode_width(settings->mode.value) <= mode_width(MODE_WORKSPACE_WRITE))
		return 0;
	return error_set(err, EXIT_INPUT, "not-allowed",
	                 "sandbox_mode \"%s\" (%s): %s of %s needs a sandbox",
	                 mode_names[settings->mode.value], settings->mode.source, *key,
	                 from.source);
}

int settings_require(struct settings *settings, struct notes *notes, struct error *err)
{
	if (require_profile(settings, notes, err) < 0 || require_sandbox(settings, err) < 0)
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
