#include "tools/run_tools.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "mcp/reply.h"
#include "mcp/requests.h"
#include "mcp/running.h"
#include "tools/operator.h"
#include "tools/outcome.h"
#include "tools/start_words.h"

#include <string.h>

/* Taken as it is: our own text is bounded by the line it came in. */
static void give_all(struct feed *feed, char *text, size_t len)
{
	feed->bytes = text;
	feed->used = len;
	feed->last = true;
}

void give_document(struct job *job, const json_t *document)
{
	char *text = xjson(json_text_dump(document, JSON_COMPACT));

	give_all(&job->document, text, strlen(text));
}

void run_begin(struct server *server, struct request *request)
{
	enum asked asked = operator_asks(server, request, false);
	struct beginning how = {.program = "sbx-run", .document = true, .result = true};
	cleanup_free char *why = NULL;
	cleanup_json json_t *document = command_document(server, request, false, &why);
	struct strings words = {0};
	struct job *job;

	if (!document) {
		request_misused(server, request, why);
		return;
	}
	run_words(&words, server, request, asked, true);
	job = running_begin(server, request, asked, &words, &how);
	strings_free(&words);
	if (job)
		give_document(job, document);
}

void patch_begin(struct server *server, struct request *request)
{
	enum asked asked = operator_asks(server, request, false);
	struct beginning how = {.program = "sbx-run", .input = true, .result = true};
	const char *patch = json_string_value(json_object_get(request->arguments, "patch"));
	struct strings words = {0};
	struct job *job;

	run_words(&words, server, request, asked, false);
	strings_add(&words, xstrdup("--apply-patch"));
	job = running_begin(server, request, asked, &words, &how);
	strings_free(&words);
	if (job)
		give_all(&job->input, xstrdup(patch), strlen(patch));
}

void run_look(struct server *server, struct request *request)
{
	const struct job *job = request->job;
	cleanup_free char *text = NULL;
	json_t *data;
	size_t len;

	if (!job || !job->over)
		return;
	data = outcome_data(job);
	text = outcome_text(job, data, &len);
	request_result(server, request,
	               tool_result(request->to.version, text, len, data, outcome_is_failure(data)));
}
