#include "command/analysis.h"

#include "base/memory.h"
#include "command/safe.h"

#include <stdlib.h>
#include <string.h>

const char *const class_names[CLASSES] = {
        [CLASS_SAFE] = "safe",
        [CLASS_UNKNOWN] = "unknown",
        [CLASS_DANGEROUS] = "dangerous",
};

/*
 * The script, when it is run by a shell of the system that reads nothing else
 * first: a variable may name a file to source, and a login shell reads files
 * in HOME, which has to be the caller's own.
 */
static const char *script_of(char *const *argv, struct site *site)
{
	static const char *const shells[] = {"sh", "bash", "zsh"};
	const char *name = argv[0];
	bool login;

	if (!argv[1] || !argv[2] || argv[3])
		return NULL;
	login = strcmp(argv[1], "-lc") == 0;
	if ((!login && strcmp(argv[1], "-c") != 0) || site->poisoned || (login && !site->own_home))
		return NULL;
	name = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
		if (strcmp(name, shells[i]) == 0)
			return site_system_program(site, argv[0]) ? argv[2] : NULL;
	return NULL;
}

static void judge(struct part *part, struct site *site)
{
	part->danger = danger(part->argv, NULL, NULL);
	part->class = part->danger                ? CLASS_DANGEROUS
	              : is_safe(part->argv, site) ? CLASS_SAFE
	                                          : CLASS_UNKNOWN;
}

void analyse(char *const *argv, struct site *site, struct analysis *analysis)
{
	const char *text = script_of(argv, site);
	bool plain = text && split(text, &analysis->script);

	if (!plain)
		analysis->script = (struct script){0};
	analysis->count = plain ? analysis->script.count : 1;
	analysis->parts = xrealloc_array(NULL, analysis->count, sizeof(*analysis->parts));
	for (size_t i = 0; i < analysis->count; i++) {
		analysis->parts[i].argv = plain ? analysis->script.segments[i].argv : argv;
		judge(&analysis->parts[i], site);
	}
}

void analysis_free(struct analysis *analysis)
{
	free(analysis->parts);
	script_free(&analysis->script);
	*analysis = (struct analysis){0};
}

enum command_class analysis_class(const struct analysis *analysis, const bool *covered)
{
	enum command_class worst = CLASS_SAFE;

	for (size_t i = 0; i < analysis->count; i++)
		if (!(covered && covered[i]) && analysis->parts[i].class > worst)
			worst = analysis->parts[i].class;
	return worst;
}
