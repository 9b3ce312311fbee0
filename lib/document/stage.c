#include "document/stage.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "document/document.h"
#include "document/json_pool.h"
#include "document/json_text.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

static int set_user_id(void)
{
#ifdef __linux__
	return getauxval(AT_SECURE) != 0;
#else
	return issetugid();
#endif
}

/*
 * jansson would open /dev/urandom for the seed of its tables; the kernel has
 * already given us random bytes.
 */
static void seed_objects(void)
{
#ifdef __linux__
	const void *random = (const void *)getauxval(AT_RANDOM);
	size_t seed = 0;

	if (random)
		memcpy(&seed, random, sizeof(seed));
	json_object_seed(seed);
#endif
}

/*
 * sbx-run starts its stages under its own name: what they say is then said by the
 * program that a person typed.
 */
static void find_speaker(void)
{
#ifdef __linux__
	static const char composer[] = "sbx-run";

	if (strcmp(program_invocation_short_name, composer) == 0)
		speak_as(composer);
#endif
}

void program_begin(const char *name)
{
	program_name = name;
	find_speaker();
	seed_objects();
	json_pool_use();
	if (set_user_id()) {
		complain("refusing to run with privileges from a set-user-id file or capabilities");
		exit(EXIT_SYSTEM);
	}
}

void stage_begin(const char *name)
{
	program_begin(name);
	/* A reader that went away is an error to report, not a silent death. */
	signal(SIGPIPE, SIG_IGN);
}

int stage_fail(const struct error *err)
{
	/* In a pipeline of sbx-run the stage that does not read any more has said why. */
	if (strcmp(err->code, NO_READER) != 0 || speaker() == program_name)
		complain("%s", err->message);
	return err->exit;
}

/* The status of a document, worked on unless it failed before. */
static int work_on(json_t *doc, stage_work *work, void *context)
{
	struct error err = {0};
	int status = document_error(doc);

	if (status == 0) {
		status = work(doc, context, &err);
		if (status < 0) {
			complain("%s", err.message);
			document_fail(doc, program_name, &err);
			status = err.exit;
		}
	}
	return status;
}

int stage_one(json_t *doc, stage_work *work, void *context)
{
	int status = work_on(doc, work, context);
	struct error err = {0};

	if (document_write(doc, stdout, &err) < 0)
		return stage_fail(&err);
	return status;
}

/* The text that came, with the member behind it: most of a document stays as it was. */
static int write_with(const char *text, size_t len, const char *member, const json_t *value,
                      struct json_buffer *buffer, struct error *err)
{
	int status;

	buffer->used = 0;
	json_text_add(buffer, text, len - 1);
	json_text_add(buffer, ",\"", 2);
	json_text_add(buffer, member, strlen(member));
	json_text_add(buffer, "\":", 2);
	status = json_text_write(value, buffer);
	json_text_add(buffer, "}\n", 2);
	if (status == 0 && (fwrite(buffer->text, 1, buffer->used, stdout) != buffer->used ||
	                    fflush(stdout) == EOF))
		status = -1;
	return status < 0 ? document_unwritten(err) : 0;
}

static int add_one(const struct document_stream *stream, json_t *doc, const char *member,
                   stage_work *work, void *context, struct json_buffer *buffer)
{
	bool fresh = member && !json_object_get(doc, member) && !document_error(doc);
	int status = work_on(doc, work, context), written;
	const json_t *value = fresh ? json_object_get(doc, member) : NULL;
	struct error err = {0};
	const char *text;
	size_t len;

	text = document_text(stream, &len);
	if (text && value && !json_object_get(doc, "error"))
		written = write_with(text, len, member, value, buffer, &err);
	else
		written = document_write(doc, stdout, &err);
	return written < 0 ? stage_fail(&err) : status;
}

int stage_stream(stage_work *work, void *context)
{
	return stage_add(NULL, work, context);
}

int stage_add(const char *member, stage_work *work, void *context)
{
	struct document_stream *stream = document_stream_open(STDIN_FILENO);
	struct json_buffer buffer = {0}; /* for all of them: a new one each time costs calls */
	struct error err = {0};
	int first = 0, got;
	json_t *doc;

	while ((got = document_read(stream, &doc, &err)) > 0) {
		int status = add_one(stream, doc, member, work, context, &buffer);

		json_decref(doc);
		if (first == 0)
			first = status;
	}
	document_stream_close(stream);
	free(buffer.text);
	if (got < 0) {
		cleanup_json json_t *failed = json_pack("{s:i}", "sbx", 1);

		complain("%s", err.message);
		document_fail(failed, program_name, &err);
		if (first == 0)
			first = err.exit;
		if (document_write(failed, stdout, &err) < 0)
			complain("%s", err.message);
	}
	return first;
}

int stage_print(stage_work *work, void *context)
{
	struct document_stream *stream = document_stream_open(STDIN_FILENO);
	struct error err = {0};
	int status = 0;
	json_t *doc;

	while (status == 0 && document_read(stream, &doc, &err) > 0) {
		status = document_error(doc);
		if (status == 0)
			status = work(doc, context, &err);
		json_decref(doc);
	}
	document_stream_close(stream);
	if (err.exit == 0 && fflush(stdout) != 0)
		error_system(&err, "writing");
	return err.exit ? stage_fail(&err) : status;
}
