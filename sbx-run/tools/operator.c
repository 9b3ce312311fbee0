#include "tools/operator.h"

#include "typed/amount.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "document/document.h"
#include "document/options.h"
#include "document/osstring.h"
#include "process/sibling.h"
#include "process/spawn.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

/* The value of an option that the operator gave, "" when it takes none; else NULL. */
static const char *given(const struct arguments *a, const char *name)
{
	const char *found = NULL;

	for (size_t i = 0; i < a->policy_count; i++) {
		const struct option *option = policy_options;

		while (option->name &&
		       (!option->name[0] || strcmp(option->name, a->policy[i] + strlen("--")) != 0))
			option++;
		if (option->name && strcmp(option->name, name) == 0)
			found = option->argument ? a->policy[i + 1] : "";
		/* A value may look like an option. */
		if (option->name && option->argument)
			i++;
	}
	return found;
}

void operator_words(struct strings *words, const struct arguments *a, bool document)
{
	static const char *const of_the_command[] = {"--timeout", "--require", "--forbid", NULL};

	for (size_t i = 0; i < a->policy_count; i++) {
		const struct option *option = policy_options;
		bool left_out = document && word_among(a->policy[i], of_the_command);

		while (option->name && strcmp(option->name, a->policy[i] + strlen("--")) != 0)
			option++;
		if (!left_out)
			strings_add(words, xstrdup(a->policy[i]));
		if (!option->argument)
			continue;
		i++;
		if (!left_out)
			strings_add(words, xstrdup(a->policy[i]));
	}
}

int64_t operator_timeout(const struct arguments *a)
{
	const char *text = given(a, "timeout");
	int64_t ms = 0;

	/* sbx-policy has read it at the start. */
	return text && duration_parse(text, &ms) == 0 ? ms : 0;
}

const char *operator_preference(const struct arguments *a)
{
	return preference_names[given(a, "require")  ? PREFERENCE_REQUIRE
	                        : given(a, "forbid") ? PREFERENCE_FORBID
	                                             : PREFERENCE_AUTO];
}

char *operator_workspace(const struct server *server)
{
	struct error none = {0};
	char *path =
	        os_string_get(json_object_get(server->policy, "workspace"), "workspace", &none);

	return path ? path : xstrdup("/");
}

/* A person at a form: not a client that can only open an address. */
static bool shows_forms(const json_t *capabilities)
{
	const json_t *forms = json_object_get(capabilities, "elicitation");

	return json_is_object(forms) &&
	       (json_object_get(forms, "form") || !json_object_get(forms, "url"));
}

enum asked operator_asks(const struct server *server, const struct request *request, bool pty)
{
	const struct arguments *a = server->arguments;
	const json_t *configured =
	        json_object_get(json_object_get(server->policy, "sbx"), "approver");

	if (request->to.version >= VERSION_2025_06 && shows_forms(request->capabilities))
		return ASKED_CLIENT;
	/*
	 * Nothing about a terminal is asked where it can be answered there: who types into it
	 * is the model, and /dev/tty of a program that asks is that terminal.
	 */
	if (a->approver_said)
		return pty && a->approver.kind == APPROVER_PROGRAM ? ASKED_NOBODY : ASKED_APPROVER;
	return !pty && (configured || server->around) ? ASKED_CONFIGURED : ASKED_NOBODY;
}

static int read_policy(int fd, json_t **policy, struct error *err)
{
	struct document_stream *stream = document_stream_open(fd);
	cleanup_json json_t *doc = NULL, *second = NULL;
	int got = document_read(stream, &doc, err);

	/* To its end: who writes must not find nobody there. */
	if (got > 0 && document_read(stream, &second, err) != 0)
		got = -1;
	document_stream_close(stream);
	if (got > 0)
		*policy = json_incref(json_object_get(doc, "policy"));
	return got < 0 ? -1 : 0;
}

int operator_begin(struct server *server, struct error *err)
{
	static const char own[] = "sbx-policy";
	cleanup_free char *path = sibling_path(own, err);
	cleanup_close int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct strings words = {0};
	int ends[2], status;
	pid_t child;

	if (!path)
		return -1;
	if (in < 0)
		return error_system(err, "/dev/null");
	if (pipe_open(ends, err) < 0)
		return -1;
	strings_add(&words, xstrdup("sbx-run"));
	operator_words(&words, server->arguments, false);
	strings_add(&words, xstrdup("--"));
	strings_add(&words, xstrdup("true"));
	child = spawn(path, words.items, environ, in, ends[1], -1, err);
	close(ends[1]);
	status = child < 0 ? -1 : read_policy(ends[0], &server->policy, err);
	close(ends[0]);
	if (child > 0 && spawn_wait(child) != 0 && status == 0)
		/* It has said why. */
		status = error_set(err, EXIT_INPUT, "no-policy",
		                   "--mcp: there is no policy to serve");
	strings_free(&words);
	if (status == 0 && !server->policy)
		return error_set(err, EXIT_INPUT, "no-policy",
		                 "--mcp: there is no policy to serve");
	return status;
}
