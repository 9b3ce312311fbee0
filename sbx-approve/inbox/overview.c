#include "inbox/overview.h"

#include "ask/screen.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "grant/grant.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KEY_SHOWN    300 /* bytes of a command in a list */
#define GIVEN_SHOWN  5
#define RECENT_SHOWN 5

/* As it may be folded; to be freed. */
static char *words_of(const json_t *value)
{
	struct error none = {0};
	char *text = json_is_null(value) || !value ? NULL : os_string_get(value, "text", &none);

	return text ? text : xstrdup("?");
}

static char *shown(const json_t *object, const char *member)
{
	cleanup_free char *text = words_of(json_object_get(object, member));

	return fold_shown(text);
}

static void key_of(const struct fold *fold, const char *head, const json_t *one)
{
	cleanup_free char *key = words_of(json_object_get(one, "key"));

	fold_field(fold, head, key, KEY_SHOWN, "bytes are NOT shown here");
}

static const char *clock_of(const json_t *one, char text[16])
{
	time_t at = (time_t)json_integer_value(json_object_get(one, "at"));
	struct tm tm;

	if (!localtime_r(&at, &tm) || strftime(text, 16, "%H:%M:%S", &tm) == 0)
		strcpy(text, "?");
	return text;
}

static void title(const struct fold *fold, const char *text)
{
	fputs(fold->end, fold->out);
	fold_ready(fold, "  ", text);
}

static void and_more(const struct fold *fold, size_t count, size_t most)
{
	if (count > most)
		fprintf(fold->out, "      and %zu more%s", count - most, fold->end);
}

/* Who asks, when it is not just the command. */
static char *asker_of(const json_t *one)
{
	cleanup_free char *source = shown(one, "source");

	return strcmp(source, "exec") == 0 || strcmp(source, "interactive") == 0
	               ? xstrdup("")
	               : xasprintf(", by %s", source);
}

static void waiting(const struct fold *fold, const json_t *list)
{
	size_t i;
	json_t *one;

	title(fold, "waiting");
	if (json_array_size(list) == 0)
		fold_ready(fold, "      ",
		           "nothing: a question of the session appears here by itself");
	json_array_foreach (list, i, one) {
		char head[16], time[16];
		cleanup_free char *asker = asker_of(one);
		cleanup_free char *cwd = shown(one, "cwd");
		cleanup_free char *text =
		        xasprintf("since %s%s, in %s", clock_of(one, time), asker, cwd);

		if (i == ROWS_WITH_KEYS)
			break;
		snprintf(head, sizeof(head), "  [%zu] ", i + 1);
		key_of(fold, head, one);
		fold_ready(fold, "      ", text);
	}
	and_more(fold, json_array_size(list), ROWS_WITH_KEYS);
}

static void what_is_given(const struct fold *fold, const json_t *one)
{
	cleanup_grant struct grant grant = GRANT_NOTHING;
	const json_t *given = json_object_get(one, "grant");
	struct error none = {0};

	/* After a denial it is about less than leaving, unless it says so. */
	if (given ? grant_get(given, &grant, &none) < 0 || grant.outside
	          : json_is_true(json_object_get(one, "outside")))
		fold_ready(fold, "      ", "OUTSIDE the sandbox");
	if (given)
		screen_grant(fold, &grant, NULL);
	if (json_object_get(one, "scope"))
		fold_ready(fold, "      ", "for every command there");
}

static void given(const struct fold *fold, const json_t *list)
{
	size_t count = json_array_size(list);

	if (count == 0)
		return;
	title(fold, "given until the session ends");
	for (size_t i = 0; i < count && i < GIVEN_SHOWN; i++) {
		const json_t *one = json_array_get(list, count - 1 - i);

		key_of(fold, "      ", one);
		what_is_given(fold, one);
	}
	and_more(fold, count, GIVEN_SHOWN);
}

static void recent(const struct fold *fold, const json_t *list)
{
	static const char *const words[][2] = {{"approved", "yes, once"},
	                                       {"approved_for_session", "yes, for the session"},
	                                       {"denied", "no"},
	                                       {"abort", "no, and stop"}};
	size_t i;
	json_t *one;

	if (json_array_size(list) == 0)
		return;
	title(fold, "answered, the newest first");
	json_array_foreach (list, i, one) {
		const char *decision = json_string_value(json_object_get(one, "decision"));
		char time[16];
		cleanup_free char *by = shown(one, "by");
		cleanup_free char *text = NULL;

		if (i == RECENT_SHOWN)
			break;
		for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++)
			if (decision && strcmp(decision, words[w][0]) == 0)
				decision = words[w][1];
		text = xasprintf("%s  %s (%s)", clock_of(one, time), decision ? decision : "?", by);
		fold_ready(fold, "      ", text);
		key_of(fold, "      ", one);
	}
}

void overview_show(const struct fold *fold, const json_t *overview, const char *note)
{
	fold_ready(fold, "sbx-approve: ", "inbox of a session");
	if (note) {
		fputs(fold->end, fold->out);
		fold_ready(fold, "  ", note);
	}
	waiting(fold, json_object_get(overview, "waiting"));
	given(fold, json_object_get(overview, "given"));
	recent(fold, json_object_get(overview, "recent"));
	fputs(fold->end, fold->out);
}

void overview_given(const struct fold *fold, const json_t *list, size_t first)
{
	size_t count = json_array_size(list);

	fold_ready(fold, "sbx-approve: ", "which of these is to be revoked?");
	for (size_t i = first; i < count && i < first + ROWS_WITH_KEYS; i++) {
		const json_t *one = json_array_get(list, count - 1 - i);
		char head[16];

		snprintf(head, sizeof(head), "  [%zu] ", i - first + 1);
		key_of(fold, head, one);
		what_is_given(fold, one);
	}
	and_more(fold, count - first, ROWS_WITH_KEYS);
}

void overview_one_given(const struct fold *fold, const json_t *one)
{
	cleanup_free char *key = words_of(json_object_get(one, "key"));
	cleanup_free char *cwd = words_of(json_object_get(one, "cwd"));

	fold_field(fold, "  given    ", key, 0, "");
	if (json_object_get(one, "cwd"))
		fold_field(fold, "  cwd      ", cwd, 0, "");
	what_is_given(fold, one);
}

void overview_help(const struct fold *fold)
{
	static const struct {
		const char *key, *what;
	} rows[] = {
	        {"  1 to 9   ", "shows that question, with the keys that answer it"},
	        {"  g        ", "shows what is given until the session ends, to revoke some of it"},
	        {"  ^C       ",
	         "leaves; what is open is then asked where it would be asked without "
	         "an inbox: at the terminal of the command, else nobody says yes"},
	        {"           ", "what an approver or another inbox has answered meanwhile "
	                        "disappears"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		fold_field(fold, rows[i].key, rows[i].what, 0, "");
}
