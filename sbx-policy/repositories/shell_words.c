#include "repositories/shell_words.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"

#include <stddef.h>
#include <string.h>

/* sh -c 'sh -c "..."': deeper than anybody writes by hand. */
#define DEPTH_MAX 4

struct line {
	shell_word *each;
	void *context;
	unsigned depth;
	bool command; /* the next word is one */
};

static void read_line(struct line *line, const char *text);

/* NAME=value: before a command it is a variable, behind one often an option. */
static const char *assigned(const char *word)
{
	size_t len = strcspn(word, "= \t");

	return word[len] == '=' && len > 0 && word[len + 1] ? word + len + 1 : NULL;
}

static bool starts_command(const char *word)
{
	static const char *const words[] = {"!",  "{",    "if",   "then",    "else", "elif",
	                                    "do", "exec", "time", "command", "env",  NULL};

	return word_among(word, words);
}

static void tell(struct line *line, const char *word)
{
	const char *value = assigned(word);

	if (!word[0])
		return;
	line->each(line->context, word, line->command);
	if (value)
		line->each(line->context, value, false);
	/* A whole line in quotes, for another shell. */
	if (strpbrk(word, " \t\n;|&(`") && line->depth + 1 < DEPTH_MAX) {
		struct line inner = {line->each, line->context, line->depth + 1, true};

		read_line(&inner, word);
	}
	line->command = starts_command(word) || (line->command && value && word[0] != '-');
}

/* What is between two of the same quotes; in double ones a backslash counts. */
static const char *take_quoted(const char *at, char *out, size_t *used)
{
	char quote = *at++;

	for (; *at && *at != quote; at++) {
		if (*at == '\\' && quote == '"' && at[1])
			at++;
		out[(*used)++] = *at;
	}
	return *at ? at + 1 : at;
}

/* Letters up to one that ends a word, without their quotes. */
static const char *take_word(const char *at, char *out)
{
	size_t used = 0;

	while (*at && !strchr(" \t\r\n;|&()<>`", *at)) {
		if (*at == '\'' || *at == '"') {
			at = take_quoted(at, out, &used);
			continue;
		}
		if (*at == '\\' && at[1])
			at++;
		out[used++] = *at++;
	}
	out[used] = '\0';
	return at;
}

static void read_line(struct line *line, const char *text)
{
	cleanup_free char *word = xmalloc(strlen(text) + 1);

	while (*text) {
		if (strchr(" \t\r", *text)) {
			text++;
		} else if (strchr("\n;|&()`", *text)) {
			line->command = true;
			text++;
		} else if (strchr("<>", *text)) {
			line->command = false;
			text++;
		} else {
			text = take_word(text, word);
			tell(line, word);
		}
	}
}

void shell_words(const char *text, shell_word *each, void *context)
{
	struct line line = {each, context, 0, true};

	read_line(&line, text);
}
