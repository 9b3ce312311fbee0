#include "report/run_again.h"

#include "advise/other_home.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "fs/home_directory.h"
#include "fs/path.h"
#include "policy/permissions.h"
#include "policy/protected_names.h"
#include "policy/words.h"

#include <string.h>

/* The end of a word as a shell reads it: quotes keep blanks together. */
static const char *word_end(const char *at)
{
	bool quoted = false;

	for (; *at && (quoted || *at != ' '); at++) {
		if (*at == '\'')
			quoted = !quoted;
		else if (*at == '\\' && at[1])
			at++;
	}
	return at;
}

static bool lies_in(const char *outer, const char *inner)
{
	return path_contains(outer, inner) && !inside_protected_name(inner + strlen(outer));
}

/* A directory that is there already, or holds what is: one of them is enough. */
static bool is_said(json_t *pairs, const char *option, const char *value)
{
	bool directory = strcmp(option, "--add-dir") == 0;
	bool network = strcmp(option, "--network") == 0;

	for (size_t i = json_array_size(pairs); i-- > 0;) {
		const json_t *pair = json_array_get(pairs, i);
		const char *other = json_string_value(json_array_get(pair, 1));

		if (strcmp(option, json_string_value(json_array_get(pair, 0))) != 0)
			continue;
		if (strcmp(other, value) == 0 || (directory && lies_in(other, value)) ||
		    (network && network_parse(other) >= network_parse(value)))
			return true;
		if (network || (directory && lies_in(value, other)))
			json_array_remove(pairs, i);
	}
	return false;
}

/* "OPTION VALUE OPTION VALUE". */
static void add_options(json_t *pairs, const char *line)
{
	while (*line) {
		const char *end = word_end(line);
		const char *next = *end ? end + 1 : end;
		const char *after = word_end(next);
		cleanup_free char *option = xasprintf("%.*s", (int)(end - line), line);
		cleanup_free char *value = xasprintf("%.*s", (int)(after - next), next);

		if (!is_said(pairs, option, value))
			json_array_append_new(pairs, xjson(json_pack("[s,s]", option, value)));
		line = *after ? after + 1 : after;
	}
}

/* Some process that failed could have been helped. */
static bool any_failed(const json_t *denials)
{
	size_t i;
	json_t *denial;

	json_array_foreach (denials, i, denial)
		if (json_is_true(json_object_get(denial, "failed")) &&
		    json_is_string(json_object_get(denial, "allow_with")))
			return true;
	return false;
}

static bool is_text(const json_t *denial, const char *member, const char *text)
{
	const char *value = json_string_value(json_object_get(denial, member));

	return value && text && strcmp(value, text) == 0;
}

/*
 * A program that looked for news of itself, went without, and was stopped later by a
 * file: the whole network is too much for that, also where nothing opens the file.
 */
static bool went_on_without(const json_t *denials, size_t at)
{
	const json_t *question = json_array_get(denials, at);
	const char *program = json_string_value(json_object_get(question, "program"));

	for (size_t i = at + 1; is_text(question, "op", "look up") && i < json_array_size(denials);
	     i++) {
		const json_t *later = json_array_get(denials, i);

		if (is_text(later, "program", program) && json_object_get(later, "path") &&
		    json_is_true(json_object_get(later, "failed")))
			return true;
	}
	return false;
}

/* In another home directory nothing of the old one is asked for. */
static void leave_old_home(json_t *pairs)
{
	cleanup_free char *home = home_named();
	bool moved = false;
	size_t i;
	json_t *pair;

	json_array_foreach (pairs, i, pair)
		moved |= moves_home(json_string_value(json_array_get(pair, 0)),
		                    json_string_value(json_array_get(pair, 1)));
	for (i = moved && home ? json_array_size(pairs) : 0; i-- > 0;) {
		pair = json_array_get(pairs, i);
		if (strcmp(json_string_value(json_array_get(pair, 0)), "--add-dir") == 0 &&
		    path_contains(home, json_string_value(json_array_get(pair, 1))))
			json_array_remove(pairs, i);
	}
}

json_t *run_again_pairs(const json_t *denials)
{
	bool failures = any_failed(denials);
	json_t *pairs = xjson(json_array());
	size_t i;
	json_t *item;

	json_array_foreach (denials, i, item) {
		const char *options = json_string_value(json_object_get(item, "allow_with"));

		/* A process that succeeded did well without. */
		if (options && !(failures && json_is_false(json_object_get(item, "failed"))) &&
		    !went_on_without(denials, i))
			add_options(pairs, options);
	}
	leave_old_home(pairs);
	return pairs;
}

char *run_again(const json_t *denials)
{
	cleanup_json json_t *pairs = run_again_pairs(denials);
	char *out = NULL;
	size_t i;
	json_t *item;

	json_array_foreach (pairs, i, item) {
		cleanup_free char *before = out;

		out = xasprintf("%s%s%s %s", before ? before : "", before ? " " : "",
		                json_string_value(json_array_get(item, 0)),
		                json_string_value(json_array_get(item, 1)));
	}
	return out;
}
