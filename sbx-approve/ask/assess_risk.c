#include "ask/assess_risk.h"

#include "program/ask_program.h"
#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "document/osstring.h"
#include "process/sibling.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LIMIT_MS     5000
#define TEMPLATE_MAX 65536
#define FAILURE_MAX  4000

json_t *risk_builtin(const struct question *q)
{
	const char *level = "low";
	cleanup_free char *reason = question_reason(q);
	json_t *risk = xjson(json_object());
	json_t *description = os_string(q->danger ? q->danger : reason);

	if (q->class == CLASS_DANGEROUS)
		level = "high";
	else if (q->judgement.verdict != VERDICT_SKIP)
		level = "medium";
	json_object_set_new_nocheck(risk, "level", json_string_nocheck(level));
	json_object_set_new_nocheck(risk, "description", description);
	return risk;
}

static bool is_enabled(const json_t *policy)
{
	const json_t *features = json_object_get(policy, "features");

	return json_is_true(json_object_get(features, "experimental_sandbox_command_assessment"));
}

/* Only the user's own configuration can have put a program here.  1: there is none. */
static int assessor(const struct question *q, struct asked *asked, struct error *err)
{
	static const char what[] = "sbx.assessor.command";
	const json_t *own = json_object_get(json_object_get(q->policy, "sbx"), "assessor");
	const json_t *command = json_object_get(own, "command");
	cleanup_vector char **words = NULL;

	*asked = (struct asked){.program = {.fd = -1}};
	if (json_is_string(command) && json_string_length(command) > 0)
		return asked_line(asked, what, json_string_value(command), q->doc, err);
	if (!json_is_array(command) || json_array_size(command) == 0)
		return 1;
	words = os_vector_get(command, what, err);
	return words ? asked_words(asked, what, words, q->doc, err) : -1;
}

/* Installed, or in the tree that the program was built in. */
static char *template(void)
{
	static const char *const places[] = {"../share/sbx/prompt", "../../share/sbx/prompt",
	                                     "../../../share/prompt", "../../share/prompt"};
	struct error ignored;
	cleanup_free char *here = program_directory(&ignored);

	for (size_t i = 0; here && i < sizeof(places) / sizeof(places[0]); i++) {
		cleanup_free char *path = xasprintf("%s/%s/assessment.md", here, places[i]);
		cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC);
		cleanup_free char *text = xmalloc(TEMPLATE_MAX + 1);
		ssize_t n = fd < 0 ? -1 : read(fd, text, TEMPLATE_MAX);

		if (n > 0) {
			text[n] = '\0';
			return keep_ptr(text);
		}
	}
	return NULL;
}

static char *quoted_command(const struct question *q)
{
	char *out = xstrdup("");

	for (char *const *word = q->command.argv; *word; word++) {
		cleanup_free char *before = out;
		cleanup_free char *quoted = text_quote(*word);
		cleanup_free char *clean = text_clean(quoted);

		out = xasprintf("%s%s%s", before, *before ? " " : "", clean);
	}
	return out;
}

static char *failure(const struct question *q)
{
	const json_t *result = json_object_get(q->doc, "result");
	const json_t *said = json_object_get(result, "stderr");
	cleanup_free char *denials =
	        json_text_dump(json_object_get(result, "denials"), JSON_ENCODE_ANY | JSON_COMPACT);

	if (!result)
		return xstrdup("(it has not run yet)");
	return xasprintf("%s\n%.*s", denials ? denials : "", FAILURE_MAX,
	                 json_is_string(said) ? json_string_value(said) : "");
}

static const char *value_of(const char *name, size_t len, char *const *values)
{
	static const char *const names[] = {"command", "cwd", "justification", "policy", "failure"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == len && strncmp(names[i], name, len) == 0)
			return values[i];
	return "";
}

/* What is put in is not looked at again: it may contain braces of its own. */
static char *fill(const char *text, char *const *values)
{
	char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);

	if (!f)
		return NULL;
	for (const char *open; (open = strstr(text, "{{")) != NULL;) {
		const char *close = strstr(open, "}}");

		if (!close)
			break;
		fwrite(text, 1, (size_t)(open - text), f);
		fputs(value_of(open + 2, (size_t)(close - open - 2), values), f);
		text = close + 2;
	}
	fputs(text, f);
	if (fclose(f) != 0) {
		free(out);
		return NULL;
	}
	return out;
}

static char *prompt(const struct question *q)
{
	const json_t *why = json_object_get(json_object_get(q->doc, "command"), "justification");
	cleanup_free char *text = template();
	cleanup_free char *command = quoted_command(q);
	cleanup_free char *cwd = text_clean(q->command.cwd);
	cleanup_free char *reason =
	        text_clean(json_is_string(why) ? json_string_value(why) : "(none)");
	cleanup_free char *policy = json_text_dump(json_object_get(q->policy, "sandbox_policy"),
	                                           JSON_COMPACT | JSON_ENCODE_ANY);
	cleanup_free char *failed = failure(q);
	char *const values[] = {command, cwd, reason, policy, failed};

	return text && policy ? fill(text, values) : NULL;
}

/* Models like to put a fence around what they were asked for. */
static json_t *read_assessment(char *text)
{
	static const char *const levels[] = {"low", "medium", "high"};
	char *open = strchr(text, '{'), *close = strrchr(text, '}');
	cleanup_json json_t *answer = NULL;
	const char *level, *description;

	if (!open || !close || close < open)
		return NULL;
	answer = json_loadb(open, (size_t)(close - open) + 1, JSON_REJECT_DUPLICATES, NULL);
	level = json_string_value(json_object_get(answer, "risk_level"));
	if (!level)
		level = json_string_value(json_object_get(answer, "level"));
	description = json_string_value(json_object_get(answer, "description"));
	for (size_t i = 0; level && description && i < 3; i++)
		if (strcmp(level, levels[i]) == 0)
			return xjson(
			        json_pack("{s:s,s:s}", "level", level, "description", description));
	return NULL;
}

static json_t *assessed_by(const struct question *q, const struct asked *asked)
{
	struct error ignored = {0};
	cleanup_free char *text = prompt(q);
	cleanup_free char *answer =
	        text ? exchange(asked, text, strlen(text), LIMIT_MS, &ignored) : NULL;

	return answer ? read_assessment(answer) : NULL;
}

json_t *risk_assess(const struct question *q)
{
	struct error err = {0};
	struct asked asked;
	json_t *risk = NULL;
	int status;

	if (!is_enabled(q->policy))
		return NULL;
	status = assessor(q, &asked, &err);
	if (status < 0)
		complain("%s", err.message);
	else
		risk = status > 0 ? risk_builtin(q) : assessed_by(q, &asked);
	asked_free(&asked);
	return risk;
}
