#include "ask/keep.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "base/strings.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "git/repository.h"
#include "policy/words.h"
#include "process/sibling.h"
#include "process/spawn.h"
#include "rules/learned_rules.h"
#include "trust/settings_home.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static bool can_be_given(const struct question *q, const struct grant *grant,
                         const json_t *sensitive)
{
	bool hosts = grant->paths[GRANT_HOSTS] != NULL;
	const json_t *set = json_object_get(q->policy, "permission_set");

	return json_object_size(sensitive) == 0 && !json_is_string(set) &&
	       json_object_get(q->policy, "workspace") &&
	       policy_mode(q->policy) == MODE_WORKSPACE_WRITE && !grant->outside &&
	       (grant->paths[GRANT_WRITE] || hosts) && !grant->paths[GRANT_READ] &&
	       !grant->paths[GRANT_SOCKETS] &&
	       (grant->network < 0 || (hosts && grant->network == NETWORK_HOSTS));
}

enum keep keep_offered(const struct question *q, const struct grant *grant, const json_t *sensitive)
{
	cleanup_free char *rule = NULL;

	if (grant)
		return can_be_given(q, grant, sensitive) ? KEEP_GRANT : KEEP_NOTHING;
	rule = q->judgement.want > WANT_OUTSIDE ? NULL : learned_rule(q, &(struct reach){0});
	return rule ? KEEP_RULE : KEEP_NOTHING;
}

static void show_rule(struct tty *t, const char *rule, const char *file, bool words)
{
	t->fold.columns = fold_columns(t->fd);
	fold_field(&t->fold, "  rule     ", rule, 0, "");
	fold_field(&t->fold, "  file     ", file, 0, "");
	tty_key_row(t, "[y] save it as shown");
	if (words)
		tty_key_row(t, "[m] also with more words after it");
	tty_key_row(t, "[e] everywhere, not only in the project");
	tty_key_row(t, "[d] for one day");
	fputs("  [n] back ", t->fold.out);
}

/* Changed until it is right. */
static json_t *ask_rule(struct tty *t, const struct question *q)
{
	struct reach reach = {0};
	struct error err = {0};
	cleanup_free char *file = learned_file(&err);

	if (!file) {
		fold_field(&t->fold, "  error    ", err.message, 0, "");
		return NULL;
	}
	for (;;) {
		cleanup_free char *rule = learned_rule(q, &reach);

		if (!rule)
			return NULL;
		show_rule(t, rule, file, !q->host);
		switch (tty_key_shown(t)) {
		case 'y':
			return xjson(json_pack("{s:s,s:s}", "decision", "approved", "rule", rule));
		case 'm':
			reach.more_words = !reach.more_words;
			break;
		case 'e':
			reach.everywhere = !reach.everywhere;
			break;
		case 'd':
			reach.one_day = !reach.one_day;
			break;
		case 'n':
		case 3:
		case TTY_ENDED:
			return NULL;
		}
	}
}

/* What a shell does with the same words as are written down, but to forget them. */
static char *to_undo(const char *project, const struct grant *grant)
{
	static const struct {
		enum grant_list list;
		const char *option;
	} lists[] = {{GRANT_WRITE, "--add-dir"}, {GRANT_HOSTS, "--allow-host"}};
	char *line = xstrdup("sbx-policy --forget");
	cleanup_free char *end = text_quote(project);

	for (size_t i = 0; i < 2; i++)
		for (char **one = grant->paths[lists[i].list]; one && *one; one++) {
			cleanup_free char *before = line, *word = text_quote(*one);

			line = xasprintf("%s %s %s", before, lists[i].option, word);
		}
	cleanup_free char *before = line;

	return xasprintf("%s -- %s", before, end);
}

static void show_given(struct tty *t, const char *project, const struct grant *grant,
                       const char *file)
{
	static const struct {
		enum grant_list list;
		const char *head;
	} lists[] = {{GRANT_WRITE, "  write    "}, {GRANT_HOSTS, "  reach    "}};
	cleanup_free char *undo = to_undo(project, grant);

	t->fold.columns = fold_columns(t->fd);
	fold_field(&t->fold, "  project  ", project, 0, "");
	for (size_t i = 0; i < 2; i++)
		for (char **one = grant->paths[lists[i].list]; one && *one; one++)
			fold_field(&t->fold, lists[i].head, *one, 0, "");
	fold_field(&t->fold, "  file     ", file, 0, "");
	fold_field(&t->fold, "  undo     ", undo, 0, "");
	tty_key_row(t, "[y] every run in this project may do this");
	fputs("  [n] back ", t->fold.out);
}

/* sbx-policy has the file; it says itself what is wrong. */
static int write_down(const char *project, const struct grant *grant, struct error *err)
{
	cleanup_free char *path = sibling_path("sbx-policy", err);
	struct strings argv = {0};
	pid_t child = -1;
	int out[2], status;

	strings_add(&argv, xstrdup(program_name));
	strings_add(&argv, xstrdup("--remember"));
	for (char **one = grant->paths[GRANT_WRITE]; one && *one; one++)
		strings_add(&argv, xasprintf("--add-dir=%s", *one));
	for (char **one = grant->paths[GRANT_HOSTS]; one && *one; one++)
		strings_add(&argv, xasprintf("--allow-host=%s", *one));
	strings_add(&argv, xstrdup("--"));
	strings_add(&argv, xstrdup(project));
	/* Its words of success are ours to say, and stdout is the document's. */
	if (path && pipe_open(out, err) == 0) {
		child = spawn(path, argv.items, environ, -1, out[1], -1, err);
		close(out[1]);
		status = child < 0 ? -1 : spawn_wait(child);
		close(out[0]);
	} else {
		status = -1;
	}
	strings_free(&argv);
	return status == 0 ? 0 : -1;
}

/* As sbx-policy finds it: the repository of the workspace, or the workspace itself. */
static char *project_of(const struct question *q)
{
	struct error none = {0};
	cleanup_free char *workspace =
	        os_string_get(json_object_get(q->policy, "workspace"), "workspace", &none);
	struct repository repository = {0};
	char *project;

	if (!workspace)
		return NULL;
	repository_find(&repository, workspace);
	project = xstrdup(repository.root ? repository.root : workspace);
	repository_free(&repository);
	return project;
}

static json_t *ask_grant(struct tty *t, const struct question *q, const struct grant *grant)
{
	struct error err = {0};
	cleanup_free char *home = settings_home();
	cleanup_free char *file = home ? path_join(home, "config.toml") : NULL;
	cleanup_free char *project = project_of(q);
	int key;

	if (!file || !project)
		return NULL;
	do {
		show_given(t, project, grant, file);
		key = tty_key_shown(t);
	} while (key != 'y' && key != 'n' && key != 3 && key != TTY_ENDED);
	if (key != 'y')
		return NULL;
	if (write_down(project, grant, &err) < 0) {
		fold_field(&t->fold, "  error    ", *err.message ? err.message : "not written", 0,
		           "");
		return NULL;
	}
	return xjson(json_pack("{s:s,s:o}", "decision", "approved", "grant", grant_json(grant)));
}

json_t *keep_ask(struct tty *tty, const struct question *q, enum keep keep,
                 const struct grant *grant)
{
	return keep == KEEP_RULE    ? ask_rule(tty, q)
	       : keep == KEEP_GRANT ? ask_grant(tty, q, grant)
	                            : NULL;
}
