/*
 * sbx-policy: configuration, trust, roots -> a resolved policy.
 *
 * A room knows those before it: toml, config, project, entries, repositories,
 * resolve, answer.
 */
#include "answer/answer.h"
#include "answer/kept_caches.h"
#include "config/command_line.h"
#include "document/stage.h"
#include "project/ask_trust.h"
#include "project/remember.h"
#include "resolve/load_settings.h"
#include "resolve/resolve.h"

/* --trust, --untrust, --remember, --forget: about the settings, before any of them is read. */
static int decide(const struct request *request)
{
	const char *directory = request->operands[0] ? request->operands[0] : request->directory;
	struct error err = {0};

	int status = request->question == QUESTION_REMEMBER || request->question == QUESTION_FORGET
	                     ? remember(directory, request, stdout, &err)
	                     : trust_by_option(directory, request, &err);

	return status < 0 ? stage_fail(&err) : 0;
}

/* The settings; those of a project that somebody has just decided about are read again. */
static int load(struct loaded *loaded, const struct request *request, struct notes *notes,
                struct error *err)
{
	struct notes before = {0};
	int status = settings_load(loaded, request, &before, err);

	if (status == 0 && request->ask_trust && trust_is_asked(&loaded->settings)) {
		status = trust_ask(loaded->workspace, &before, err);
		if (status > 0) {
			notes_free(&before);
			before = (struct notes){0};
			loaded_free(loaded);
			*loaded = (struct loaded){0};
			status = settings_load(loaded, request, &before, err);
		}
	}
	notes_move(notes, &before);
	return status;
}

/* --caches: what the helper keeps it also shows. */
static int show_caches(const struct request *request)
{
	struct error err = {0};

	return caches_exec(request, &err) < 0 ? stage_fail(&err) : 0;
}

static int resolve_and_answer(const struct request *request, struct notes *notes)
{
	struct loaded loaded = {0};
	struct policy policy = {0};
	struct error err = {0};
	int status;

	if (load(&loaded, request, notes, &err) == 0)
		policy_resolve(&policy, &loaded, notes, &err);
	notes_print(notes);
	status = answer(request, &loaded, &policy, &err);
	policy_free(&policy);
	loaded_free(&loaded);
	return status;
}

int main(int argc, char **argv)
{
	struct request request;
	struct notes notes = {0};
	struct error err = {0};
	int status;

	stage_begin("sbx-policy");
	if (request_read(&request, argc, argv, &notes, &err) < 0)
		return stage_fail(&err);
	if (request.question == QUESTION_CACHES)
		status = show_caches(&request);
	else if (request.question >= QUESTION_TRUST)
		status = decide(&request);
	else
		status = resolve_and_answer(&request, &notes);
	notes_free(&notes);
	request_free(&request);
	return status;
}
