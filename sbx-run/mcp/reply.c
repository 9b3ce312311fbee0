#include "mcp/reply.h"

#include "base/memory.h"
#include "jobs/characters.h"

#include <string.h>

static void send_or_gather(struct server *server, struct batch *batch, json_t *message)
{
	if (batch) {
		json_array_append_new(batch->answers, message);
	} else {
		outbox_add(&server->out, message);
		json_decref(message);
	}
}

/* With the last of them all are sent. */
static void one_less(struct server *server, struct batch *batch)
{
	if (!batch || --batch->waiting > 0)
		return;
	if (json_array_size(batch->answers) > 0)
		outbox_add(&server->out, batch->answers);
	json_decref(batch->answers);
	free(batch);
}

static json_t *id_of(const struct addressee *to)
{
	return to->id ? json_incref(to->id) : json_null();
}

json_t *own_name(void)
{
	return xjson(json_pack("{s:s,s:s}", "name", "sbx", "version", SBX_VERSION));
}

/* What every result says from that version on. */
static void dress(json_t *result)
{
	if (!json_object_get(result, "resultType"))
		json_object_set_new(result, "resultType", json_string("complete"));
	json_object_set_new(
	        result, "_meta",
	        xjson(json_pack("{s:o}", "io.modelcontextprotocol/serverInfo", own_name())));
}

void reply_result(struct server *server, const struct addressee *to, json_t *result)
{
	if (to->version >= VERSION_2026_07)
		dress(result);
	send_or_gather(server, to->batch,
	               xjson(json_pack("{s:s,s:o,s:o}", "jsonrpc", "2.0", "id", id_of(to), "result",
	                               result)));
	one_less(server, to->batch);
}

void reply_error(struct server *server, const struct addressee *to, enum rpc_error code,
                 const char *why, json_t *data)
{
	json_t *error = xjson(
	        json_pack("{s:i,s:o}", "code", (int)code, "message", readable(why, strlen(why))));

	if (data)
		json_object_set_new(error, "data", data);
	send_or_gather(server, to->batch,
	               xjson(json_pack("{s:s,s:o,s:o}", "jsonrpc", "2.0", "id", id_of(to), "error",
	                               error)));
	one_less(server, to->batch);
}

void reply_nothing(struct server *server, const struct addressee *to)
{
	one_less(server, to->batch);
}

json_t *tool_result(enum version version, const char *text, size_t len, json_t *data, bool failed)
{
	json_t *result = xjson(json_pack("{s:[{s:s,s:o}],s:b}", "content", "type", "text", "text",
	                                 readable(text, len), "isError", failed));

	if (data && version >= VERSION_2025_06)
		json_object_set(result, "structuredContent", data);
	json_decref(data);
	return result;
}

void notify(struct server *server, const char *method, json_t *params)
{
	json_t *message = xjson(
	        json_pack("{s:s,s:s,s:o}", "jsonrpc", "2.0", "method", method, "params", params));

	outbox_add(&server->out, message);
	json_decref(message);
}
