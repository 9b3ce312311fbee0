#include "rules/check_rules.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "command/analysis.h"
#include "document/json_pool.h"
#include "rules/match.h"
#include "rules/rulefile.h"
#include "rules/which_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct deep {
	const struct rules *rules;
	struct occasion occasion;
	json_t *matches;
	enum decision strictest;
};

static void match_deep(char *const *argv, void *context)
{
	struct deep *d = context;
	struct match match = rules_match(d->rules, argv, &d->occasion, NULL);

	if (match.decision > d->strictest) {
		d->strictest = match.decision;
		rules_match(d->rules, argv, &d->occasion, d->matches);
	}
}

static int print(const struct rules *rules, char *const *argv, struct error *err)
{
	cleanup_free char *cwd = getcwd(NULL, 0);
	cleanup_free char *text = NULL;
	cleanup_json json_t *verdict = xjson(json_pack("{s:[]}", "matchedRules"));
	json_t *matches = json_object_get(verdict, "matchedRules");
	enum decision strictest = DECISION_NONE;
	bool allowed = true;
	struct analysis analysis;
	struct command command = {0};
	struct site_memory memory = {0};
	struct site site;
	struct deep deep;

	site_look(&site, &command, NULL, &memory);
	analyse(argv, &site, &analysis);
	deep = (struct deep){.rules = rules,
	                     .occasion = {.site = &site, .cwd = cwd, .now = time(NULL)},
	                     .matches = matches};
	for (size_t i = 0; i < analysis.count; i++) {
		struct match match =
		        rules_match(rules, analysis.parts[i].argv, &deep.occasion, matches);

		allowed &= match.decision != DECISION_NONE;
		if (match.decision > strictest)
			strictest = match.decision;
	}
	deep.occasion.deep = true;
	deep.strictest = strictest;
	danger(argv, match_deep, &deep);
	if (deep.strictest > strictest)
		strictest = deep.strictest;
	/* One part that no rule allows leaves the whole undecided. */
	if (strictest > DECISION_ALLOW || (strictest == DECISION_ALLOW && allowed))
		json_object_set_new(verdict, "decision", json_string(decision_names[strictest]));
	analysis_free(&analysis);
	text = xjson(json_text_dump(verdict, JSON_COMPACT));
	if (puts(text) == EOF || fflush(stdout) != 0)
		return error_system(err, "writing");
	return 0;
}

int check_rules(char *const *files, size_t count, char *const *command, struct error *err)
{
	struct rules rules = {0};
	int status = 0;

	if (!command[0])
		return error_set(err, EXIT_USAGE, "usage",
		                 "--check-rules: expected FILE... -- COMMAND");
	for (size_t i = 0; status == 0 && i < count; i++)
		status = rules_add_file(&rules, files[i], err);
	if (count == 0) {
		cleanup_free char *directory = book_directory(err);

		status = err->exit ? -1 : rules_add_system(&rules, err);
		if (status == 0 && directory)
			status = rules_add_directory(&rules, directory, err);
	}
	if (status == 0)
		status = print(&rules, command, err);
	rules_free(&rules);
	return status;
}
