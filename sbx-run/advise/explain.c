#include "advise/explain.h"

#include "base/cleanup.h"
#include "base/fold.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "policy/environment.h"
#include "policy/words.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* Names and values are the attacker's words. */
static void line(const char *label, const char *text)
{
	struct fold fold = {.out = stdout, .columns = fold_columns(STDOUT_FILENO), .end = "\n"};
	cleanup_free char *head = xasprintf("  %-10s ", label);

	fold_field(&fold, head, text, 0, "");
}

static void member(json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	if (text && *text)
		line(name, text);
}

/* A guarantee is a word, or an object that names it and says why it is lost. */
static void explain_lost(const json_t *lost)
{
	size_t i;
	json_t *entry;

	json_array_foreach (lost, i, entry) {
		const char *name = json_string_value(
		        json_is_object(entry) ? json_object_get(entry, "guarantee") : entry);
		const char *why = json_string_value(json_object_get(entry, "why"));
		cleanup_free char *text = xasprintf("%s%s%s", name ? name : "a guarantee",
		                                    why ? ": " : "", why ? why : "");

		line("lost", text);
	}
}

/* The policy's own part of it stands above: what is left is what the wrap did. */
static bool is_said(const json_t *rules, const char *name)
{
	cleanup_free char *pair = xasprintf("%s=", name);
	char *const own[] = {pair, NULL};
	cleanup_vector char **left = environment_copy(own);
	struct error none = {0};

	if (json_object_get(json_object_get(rules, "set"), name))
		return true;
	if (environment_apply_policy(&left, rules, false, &none) < 0)
		return false;
	for (char **one = left; *one; one++)
		if (strcmp(*one, pair) == 0)
			return false;
	return true;
}

static void explain_environment(json_t *doc)
{
	json_t *given = json_object_get(json_object_get(doc, "command"), "env");
	json_t *wrapped = json_object_get(json_object_get(doc, "exec"), "env");
	const json_t *rules =
	        json_object_get(json_object_get(doc, "policy"), "shell_environment_policy");
	cleanup_json json_t *own =
	        json_is_object(given) ? json_incref(given) : os_environment(environ);
	const char *name;
	json_t *value;

	printf("environment, besides\n");
	json_object_foreach (wrapped, name, value) {
		cleanup_free char *text = NULL;

		if (json_equal(json_object_get(own, name), value) || is_said(rules, name))
			continue;
		text = xasprintf("%s=%s", name,
		                 json_is_string(value) ? json_string_value(value) : "...");
		line("set", text);
	}
	json_object_foreach (own, name, value)
		if (!json_object_get(wrapped, name) && !is_said(rules, name))
			line("dropped", name);
}

/* Who is told what is denied, and whether that is seen or guessed. */
static void explain_denials(json_t *doc, const struct arguments *a)
{
	const json_t *sandbox = json_object_get(doc, "sandbox");
	const json_t *own = json_object_get(json_object_get(doc, "policy"), "sbx");
	const char *observe = json_string_value(json_object_get(own, "observe"));
	const char *type = json_string_value(json_object_get(sandbox, "type"));
	const json_t *able = json_object_get(json_object_get(sandbox, "capabilities"), "notify");
	cleanup_free char *to = NULL;

	if (!type || strcmp(type, "none") == 0)
		return;
	printf("denials\n");
	if (word_index(sandbox_names, type) == SANDBOX_LINUX)
		line("found",
		     observe && strcmp(observe, "off") == 0
		             ? "by words and codes of the command (sbx.observe is off)"
		     : json_is_false(able)
		             ? "by words and codes of the command (this kernel cannot tell)"
		             : "by watching the command's system calls");
	to = a->report == REPORT_OFF ? xstrdup("nobody (--report human or json)")
	     : a->report == REPORT_BRIEF
	             ? xstrdup("stderr, one line after a failure (--report human, json or off)")
	             : xasprintf("fd %d, %s", a->report_fd,
	                         a->report == REPORT_JSON    ? "as JSON, as they happen"
	                         : a->report == REPORT_SARIF ? "as SARIF, after the end"
	                         : a->report == REPORT_JUNIT ? "as JUnit's XML, after the end"
	                                                     : "a few lines after the end");
	line("sent to", to);
}

void explain_document(json_t *doc, const struct arguments *a)
{
	json_t *approval = json_object_get(doc, "approval");
	json_t *sandbox = json_object_get(doc, "sandbox");

	printf("approval\n");
	member(approval, "decision");
	member(approval, "by");
	member(approval, "reason");
	if (json_is_object(sandbox)) {
		printf("sandbox\n");
		member(sandbox, "type");
		member(sandbox, "backend");
		member(sandbox, "reason");
		explain_lost(json_object_get(sandbox, "lost"));
		explain_denials(doc, a);
	}
	if (json_object_get(doc, "exec"))
		explain_environment(doc);
}
