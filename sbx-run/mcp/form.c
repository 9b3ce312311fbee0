#include "mcp/form.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/fold.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "document/osstring.h"
#include "jobs/characters.h"
#include "policy/words.h"
#include "rpc/message.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Clients show it in a window, or in a terminal that is no wider. */
#define COLUMNS 76
/* More of a command or a patch than a person reads in a window. */
#define FIELD_MAX  4000
#define ROWS_SHOWN 20

static const char member[] = "answer";

static const struct choice {
	const char *decision, *words;
	const char *yes; /* how the row begins that says what it does */
} choices[] = {
        {"approved", "allow once", "once     "},
        {"approved_for_session", "allow for this session", "session  "},
        {"denied", "deny", NULL},
        {"abort", "deny, and stop", NULL},
};
#define CHOICES (sizeof(choices) / sizeof(choices[0]))

static bool is_offered(const json_t *question, const struct choice *choice)
{
	const json_t *options = json_object_get(question, "options");

	for (size_t i = 0; i < json_array_size(options); i++) {
		const char *option = json_string_value(json_array_get(options, i));

		if (option && strcmp(option, choice->decision) == 0)
			return true;
	}
	return false;
}

static void field(const struct fold *fold, const char *head, const json_t *value)
{
	struct error none = {0};
	cleanup_free char *text =
	        value && !json_is_null(value) ? os_string_get(value, head, &none) : NULL;

	if (text && *text)
		fold_field(fold, head, text, FIELD_MAX, "the request has all of it");
}

/* Words by the ten thousand come in one call. */
static void command_field(const struct fold *fold, const json_t *argv)
{
	struct error none = {0};
	char *line = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&line, &len);

	xjson(out);
	for (size_t i = 0; i < json_array_size(argv); i++) {
		cleanup_free char *word = os_string_get(json_array_get(argv, i), "command", &none);
		cleanup_free char *quoted = word ? text_quote(word) : xstrdup("?");

		fprintf(out, "%s%s", i ? " " : "", quoted);
	}
	if (fclose(out) != 0)
		xjson(NULL);
	fold_field(fold, "command  ", line, FIELD_MAX, "the request has all of it");
	free(line);
}

static void list_field(const struct fold *fold, const char *head, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		field(fold, head, json_array_get(list, i));
}

/* Of variables, what names programs comes first. */
static void first_fields(const struct fold *fold, const char *head, const json_t *list)
{
	size_t count = json_array_size(list);
	size_t shown = count < ROWS_SHOWN ? count : ROWS_SHOWN;
	cleanup_free char *more = xasprintf("%zu more are NOT shown", count - shown);

	for (size_t i = 0; i < shown; i++)
		field(fold, head, json_array_get(list, i));
	if (count > shown)
		fold_ready(fold, head, more);
}

/* Listed hosts are all of "hosts" and the least of what is wider: a list alone may hide it. */
static void network_field(const struct fold *fold, const json_t *grant)
{
	const char *network = json_string_value(json_object_get(grant, "network"));
	bool all = network && strcmp(network, network_names[NETWORK_ON]) == 0;
	bool told = network && strcmp(network, network_names[NETWORK_HOSTS]) == 0 &&
	            json_array_size(json_object_get(grant, "hosts")) > 0;
	cleanup_free char *text =
	        xasprintf("%s%s", network ? network : "",
	                  all ? " !! everything that this machine can reach" : "");

	if (network && !told)
		fold_ready(fold, "gives    network ", text);
}

/* Every single thing of it, and what in it would be run or believed later. */
static void grant_fields(const struct fold *fold, const json_t *grant, json_t *sensitive)
{
	const char *path;
	json_t *why;

	list_field(fold, "gives    write ", json_object_get(grant, "write"));
	list_field(fold, "gives    read ", json_object_get(grant, "read"));
	list_field(fold, "gives    socket ", json_object_get(grant, "unix_sockets"));
	list_field(fold, "gives    host ", json_object_get(grant, "hosts"));
	network_field(fold, grant);
	json_object_foreach (sensitive, path, why) {
		cleanup_free char *line = xasprintf("%s: %s", path, json_string_value(why));

		fold_field(fold, "BEWARE   ", line, FIELD_MAX, "");
	}
}

static void denial_fields(const struct fold *fold, const json_t *denials)
{
	for (size_t i = 0; i < json_array_size(denials) && i < 8; i++) {
		const json_t *denial = json_array_get(denials, i);
		const json_t *what = json_object_get(denial, "path");
		const char *op = json_string_value(json_object_get(denial, "op"));
		cleanup_free char *head = xasprintf("denied   %.20s ", op ? op : "");

		field(fold, head, what ? what : json_object_get(denial, "address"));
	}
}

/* A plain yes would leave the sandbox, or the policy has none. */
static bool is_outside(const json_t *question)
{
	const char *sandbox = json_string_value(json_object_get(question, "sandbox"));

	return !sandbox || strcmp(sandbox, "none") == 0;
}

static const char *title(const json_t *question)
{
	if (json_object_get(question, "waiting"))
		return "May this connect?";
	return json_array_size(json_object_get(question, "denials")) > 0 ? "May this run again?"
	                                                                 : "May this run?";
}

/* What each yes does, in our words. */
static void meaning_fields(const struct fold *fold, const json_t *question)
{
	const json_t *means = json_object_get(question, "means");

	for (size_t i = 0; i < CHOICES; i++) {
		const json_t *text = json_object_get(means, choices[i].decision);

		if (choices[i].yes && is_offered(question, &choices[i]))
			field(fold, choices[i].yes, text);
	}
}

/*
 * What a yes gives comes first: a window that is too small, or a text that is made of
 * empty lines, hides the end.
 */
static void yes_fields(const struct fold *fold, const json_t *question)
{
	fold_ready(fold, "where    ",
	           is_outside(question) ? "OUTSIDE the sandbox, with all your rights"
	                                : "in the sandbox");
	grant_fields(fold, json_object_get(question, "grant"),
	             json_object_get(question, "sensitive"));
	list_field(fold, "reveals  ", json_object_get(question, "hidden"));
	meaning_fields(fold, question);
}

/* Each row begins with a word of ours, or with a mark. */
static void write_question(const struct fold *fold, const json_t *question)
{
	fold_ready(fold, "", title(question));
	yes_fields(fold, question);
	field(fold, "program  ", json_object_get(json_object_get(question, "waiting"), "program"));
	command_field(fold, json_object_get(question, "command"));
	first_fields(fold, "file     ", json_object_get(question, "files"));
	field(fold, "patch    ", json_object_get(question, "patch"));
	first_fields(fold, "variable ", json_object_get(question, "variables"));
	field(fold, "cwd      ", json_object_get(question, "cwd"));
	field(fold, "reason   ", json_object_get(question, "reason"));
	field(fold, "it says  ", json_object_get(question, "justification"));
	denial_fields(fold, json_object_get(question, "denials"));
}

static json_t *message_of(const json_t *question)
{
	struct fold fold = {.columns = COLUMNS, .end = "\n", .lines = true};
	char *text = NULL;
	size_t len = 0;
	json_t *out;

	fold.out = open_memstream(&text, &len);
	xjson(fold.out);
	write_question(&fold, question);
	if (fclose(fold.out) != 0)
		xjson(NULL);
	out = readable(text, len);
	free(text);
	return out;
}

json_t *form_params(const json_t *question)
{
	json_t *words = xjson(json_array());

	for (size_t i = 0; i < CHOICES; i++)
		if (is_offered(question, &choices[i]))
			json_array_append_new(words, json_string(choices[i].words));
	return xjson(json_pack("{s:o,s:{s:s,s:{s:{s:s,s:s,s:o}},s:[s]}}", "message",
	                       message_of(question), "requestedSchema", "type", "object",
	                       "properties", member, "type", "string", "title", "Answer", "enum",
	                       words, "required", member));
}

/* The decision that a client's result means; NULL: none. */
static const char *decision_of(const json_t *question, const json_t *result)
{
	const char *action = plain_text(json_object_get(result, "action"));
	const char *word = plain_text(json_object_get(json_object_get(result, "content"), member));

	if (!action || strcmp(action, "accept") != 0 || !word)
		return NULL;
	for (size_t i = 0; i < CHOICES; i++)
		if (strcmp(choices[i].words, word) == 0 && is_offered(question, &choices[i]))
			return choices[i].decision;
	return NULL;
}

json_t *form_answer(const json_t *question, const json_t *result)
{
	const char *decision = decision_of(question, result);

	return xjson(json_pack("{s:O,s:s}", "id", json_object_get(question, "id"), "decision",
	                       decision ? decision : "denied"));
}

json_t *form_refusal(const json_t *question, bool pty)
{
	static const char terminal[] =
	        "there is nobody to ask: the client has no elicitation, and no program is asked "
	        "about a command with a terminal, where the model could answer; --approver "
	        "unix:PATH beside --mcp names somebody";

	return xjson(
	        json_pack("{s:O,s:s,s:s}", "id", json_object_get(question, "id"), "decision",
	                  "denied", "reason",
	                  pty ? terminal
	                      : "there is nobody to ask: the client has no elicitation; --approver "
	                        "CMD beside --mcp, or sbx.approver in the configuration, names "
	                        "somebody"));
}
