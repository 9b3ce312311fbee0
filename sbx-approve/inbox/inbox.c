#include "inbox/inbox.h"

#include "ask/prompt.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "inbox/overview.h"
#include "policy/hidden.h"
#include "session/client.h"
#include "terminal/question_terminal.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

struct inbox {
	const char *session;
	int calls; /* of the session, when something changes */
	struct tty tty;
	json_t *overview;
	json_int_t newest;  /* of the questions that were seen */
	json_int_t looking; /* at that question; 0: at a list */
	const char *note;
	bool ended, left;
};

/* NULL: the session is gone. */
static json_t *call(struct inbox *in, json_t *message)
{
	cleanup_json json_t *sent = message;
	struct error err = {0};
	cleanup_close int fd = client_connect(in->session, &err);
	json_t *answer = fd < 0 ? NULL : client_call(fd, sent, &err);

	in->ended |= answer == NULL;
	return answer;
}

static json_t *look(struct inbox *in, json_int_t id)
{
	return call(in, xjson(json_pack("{s:s,s:I}", "op", "look", "id", id)));
}

/* Several calls are one. */
static bool is_over(void *context)
{
	struct inbox *in = context;
	cleanup_json json_t *found = NULL;
	char calls[4096];
	ssize_t n = recv(in->calls, calls, sizeof(calls), MSG_DONTWAIT);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return false;
	if (n <= 0) {
		in->ended = true;
		return true;
	}
	if (!in->looking)
		return true;
	found = look(in, in->looking);
	return !found || json_is_true(json_object_get(found, "gone"));
}

static int subscribe(struct inbox *in, struct error *err)
{
	cleanup_json json_t *message = xjson(json_pack("{s:s}", "op", "inbox"));
	cleanup_json json_t *answer = NULL;

	in->calls = client_connect(in->session, err);
	answer = in->calls < 0 ? NULL : client_call(in->calls, message, err);
	return answer ? 0 : -1;
}

static void clear(struct inbox *in)
{
	tty_clear(&in->tty);
	in->tty.fold.columns = fold_columns(in->tty.fd);
}

static bool refresh(struct inbox *in)
{
	const json_t *list, *last;
	json_int_t id;

	json_decref(in->overview);
	in->overview = call(in, xjson(json_pack("{s:s}", "op", "overview")));
	list = json_object_get(in->overview, "waiting");
	last = json_array_get(list, json_array_size(list) - 1);
	id = last ? json_integer_value(json_object_get(last, "id")) : 0;
	if (id > in->newest) {
		in->newest = id;
		fputc('\a', in->tty.fold.out);
	}
	return in->overview != NULL;
}

/* A key, or TTY_RESIZED when the list has to be shown anew. */
static int key_of_list(struct inbox *in)
{
	int key = tty_key(&in->tty);

	if (key == TTY_ENDED && in->tty.over) {
		in->tty.over = false;
		return TTY_RESIZED;
	}
	in->left |= key == 3 || key == 4 || key == TTY_ENDED;
	return key;
}

/* The question as the one who asks built it. */
static int build(struct question *q, const json_t *found, struct error *err)
{
	static const struct rules none;
	struct site_memory memory = {0};
	const json_t *given = json_object_get(json_object_get(found, "request"), "session_grant");

	if (question_build(q, json_object_get(found, "document"), &none, NULL, &memory, err) < 0)
		return -1;
	return given ? grant_get(given, &q->scope, err) : 0;
}

static void send_answer(struct inbox *in, json_t *answer)
{
	cleanup_json json_t *said = call(in, xjson(json_pack("{s:s,s:I,s:o}", "op", "answer", "id",
	                                                     in->looking, "answer", answer)));

	if (said && json_is_true(json_object_get(said, "gone")))
		in->note = "that question was answered elsewhere, or its command has gone";
}

static void show_question(struct inbox *in, json_int_t id)
{
	cleanup_json json_t *found = look(in, id);
	struct question q = {.scope = GRANT_NOTHING};
	struct error err = {0};
	json_t *answer;
	int last = 0;

	if (!found || json_is_true(json_object_get(found, "gone")))
		return;
	if (build(&q, found, &err) < 0) {
		in->note =
		        "that question cannot be shown here; its own terminal or approver has it";
		question_free(&q);
		return;
	}
	in->looking = id;
	clear(in);
	answer = prompt_at_inbox(&in->tty, &q, json_object_get(found, "request"), &last);
	if (answer)
		send_answer(in, answer);
	else if (in->tty.over)
		in->note = "the question is no longer open: answered elsewhere, or its command has "
		           "gone";
	else
		in->left = last != 'l';
	in->tty.over = false;
	in->looking = 0;
	question_free(&q);
}

/* By its key, after all of it was shown: a list may have moved. */
static void take_back(struct inbox *in, const json_t *one)
{
	cleanup_json json_t *said = NULL;

	clear(in);
	overview_one_given(&in->tty.fold, one);
	fputs("  [y] revoke it: it is asked again  [n] back ", in->tty.fold.out);
	if (key_of_list(in) != 'y')
		return;
	said = call(in, xjson(json_pack("{s:s,s:O}", "op", "revoke", "key",
	                                json_object_get(one, "key"))));
	if (said)
		in->note = json_integer_value(json_object_get(said, "revoked")) > 0
		                   ? "revoked; a command that is running keeps what it was given"
		                   : "it had been revoked already";
}

static void show_given(struct inbox *in)
{
	cleanup_json json_t *given = json_incref(json_object_get(in->overview, "given"));
	size_t count = json_array_size(given), first = 0;

	while (count > 0 && !in->left && !in->ended) {
		int key;

		clear(in);
		overview_given(&in->tty.fold, given, first);
		fprintf(in->tty.fold.out, "  [1-9] revoke  %s[n] back ",
		        count > ROWS_WITH_KEYS ? "[m] more  " : "");
		key = key_of_list(in);
		if (key >= '1' && key <= '9' && first + (size_t)(key - '1') < count) {
			take_back(in,
			          json_array_get(given, count - 1 - first - (size_t)(key - '1')));
			return;
		}
		if (key == 'm')
			first = first + ROWS_WITH_KEYS < count ? first + ROWS_WITH_KEYS : 0;
		if (key == 'n')
			return;
	}
}

static void show_help(struct inbox *in)
{
	clear(in);
	overview_help(&in->tty.fold);
	fputs("  [n] back ", in->tty.fold.out);
	while (!in->left && key_of_list(in) == TTY_RESIZED)
		continue;
}

static void show_list(struct inbox *in)
{
	const json_t *list = json_object_get(in->overview, "waiting");
	bool given = json_array_size(json_object_get(in->overview, "given")) > 0;
	size_t count = json_array_size(list);
	int key;

	clear(in);
	overview_show(&in->tty.fold, in->overview, in->note);
	in->note = NULL;
	fprintf(in->tty.fold.out, "  %s%s[?] help  [^C] leave ",
	        count > 1 ? "[1-9] look at one  "
	        : count   ? "[1] look at it  "
	                  : "",
	        given ? "[g] revoke  " : "");
	key = key_of_list(in);
	if (key >= '1' && key <= '9' && (size_t)(key - '1') < count)
		show_question(in, json_integer_value(json_object_get(
		                          json_array_get(list, (size_t)(key - '1')), "id")));
	else if (key == 'g' && given)
		show_given(in);
	else if (key == '?')
		show_help(in);
}

static void work(struct inbox *in)
{
	bool screen = tty_has_screen();

	in->tty.news = in->calls;
	in->tty.is_over = is_over;
	in->tty.context = in;
	/* What stood there comes back. */
	fputs(screen ? "\033[?1049h" : "", in->tty.fold.out);
	while (!in->left && !in->ended && refresh(in))
		show_list(in);
	fputs(screen ? "\033[?1049l" : "\r\n", in->tty.fold.out);
	if (in->ended)
		fold_ready(&in->tty.fold, "sbx-approve: ", "the session has ended");
}

int inbox(const char *session, struct error *err)
{
	struct inbox in = {.session = session, .calls = -1};
	int status = subscribe(&in, err);

	if (status == 0 && tty_open(&in.tty, 0, err) < 0)
		status = strcmp(err->code, "locked") == 0
		                 ? -1
		                 : error_set(err, EXIT_SYSTEM, "no-terminal",
		                             "--inbox needs a terminal, and there is none");
	if (status == 0) {
		status = tty_watch_size(&in.tty, err);
		if (status == 0)
			work(&in);
		tty_close(&in.tty);
	}
	json_decref(in.overview);
	if (in.calls >= 0)
		close(in.calls);
	return status;
}
