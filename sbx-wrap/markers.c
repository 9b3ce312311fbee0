#include "markers.h"

#include "policy/environment.h"
#include "policy/words.h"

#include <string.h>

enum when {
	NEVER,       /* must not be seen inside */
	ALWAYS,      /* every run */
	NO_NETWORK,  /* the network is not "on" */
	IN_SEATBELT, /* macOS, sandboxed */
	CAPTURED,    /* nobody watches the output */
};

/* A marker inherited from an outer run is removed unless it is true here too. */
static const struct {
	const char *name;
	enum when when;
	const char *value; /* NULL: the sandbox's type */
} markers[] = {
        /* The way to the session that grants approvals: never inside. */
        {"SBX_SESSION", NEVER, ""},

        {"SBX_SANDBOX", ALWAYS, NULL},
        {"CODEX_SANDBOX_NETWORK_DISABLED", NO_NETWORK, "1"},
        {"CODEX_SANDBOX", IN_SEATBELT, "seatbelt"},
        {"CODEX_CI", CAPTURED, "1"},
};

/* Output that a program reads: no colours, no pagers, one encoding. */
static const struct {
	const char *name, *value;
} captured[] = {
        {"NO_COLOR", "1"},   {"TERM", "dumb"},      {"COLORTERM", ""},
        {"LANG", "C.UTF-8"}, {"LC_ALL", "C.UTF-8"}, {"LC_CTYPE", "C.UTF-8"},
        {"PAGER", "cat"},    {"GIT_PAGER", "cat"},  {"GH_PAGER", "cat"},
};

static bool holds(enum when when, const struct wrap *wrap)
{
	switch (when) {
	case NEVER:
		return false;
	case ALWAYS:
		return true;
	case NO_NETWORK:
		return wrap->permissions.network != NETWORK_ON;
	case IN_SEATBELT:
		return wrap->type == SANDBOX_MACOS;
	case CAPTURED:
		return wrap->options->captured;
	}
	return false;
}

/* The set that was chosen by its name; one from around us is not ours. */
static void name_profile(char ***env, const struct wrap *wrap)
{
	static const char variable[] = "CODEX_PERMISSION_PROFILE";
	const char *set = json_string_value(json_object_get(wrap->policy, "permission_set"));

	if (set)
		environment_set(env, variable, set);
	else
		environment_remove(*env, variable);
}

void markers_apply(char ***env, const struct wrap *wrap)
{
	name_profile(env, wrap);
	for (size_t i = 0; i < sizeof(markers) / sizeof(markers[0]); i++) {
		if (holds(markers[i].when, wrap))
			environment_set(env, markers[i].name,
			                markers[i].value ? markers[i].value
			                                 : sandbox_names[wrap->type]);
		else
			environment_remove(*env, markers[i].name);
	}
	for (size_t i = 0; wrap->options->captured && i < sizeof(captured) / sizeof(captured[0]);
	     i++)
		environment_set(env, captured[i].name, captured[i].value);
	/* Shells and tools believe PWD over getcwd(). */
	environment_set(env, "PWD", wrap->command.cwd);
}
