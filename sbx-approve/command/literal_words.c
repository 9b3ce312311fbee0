#include "command/literal_words.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"

#include <stdbool.h>
#include <string.h>

struct reader {
	struct loose *loose;
	char **words;
	size_t count, room;
	char *word;
	size_t used, space;
	bool in_word;
};

static void put(struct reader *r, char c)
{
	if (r->used + 1 >= r->space) {
		r->space = r->space ? r->space * 2 : 32;
		r->word = xrealloc_array(r->word, r->space, 1);
	}
	r->word[r->used++] = c;
	r->in_word = true;
}

static void end_word(struct reader *r)
{
	if (!r->in_word)
		return;
	if (r->count + 2 > r->room) {
		r->room = r->room ? r->room * 2 : 8;
		r->words = xrealloc_array(r->words, r->room, sizeof(*r->words));
	}
	r->words[r->count++] = xstrndup(r->used ? r->word : "", r->used);
	r->words[r->count] = NULL;
	r->used = 0;
	r->in_word = false;
}

static void end_run(struct reader *r)
{
	struct loose *l = r->loose;

	end_word(r);
	if (r->count == 0)
		return;
	if (l->count == l->room) {
		l->room = l->room ? l->room * 2 : 8;
		l->runs = xrealloc_array(l->runs, l->room, sizeof(*l->runs));
	}
	l->runs[l->count++] = r->words;
	r->words = NULL;
	r->count = r->room = 0;
}

/* Text in quotes is part of a word, and may hold commands of its own. */
static const char *read_quoted(struct reader *r, const char *at)
{
	char quote = *at++;
	const char *start = at;

	r->in_word = true;
	for (; *at && *at != quote; at++) {
		if (quote == '"' && *at == '\\' && at[1])
			at++;
		put(r, *at);
	}
	if (quote == '"') {
		cleanup_free char *inside = xstrndup(start, (size_t)(at - start));

		if (strstr(inside, "$(") || strchr(inside, '`')) {
			/* One level is enough: quotes within it are read as quotes again. */
			for (char *p = inside; *p; p++)
				if (*p == '"')
					*p = ' ';
			loose_read(r->loose, inside);
		}
	}
	return *at ? at + 1 : at;
}

void loose_read(struct loose *loose, const char *text)
{
	struct reader r = {.loose = loose};

	while (*text) {
		if (*text == '\'' || *text == '"') {
			text = read_quoted(&r, text);
		} else if (*text == '$' && (text[1] == '\'' || text[1] == '"')) {
			text++;
		} else if (*text == '\\' && text[1] == '\n') {
			text += 2;
		} else if (*text == '\\' && text[1]) {
			put(&r, text[1]);
			text += 2;
		} else if (*text == ' ' || *text == '\t' || *text == '\r') {
			end_word(&r);
			text++;
		} else if (strchr(";|&(){}<>`\n", *text)) {
			end_run(&r);
			text++;
		} else {
			put(&r, *text++);
		}
	}
	end_run(&r);
	free(r.word);
}

void loose_free(struct loose *loose)
{
	for (size_t i = 0; i < loose->count; i++)
		os_vector_free(loose->runs[i]);
	free(loose->runs);
	*loose = (struct loose){0};
}
