#include "stage.h"

#include "cleanup.h"
#include "document.h"
#include "text.h"

#include <signal.h>
#include <stdio.h>
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

void program_begin(const char *name)
{
	program_name = name;
	seed_objects();
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
	complain("%s", err->message);
	return err->exit;
}

int stage_one(json_t *doc, stage_work *work, void *context)
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
	if (document_write(doc, stdout, &err) < 0)
		return stage_fail(&err);
	return status;
}

int stage_stream(stage_work *work, void *context)
{
	struct document_stream *stream = document_stream_open(STDIN_FILENO);
	struct error err = {0};
	int first = 0, got;
	json_t *doc;

	while ((got = document_read(stream, &doc, &err)) > 0) {
		int status = stage_one(doc, work, context);

		json_decref(doc);
		if (first == 0)
			first = status;
	}
	document_stream_close(stream);
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
