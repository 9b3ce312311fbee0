#include "config/environment_modes.h"

#include "base/cleanup.h"
#include "policy/words.h"

#include <stdlib.h>
#include <string.h>

#define MODE   "SBX_SANDBOX_MODE"
#define ASKING "SBX_APPROVAL"

/* The index of its value; -1: it is not set, -2 with err. */
static int value_of(const char *name, const char *const *words, struct error *err)
{
	const char *value = getenv(name);
	cleanup_free char *expected = words_joined(words);
	int index = value && value[0] ? word_index(words, value) : -1;

	if (!value || !value[0] || index >= 0)
		return index;
	error_set(err, EXIT_INPUT, "bad-environment", "%s: \"%s\": expected %s", name, value,
	          expected);
	return -2;
}

/* wider: what is asked for gives more than the files do. */
static void narrow(struct setting *setting, int value, bool wider, const char *source,
                   const char *const *words, struct notes *notes)
{
	if (setting->layer >= LAYER_FLAG || value == setting->value)
		return;
	if (wider)
		notes_add(notes, "%s: \"%s\" is wider than \"%s\" (%s); ignored",
		          source + strlen("environment "), words[value], words[setting->value],
		          setting->source);
	else
		setting_put(setting, value, LAYER_OVERRIDE, source);
}

static int narrow_mode(struct settings *settings, struct notes *notes, struct error *err)
{
	int mode = value_of(MODE, mode_names, err);

	if (mode < 0)
		return mode == -1 ? 0 : -1;
	/* A set may hide what every mode shows. */
	if (settings->set.name && settings->set.layer < LAYER_FLAG && mode == MODE_READ_ONLY)
		return error_set(err, EXIT_INPUT, "bad-environment",
		                 MODE ": \"read-only\": cannot narrow the permission set \"%s\" "
		                      "(%s); use --sandbox",
		                 settings->set.name, settings->set.source);
	if (!settings->set.name)
		narrow(&settings->mode, mode, mode_width(mode) > mode_width(settings->mode.value),
		       "environment " MODE, mode_names, notes);
	return 0;
}

int environment_narrow(struct settings *settings, struct notes *notes, struct error *err)
{
	int asking = value_of(ASKING, approval_names, err);

	if (asking == -2 || narrow_mode(settings, notes, err) < 0)
		return -1;
	/* From the most cautious on. */
	if (asking >= 0)
		narrow(&settings->approval, asking, asking > settings->approval.value,
		       "environment " ASKING, approval_names, notes);
	return 0;
}
