#include "tools/news.h"

#include "base/memory.h"
#include "base/strings.h"
#include "jobs/characters.h"
#include "mcp/reply.h"
#include "rpc/message.h"

#include <string.h>

#define NEWS_MS    50
#define NEWS_BYTES 16384

int log_level_of(const json_t *word)
{
	static const char *const levels[] = {"debug",    "info",  "notice",    "warning", "error",
	                                     "critical", "alert", "emergency", NULL};

	return word_index(levels, plain_text(word));
}

static bool wants_log(const struct request *request)
{
	return request->log_level >= 0 && request->log_level <= LOG_INFO;
}

static bool wants_news(const struct request *request)
{
	return request->token || wants_log(request);
}

static void tell(struct server *server, struct request *request, const char *text, size_t len)
{
	json_t *shown = readable(text, len);

	if (request->token) {
		/* Never the same number twice, though some of it may have been dropped. */
		json_t *params = xjson(json_pack("{s:O,s:I}", "progressToken", request->token,
		                                 "progress", (json_int_t)request->job->printed));

		if (request->to.version >= VERSION_2025_03)
			json_object_set(params, "message", shown);
		notify(server, "notifications/progress", params);
	}
	if (wants_log(request))
		notify(server, "notifications/message",
		       xjson(json_pack("{s:s,s:s,s:{s:O,s:O}}", "level", "info", "logger",
		                       request->tool->name, "data", "request", request->to.id,
		                       "output", shown)));
	json_decref(shown);
}

bool news_are_heard(const struct server *server, const struct job *job)
{
	for (size_t i = 0; i < server->request_count; i++)
		if (server->requests[i]->job == job && !server->requests[i]->answered)
			return wants_news(server->requests[i]);
	return false;
}

/* Not a message for every byte. */
static bool news_are_due(const struct server *server, const struct job *job)
{
	return job->over || job->news_used >= NEWS_BYTES || server->now - job->news_at >= NEWS_MS;
}

int64_t news_until(const struct server *server)
{
	int64_t first = 0;

	for (size_t i = 0; i < server->job_count; i++) {
		const struct job *job = server->jobs[i];
		int64_t due = job->news_at + NEWS_MS;

		if (job->news_used > 0 && news_are_heard(server, job) && (!first || due < first))
			first = due;
	}
	return first;
}

void send_news(struct server *server, struct request *request)
{
	struct job *job = request->job;
	size_t len;

	if (!job || job->news_used == 0 || !news_are_due(server, job))
		return;
	job->news_at = server->now;
	len = whole_characters(job->news, job->news_used);
	if (len == 0)
		return;
	if (wants_news(request) && outbox_waiting(&server->out) < OUTBOX_BUSY)
		tell(server, request, job->news, len);
	memmove(job->news, job->news + len, job->news_used - len);
	job->news_used -= len;
}
