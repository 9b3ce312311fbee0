#include "rules/match.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "document/osstring.h"
#include "fs/path.h"

#include <stdlib.h>
#include <string.h>

static bool among(const char *word, char *const *list)
{
	for (; *list; list++)
		if (strcmp(word, *list) == 0)
			return true;
	return false;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const struct host *find_host(const struct rules *rules, const char *name)
{
	for (size_t i = 0; i < rules->host_count; i++)
		if (strcmp(rules->hosts[i].name, name) == 0 && !rules->hosts[i].doubted)
			return &rules->hosts[i];
	return NULL;
}

/*
 * An allowing rule means the program that the user knows by that name: not
 * ./git, nor a git that PATH finds where a sandbox can write.  A stricter
 * rule means anything that is called so.
 */
static bool program_matches(const struct rules *rules, const struct rule *rule, const char *word,
                            struct site *site, bool outside)
{
	char *const *names = rule->tokens[0];
	const char *base = base_name(word);
	const struct host *host;

	/* Outside, nothing holds what a sandbox left in the program's place. */
	if (outside && rule->decision == DECISION_ALLOW && site &&
	    (site->poisoned || site->loads_code || !site_program_out_of_reach(site, word)))
		return false;
	if (among(word, names))
		return rule->decision != DECISION_ALLOW || !site || base != word ||
		       (!site->poisoned && site_leads_out_of_reach(site, word));
	if (base == word || !among(base, names))
		return false;
	if (rule->decision != DECISION_ALLOW)
		return true;
	host = find_host(rules, base);
	return host && among(word, host->paths);
}

static bool rule_matches(const struct rules *rules, const struct rule *rule, char *const *argv,
                         const struct occasion *o)
{
	if (rule->expires && rule->expires <= o->now)
		return false;
	if (rule->decision == DECISION_ALLOW && (o->deep || rule->doubted))
		return false;
	if (rule->decision == DECISION_ALLOW && o->outside && rule->where == WHERE_SANDBOX)
		return false;
	if (rule->project &&
	    !(o->cwd && path_is_normal(o->cwd) && path_contains(rule->project, o->cwd)))
		return false;
	/* Stops at the NULL that ends argv: nothing follows it. */
	for (size_t i = 1; i < rule->length; i++)
		if (!argv[i] || !among(argv[i], rule->tokens[i]))
			return false;
	if (rule->whole && rule->decision == DECISION_ALLOW) {
		size_t words = 0;

		while (argv[words])
			words++;
		if (words != rule->length)
			return false;
	}
	return program_matches(rules, rule, argv[0], o->site, o->outside);
}

static json_t *describe(const struct rule *rule, char *const *argv)
{
	json_t *prefix = xjson(json_array());
	json_t *match;

	json_array_append_new(prefix, os_string(base_name(argv[0])));
	if (among(argv[0], rule->tokens[0]))
		json_array_set_new(prefix, 0, os_string(argv[0]));
	for (size_t i = 1; i < rule->length; i++)
		json_array_append_new(prefix, os_string(argv[i]));
	match = xjson(json_pack("{s:o,s:s,s:s,s:I}", "matchedPrefix", prefix, "decision",
	                        decision_names[rule->decision], "file", rule->file, "line",
	                        (json_int_t)rule->line));
	if (!among(argv[0], rule->tokens[0]))
		json_object_set_new(match, "resolvedProgram", os_string(argv[0]));
	if (rule->decision == DECISION_ALLOW && rule->where == WHERE_SANDBOX)
		json_object_set_new(match, "where", json_string("sandbox"));
	if (rule->justification)
		json_object_set_new(match, "justification", json_string(rule->justification));
	return xjson(json_pack("{s:o}", "prefixRuleMatch", match));
}

struct match rules_match(const struct rules *rules, char *const *argv, const struct occasion *o,
                         json_t *list)
{
	struct match best = {0};

	for (size_t i = 0; i < rules->count; i++) {
		const struct rule *rule = &rules->rules[i];

		/* A milder rule cannot change the answer. */
		if (!list &&
		    (rule->decision < best.decision ||
		     (rule->decision == best.decision && rule->length <= best.rule->length)))
			continue;
		if (!rule_matches(rules, rule, argv, o))
			continue;
		if (list)
			json_array_append_new(list, describe(rule, argv));
		if (rule->decision > best.decision ||
		    (rule->decision == best.decision && rule->length > best.rule->length))
			best = (struct match){rule->decision, rule};
	}
	return best;
}

/* A text as words, with the quotes and backslashes of a shell; NULL: not closed. */
static char **words_of(const char *text)
{
	char **words = xrealloc_array(NULL, strlen(text) + 2, sizeof(*words));
	cleanup_free char *word = xmalloc(strlen(text) + 1);
	size_t count = 0;

	for (;;) {
		size_t used = 0;
		char quote = '\0';

		words[count] = NULL;
		text += strspn(text, " \t\n");
		if (!*text)
			return words;
		for (; *text && (quote || !strchr(" \t\n", *text)); text++) {
			if (quote && *text == quote)
				quote = '\0';
			else if (!quote && (*text == '\'' || *text == '"'))
				quote = *text;
			else if (quote != '\'' && *text == '\\' && text[1])
				word[used++] = *++text;
			else
				word[used++] = *text;
		}
		if (quote) {
			os_vector_free(words);
			return NULL;
		}
		words[count++] = xstrndup(word, used);
	}
}

static char **example_words(const json_t *example)
{
	struct error ignored;

	if (json_is_string(example))
		return words_of(json_string_value(example));
	return os_vector_get(example, "example", &ignored);
}

char *examples_fail(const struct rules *one, const json_t *examples, bool match)
{
	struct occasion plain = {.cwd = one->rules[0].project};
	size_t i;
	json_t *example;

	if (!examples)
		return NULL;
	if (!json_is_array(examples))
		return xasprintf("%s: expected a list of commands", match ? "match" : "not_match");
	json_array_foreach (examples, i, example) {
		cleanup_vector char **words = example_words(example);
		cleanup_free char *text = NULL;

		if (!words || !words[0])
			return xasprintf("%s: example %zu is not a command",
			                 match ? "match" : "not_match", i + 1);
		if ((rules_match(one, words, &plain, NULL).rule != NULL) == match)
			continue;
		text = json_text_dump(example, JSON_ENCODE_ANY | JSON_COMPACT);
		return xasprintf("%s: the example %s is %smatched", match ? "match" : "not_match",
		                 text ? text : "", match ? "not " : "");
	}
	return NULL;
}
