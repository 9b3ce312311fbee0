#include "project/write_trust.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "config/config_file.h"
#include "config/workspace.h"
#include "fs/path.h"
#include "git/repository.h"
#include "project/project_file.h"
#include "project/project_trust.h"
#include "project/replace_file.h"
#include "project/toml_edit.h"
#include "project/widening.h"
#include "trust/settings_home.h"

#include <string.h>

struct decision {
	const char *project;
	const char *level;
	const char *config; /* the digests of what was looked at; NULL: nothing */
	const char *rules;
	const char *hide; /* "secrets", "gitignored", or NULL */
};

static char *edit(void *context, const char *name, const char *text, size_t len, struct error *err)
{
	const struct decision *decision = context;
	/* In the order in which new ones stand in the file, from the last. */
	const struct {
		const char *key, *value;
	} values[] = {{"sbx_hide", decision->hide},
	              {"sbx_rules", decision->rules},
	              {"sbx_config", decision->config},
	              {"trust_level", decision->level}};
	char *out = NULL;

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		const char *const path[] = {"projects", decision->project, values[i].key, NULL};
		char *next = toml_edit(name, out ? out : text, out ? strlen(out) : len, path,
		                       values[i].value, err);

		free(out);
		out = next;
		if (!out)
			return NULL;
	}
	return out;
}

static bool has(const struct widenings *list, const struct widening *item)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i].key, item->key) == 0)
			return true;
	return false;
}

static void print(FILE *out, const struct widening *item)
{
	cleanup_free char *key = text_clean(item->key);
	cleanup_free char *value = text_clean(item->value ? item->value : "?");

	fprintf(out, "%s: widens: %s = %s\n", item->source, key, value);
}

/* Wider than the defaults of a trusted project, or than the user's own file. */
static void show(FILE *out, const struct config *own, const struct config *user)
{
	struct widenings beyond = {0}, other = {0};
	struct config defaults;

	config_begin(&defaults);
	widenings_find(&beyond, own, &defaults);
	widenings_find(&other, own, user);
	for (size_t i = 0; i < beyond.count; i++)
		print(out, &beyond.items[i]);
	for (size_t i = 0; i < other.count; i++)
		if (!has(&beyond, &other.items[i]))
			print(out, &other.items[i]);
	widenings_free(&beyond);
	widenings_free(&other);
	config_free(&defaults);
}

/* Shows what the project's files widen and fills the digests. */
static int read_files(struct project_file *file, char rules[SHA256_TEXT_SIZE], const char *project,
                      const char *home, FILE *out, struct error *err)
{
	struct notes notes = {0};
	struct config user;
	int status;

	config_begin(&user);
	status = file_read_own(home, "config.toml", LAYER_USER, &user, &notes, err);
	/* What is noted of the user's file is noted by every run. */
	notes_free(&notes);
	notes = (struct notes){0};
	if (status >= 0)
		status = project_file_read(file, project, home, &notes, err);
	if (status > 0)
		show(out, &file->own, &user);
	notes_print(&notes);
	notes_free(&notes);
	config_free(&user);
	return status < 0 ? -1 : rules_digest(rules, project, home, out, err);
}

/* What the judge is to see; "" of a project without files of its own. */
static int look_closely(struct project_file *file, char rules[SHA256_TEXT_SIZE],
                        const char *project, const char *home, char **widens, struct error *err)
{
	size_t size = 0;
	FILE *out = open_memstream(widens, &size);
	int status;

	if (!out)
		return error_system(err, "making room");
	status = read_files(file, rules, project, home, out, err);
	return fclose(out) == 0 || status < 0 ? status : error_system(err, "making room");
}

static int judge_and_write(const char *home, const char *project, bool closely, trust_judge *judge,
                           void *context, struct error *err)
{
	cleanup_free char *path = path_join(home, "config.toml");
	cleanup_free char *widens = NULL;
	struct project_file file = {0};
	char rules[SHA256_TEXT_SIZE] = "";
	struct trust_answer answer = {.verdict = VERDICT_LATER};
	struct decision decision = {.project = project, .level = "untrusted"};
	int status = closely ? look_closely(&file, rules, project, home, &widens, err) : 0;

	if (status == 0)
		status = judge(context, project, widens ? widens : "", &answer, err);
	if (answer.verdict == VERDICT_TRUST)
		decision = (struct decision){.project = project,
		                             .level = "trusted",
		                             .hide = answer.hide,
		                             .config = file.digest[0] ? file.digest : NULL,
		                             .rules = rules[0] ? rules : NULL};
	if (status == 0 && answer.verdict == VERDICT_TRUST && path_depth(project) == 0)
		status = error_set(err, EXIT_INPUT, "bad-trust", "\"/\" is not a project");
	if (status == 0 && answer.verdict != VERDICT_LATER)
		status = replace_file(path, edit, &decision, err);
	project_file_free(&file);
	return status;
}

int decide_trust(const char *directory, bool look, trust_judge *judge, void *context,
                 struct error *err)
{
	cleanup_free char *place = workspace_find(directory, err);
	cleanup_free char *home = settings_home();
	struct repository repository = {0};
	const char *project;
	int status = -1;

	if (!place)
		return -1;
	if (!home)
		return error_set(err, EXIT_INPUT, "bad-home",
		                 "neither CODEX_HOME nor HOME names a directory");
	repository_find(&repository, place);
	project = trust_key(&repository, place);
	if (settings_home_check(place, err) == 0 && settings_home_check(project, err) == 0)
		status = judge_and_write(home, project, look, judge, context, err);
	repository_free(&repository);
	return status;
}
