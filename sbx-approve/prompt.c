#include "prompt.h"

#include "cleanup.h"
#include "json_pool.h"
#include "learned.h"
#include "memory.h"
#include "osstring.h"
#include "path.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <termios.h>
#include <unistd.h>

/* More than this of a command is shown only on demand, and never just its head. */
#define SHOWN_HEAD 1200
#define SHOWN_TAIL 600

struct terminal {
	int fd;
	FILE *out;
	struct termios before;
};

static int open_terminal(struct terminal *t)
{
	struct termios raw;

	t->fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (t->fd < 0)
		return -1;
	t->out = fdopen(dup(t->fd), "w");
	/* One question at a time, however many programs share the terminal. */
	if (!t->out || flock(t->fd, LOCK_EX) < 0 || tcgetattr(t->fd, &t->before) < 0) {
		if (t->out)
			fclose(t->out);
		close(t->fd);
		return -1;
	}
	raw = t->before;
	/* Keys one by one; ^C is an answer too, so that the settings come back. */
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	/* What was typed before the question was seen is no answer to it. */
	tcsetattr(t->fd, TCSAFLUSH, &raw);
	return 0;
}

static void close_terminal(struct terminal *t)
{
	fflush(t->out);
	tcsetattr(t->fd, TCSAFLUSH, &t->before);
	fclose(t->out);
	close(t->fd);
}

/* One key; a paste or the sequence of a function key is none.  0: end. */
static int read_key(const struct terminal *t)
{
	for (;;) {
		char bytes[64];
		ssize_t n;

		fflush(t->out);
		n = read(t->fd, bytes, sizeof(bytes));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return 0;
		while (n > 1 && (bytes[n - 1] == '\r' || bytes[n - 1] == '\n'))
			n--;
		if (n == 1 && bytes[0] != '\r' && bytes[0] != '\n')
			return (unsigned char)bytes[0];
		if (n > 1)
			fprintf(t->out, "(one key)");
	}
}

static void line(const struct terminal *t, const char *label, const char *text)
{
	cleanup_free char *clean = text_clean(text);

	fprintf(t->out, "  %-8s %s\r\n", label, clean);
}

static char *whole_command(const struct question *q)
{
	char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);
	bool patch = strcmp(q->command.tool, "patch") == 0;

	for (char *const *word = q->command.argv; f && !patch && *word; word++) {
		cleanup_free char *quoted = text_quote(*word);

		fprintf(f, "%s%s", word == q->command.argv ? "" : " ", quoted);
	}
	if (patch)
		fputs(q->key, f);
	if (!f || fclose(f) != 0)
		return xstrdup(q->key);
	return out;
}

/* Cleaned first, so that no cut goes through a character's replacement. */
static bool show_command(const struct terminal *t, const char *command, bool all)
{
	cleanup_free char *clean = text_clean(command);
	size_t len = strlen(clean), head = SHOWN_HEAD, tail = len - SHOWN_TAIL;

	if (all || len <= SHOWN_HEAD + SHOWN_TAIL) {
		fprintf(t->out, "  command  %s\r\n", clean);
		return false;
	}
	while (((unsigned char)clean[head] & 0xc0) == 0x80)
		head--;
	while (((unsigned char)clean[tail] & 0xc0) == 0x80)
		tail++;
	fprintf(t->out, "  command  %.*s\r\n", (int)head, clean);
	fprintf(t->out,
	        "           [... %zu bytes of the command are NOT shown here: v shows them ...]\r\n",
	        tail - head);
	fprintf(t->out, "           %s\r\n", clean + tail);
	return true;
}

static void show_json(const struct terminal *t, const char *label, const json_t *value)
{
	cleanup_free char *text = json_is_string(value)
	                                  ? xstrdup(json_string_value(value))
	                                  : json_text_dump(value, JSON_COMPACT | JSON_ENCODE_ANY);

	if (text && !json_is_null(value))
		line(t, label, text);
}

/* More of them are counted: what is given for all of them is listed with the keys. */
#define DENIALS_SHOWN 12

static void show_denials(const struct terminal *t, const json_t *denials)
{
	size_t i, count = json_array_size(denials);
	json_t *denial;

	json_array_foreach (denials, i, denial) {
		const char *op = json_string_value(json_object_get(denial, "op"));
		const char *call = json_string_value(json_object_get(denial, "syscall"));
		const json_t *what = json_object_get(denial, "path");
		struct error ignored;
		cleanup_free char *path = what ? os_string_get(what, "path", &ignored) : NULL;
		const char *address = json_string_value(json_object_get(denial, "address"));
		cleanup_free char *text = xasprintf("%s %s", op ? op : "?",
		                                    path      ? path
		                                    : address ? address
		                                    : call    ? call
		                                              : "");

		if (i == DENIALS_SHOWN)
			break;
		line(t, "denied", text);
	}
	if (count > DENIALS_SHOWN)
		fprintf(t->out, "           and %zu more\r\n", count - DENIALS_SHOWN);
}

static void show(const struct terminal *t, const json_t *request)
{
	const json_t *risk = json_object_get(request, "risk");
	const char *level = json_string_value(json_object_get(risk, "level"));
	const char *description = json_string_value(json_object_get(risk, "description"));

	show_json(t, "cwd", json_object_get(request, "cwd"));
	show_json(t, "source", json_object_get(request, "source"));
	show_json(t, "reason", json_object_get(request, "reason"));
	show_json(t, "says", json_object_get(request, "justification"));
	if (level) {
		cleanup_free char *text =
		        xasprintf("%s: %s", level, description ? description : "");

		line(t, "risk", text);
	}
	show_denials(t, json_object_get(request, "denials"));
}

/* The directory that holds every file of a patch, or NULL. */
static char *common_directory(const json_t *files)
{
	cleanup_free char *common = NULL;

	for (size_t i = 0; i < json_array_size(files); i++) {
		const char *file = json_string_value(json_array_get(files, i));

		if (!file || !path_is_normal(file))
			return NULL;
		if (!common)
			common = path_parent(file);
		while (!path_contains(common, file)) {
			cleanup_free char *lower = common;

			common = path_parent(lower);
		}
	}
	return common && strcmp(common, "/") != 0 ? keep_ptr(common) : NULL;
}

/* The rule is shown exactly as it will be saved, and changed until it is right. */
static json_t *ask_rule(const struct terminal *t, const struct question *q)
{
	struct reach reach = {0};
	struct error err = {0};
	cleanup_free char *file = learned_file(&err);

	if (!file) {
		line(t, "error", err.message);
		return NULL;
	}
	for (;;) {
		cleanup_free char *rule = learned_rule(q, &reach);
		int key;

		if (!rule)
			return NULL;
		line(t, "rule", rule);
		line(t, "file", file);
		fprintf(t->out,
		        "  save?    [y] yes, as shown  [e] everywhere, not only in the project  "
		        "[d] for one day  [n] back ");
		key = read_key(t);
		fprintf(t->out, "%c\r\n", key >= 'a' && key <= 'z' ? key : ' ');
		switch (key) {
		case 'y':
			return xjson(json_pack("{s:s,s:s}", "decision", "approved", "rule", rule));
		case 'e':
			reach.everywhere = !reach.everywhere;
			break;
		case 'd':
			reach.one_day = !reach.one_day;
			break;
		case 'n':
		case 3:
		case 0:
			return NULL;
		}
	}
}

struct choices {
	json_t *grant;     /* w, s */
	json_t *sensitive; /* what in it is marked */
	char *directory;   /* w, for a patch */
	bool rule;         /* r */
	bool cut;          /* v */
};

/* Every single thing, with a mark where it is more than a place to write to. */
static void show_grant(const struct terminal *t, const struct choices *c)
{
	static const char *const lists[][2] = {
	        {"write", "write"}, {"read", "read"}, {"unix_sockets", "connect to"}};
	const char *network = json_string_value(json_object_get(c->grant, "network"));

	for (size_t m = 0; m < sizeof(lists) / sizeof(lists[0]); m++) {
		size_t i;
		json_t *value;

		json_array_foreach (json_object_get(c->grant, lists[m][0]), i, value) {
			struct error ignored = {0};
			cleanup_free char *path = os_string_get(value, "grant", &ignored);
			cleanup_free char *clean = text_clean(path ? path : "?");
			const char *why =
			        path ? json_string_value(json_object_get(c->sensitive, path))
			             : NULL;
			cleanup_free char *mark = text_clean(why ? why : "");

			fprintf(t->out, "      %s %s%s%s\r\n", lists[m][1], clean,
			        why ? "   !! " : "", mark);
		}
	}
	if (network)
		fprintf(t->out, "      network %s%s\r\n", network,
		        strcmp(network, "on") == 0 ? "   !! everything that the host can reach"
		                                   : "");
}

static void show_keys(const struct terminal *t, const struct choices *c, bool in_session)
{
	const char *once = in_session ? "" : " (there is none: once)";

	if (c->grant) {
		fprintf(t->out,
		        "  [w] in the sandbox, with just this, once  [s] for the session%s\r\n",
		        once);
		show_grant(t, c);
		fprintf(t->out,
		        "  [y] OUTSIDE the sandbox, once  [a] OUTSIDE, for the session%s\r\n ",
		        once);
	} else {
		fprintf(t->out, "  [y] yes, once  [a] yes, for the session%s", once);
	}
	if (c->directory) {
		cleanup_free char *clean = text_clean(c->directory);

		fprintf(t->out, "\r\n  [w] all files below %s, for the session\r\n ", clean);
	}
	fprintf(t->out, "%s%s  [n] no  [q] abort ", c->rule ? "  [r] save a rule" : "",
	        c->cut ? "  [v] show all of it" : "");
}

/* Where less was offered, consent to run outside has to be said in so many words. */
static json_t *decision(const char *word, bool outside)
{
	return outside ? xjson(json_pack("{s:s,s:{s:s}}", "decision", word, "grant", "sandbox",
	                                 "none"))
	               : xjson(json_pack("{s:s}", "decision", word));
}

/* NULL: not one of the keys, or back from a rule. */
static json_t *take_key(const struct terminal *t, const struct question *q, const struct choices *c,
                        const char *command, int key)
{
	switch (key) {
	case 'y':
		return decision("approved", c->grant != NULL);
	case 'a':
		return decision("approved_for_session", c->grant != NULL);
	case 'w':
		if (c->grant)
			return xjson(
			        json_pack("{s:s,s:O}", "decision", "approved", "grant", c->grant));
		if (c->directory)
			return xjson(json_pack("{s:s,s:s}", "decision", "approved_for_session",
			                       "grant_root", c->directory));
		return NULL;
	case 's':
		return c->grant ? xjson(json_pack("{s:s,s:O}", "decision", "approved_for_session",
		                                  "grant", c->grant))
		                : NULL;
	case 'r':
		return c->rule ? ask_rule(t, q) : NULL;
	case 'v':
		show_command(t, command, true);
		return NULL;
	case 'n':
		return decision("denied", false);
	case 'q':
	case 3: /* ^C */
	case 4: /* ^D */
	case 0:
		return decision("abort", false);
	}
	return NULL;
}

json_t *prompt_ask(const struct question *q, const json_t *request, bool in_session)
{
	cleanup_free char *command = whole_command(q);
	cleanup_free char *rule = learned_rule(q, &(struct reach){0});
	struct choices c = {.rule = rule != NULL};
	json_t *answer = NULL;
	struct terminal t;

	if (open_terminal(&t) < 0)
		return NULL;
	if (q->judgement.want == WANT_PATCH)
		c.directory = common_directory(json_object_get(request, "files"));
	else
		c.grant = json_incref(json_object_get(request, "grant"));
	c.sensitive = json_object_get(request, "sensitive");
	fprintf(t.out, "\r\nsbx-approve: may this run%s?\r\n",
	        c.grant               ? " again"
	        : question_outside(q) ? " OUTSIDE the sandbox"
	                              : "");
	c.cut = show_command(&t, command, false);
	show(&t, request);
	while (!answer) {
		int key;

		show_keys(&t, &c, in_session);
		key = read_key(&t);
		fprintf(t.out, "%c\r\n", key >= 'a' && key <= 'z' ? key : ' ');
		answer = take_key(&t, q, &c, command, key);
	}
	close_terminal(&t);
	json_decref(c.grant);
	free(c.directory);
	return answer;
}
