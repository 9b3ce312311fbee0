#include "rules/which_rules.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/path.h"
#include "rules/project_rules.h"
#include "rules/read_rules.h"
#include "rules/rulefile.h"
#include "trust/settings_home.h"

#include <stdlib.h>
#include <string.h>

char *book_directory(struct error *err)
{
	cleanup_free char *home = settings_home();

	if (settings_home_check(NULL, err) < 0)
		return NULL;
	return home ? path_join(home, "rules") : NULL;
}

/* Of the policy's requirements: they can ask and forbid, and nothing can take that back. */
static int add_required(const char *text, struct rules *rules, struct error *err)
{
	size_t first = rules->count;

	if (text && rules_add(rules, text, strlen(text), "/etc/codex/requirements.toml", err) < 0)
		return -1;
	for (size_t i = first; i < rules->count; i++)
		if (rules->rules[i].decision <= DECISION_ALLOW)
			return error_set(err, EXIT_INPUT, "bad-policy",
			                 "policy.requirements.rules: only prompt and forbidden");
	return 0;
}

/* All of them as one text, or NULL. */
static char *required_text(const json_t *policy)
{
	const json_t *rules = json_object_get(json_object_get(policy, "requirements"), "rules");
	char *text = NULL;

	for (size_t i = 0; i < json_array_size(rules); i++) {
		const char *rule = json_string_value(json_array_get(rules, i));
		char *longer = xasprintf("%s%s", text ? text : "", rule ? rule : "?");

		free(text);
		text = longer;
	}
	return text;
}

static int load_own(struct book *book, struct rules *rules, struct error *err)
{
	if (add_required(book->required, rules, err) < 0 || rules_add_system(rules, err) < 0)
		return -1;
	if (book->directory && rules_add_directory(rules, book->directory, err) < 0)
		return -1;
	for (size_t i = 0; i < book->file_count; i++)
		if (rules_add_file(rules, book->files[i], err) < 0)
			return -1;
	return 0;
}

static const char *trusted_root(const json_t *policy)
{
	const json_t *trust = json_object_get(policy, "trust");
	const char *level = json_string_value(json_object_get(trust, "level"));
	const char *root = json_string_value(json_object_get(trust, "path"));

	if (!level || strcmp(level, "trusted") != 0 || !root || !path_is_normal(root))
		return NULL;
	return root;
}

static const char *seen_rules(const json_t *policy)
{
	return json_string_value(json_object_get(json_object_get(policy, "trust"), "rules"));
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* What a project allows, it allows in the sandbox unless it says more. */
static int add_project(struct rules *rules, const char *root, const char *digest, struct error *err)
{
	size_t first = rules->count;

	if (project_rules_add(rules, root, digest, err) < 0)
		return -1;
	rules_narrow(rules, first, false);
	return 0;
}

/* `digest`: of the rules that somebody looked at, or NULL. */
static struct rules *project_rules(struct book *book, const char *root, const char *digest,
                                   struct error *err)
{
	cleanup_free char *directory = path_join(root, ".codex/rules");
	struct project project = {0};

	for (size_t i = 0; i < book->project_count; i++)
		if (strcmp(book->projects[i].root, root) == 0 &&
		    is_same(book->projects[i].digest, digest))
			return &book->projects[i].rules;
	/* The home directory as a project: its rules are the user's already. */
	if (load_own(book, &project.rules, err) < 0 ||
	    (!(book->directory && strcmp(directory, book->directory) == 0) &&
	     add_project(&project.rules, root, digest, err) < 0)) {
		rules_free(&project.rules);
		return NULL;
	}
	project.root = xstrdup(root);
	project.digest = digest ? xstrdup(digest) : NULL;
	book->projects = xrealloc_array(book->projects, book->project_count + 1, sizeof(project));
	book->projects[book->project_count] = project;
	return &book->projects[book->project_count++].rules;
}

static bool is_in_reach(const char *file, const json_t *policy,
                        const struct permissions *permissions)
{
	struct error ignored;
	cleanup_free char *real = path_canonical(file, &ignored);

	return !real || within_reach(policy, permissions, real);
}

/*
 * A rule that a sandbox of this policy could have written allows nothing, and
 * neither does what it makes of a program's name.
 */
static int doubt(struct rules *rules, const json_t *policy, struct error *err)
{
	struct permissions permissions;

	if (rules->count == 0 && rules->network_count == 0)
		return 0;
	if (permissions_get(json_object_get(policy, "permissions"), &permissions, err) < 0)
		return -1;
	for (size_t i = 0; i < rules->count; i++)
		rules->rules[i].doubted = rules->rules[i].unseen ||
		                          is_in_reach(rules->rules[i].file, policy, &permissions);
	for (size_t i = 0; i < rules->host_count; i++)
		rules->hosts[i].doubted = is_in_reach(rules->hosts[i].file, policy, &permissions);
	for (size_t i = 0; i < rules->network_count; i++)
		rules->networks[i].doubted =
		        is_in_reach(rules->networks[i].file, policy, &permissions);
	permissions_free(&permissions);
	return 0;
}

const struct rules *book_rules(struct book *book, const json_t *policy, struct error *err)
{
	const char *root = trusted_root(policy);
	struct rules *rules = &book->own;
	cleanup_free char *required = required_text(policy);

	/* A document of another policy. */
	if (!is_same(book->required, required)) {
		book_forget(book);
		free(book->required);
		book->required = keep_ptr(required);
	}

	if (!book->loaded) {
		struct error none = {0};

		book->directory = book_directory(&none);
		if (none.exit) {
			*err = none;
			return NULL;
		}
		if (load_own(book, &book->own, err) < 0) {
			book_forget(book);
			return NULL;
		}
		book->loaded = true;
	}
	if (root)
		rules = project_rules(book, root, seen_rules(policy), err);
	if (!rules || doubt(rules, policy, err) < 0)
		return NULL;
	return rules;
}

void book_forget(struct book *book)
{
	for (size_t i = 0; i < book->project_count; i++) {
		free(book->projects[i].root);
		free(book->projects[i].digest);
		rules_free(&book->projects[i].rules);
	}
	free(book->projects);
	book->projects = NULL;
	book->project_count = 0;
	rules_free(&book->own);
	free(book->directory);
	book->directory = NULL;
	book->loaded = book->stale = false;
}

void book_free(struct book *book)
{
	book_forget(book);
	free(book->required);
	book->required = NULL;
}
