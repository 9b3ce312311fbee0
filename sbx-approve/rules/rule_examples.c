#include "rules/rule_examples.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "document/osstring.h"
#include "rules/match.h"

#include <stdlib.h>
#include <string.h>

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
