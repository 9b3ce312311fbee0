#include "mcp/methods.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "mcp/ask_client.h"
#include "mcp/call.h"
#include "rpc/message.h"
#include "mcp/reply.h"
#include "mcp/requests.h"
#include "tools/listed_tools.h"
#include "tools/news.h"

#include <string.h>

/* One batch is not to keep the client's other lines waiting for long. */
#define BATCH_MAX 256

static const char named_version[] = "io.modelcontextprotocol/protocolVersion";
static const char named_capabilities[] = "io.modelcontextprotocol/clientCapabilities";
static const char instructions[] =
        "Commands run in a sandbox whose policy the operator chose: explain_policy says what they "
        "may do. What was denied is in the result of run as data, with the least that would "
        "allow it; ask for that in the next call with additional_permissions or hosts.";

bool client_has(const json_t *capabilities, const char *name)
{
	return json_is_object(json_object_get(capabilities, name));
}

static json_t *own_capabilities(void)
{
	return xjson(json_pack("{s:{},s:{}}", "tools", "logging"));
}

static void initialize(struct server *server, const struct addressee *to, json_t *params)
{
	const char *wanted = plain_text(json_object_get(params, "protocolVersion"));
	json_t *capabilities = json_object_get(params, "capabilities");

	if (server->version != VERSION_NONE) {
		reply_error(server, to, RPC_NOT_A_REQUEST, "initialize: this was done already",
		            NULL);
		return;
	}
	if (!wanted || !json_is_object(capabilities)) {
		reply_error(server, to, RPC_WRONG_PARAMS,
		            "initialize: expected protocolVersion and capabilities", NULL);
		return;
	}
	server->version = version_agreed(wanted);
	server->capabilities = json_incref(capabilities);
	reply_result(
	        server, to,
	        xjson(json_pack("{s:s,s:o,s:o,s:s}", "protocolVersion",
	                        version_name(server->version), "capabilities", own_capabilities(),
	                        "serverInfo", own_name(), "instructions", instructions)));
}

static void discover(struct server *server, const struct addressee *to, json_t *params)
{
	(void)params;
	reply_result(server, to,
	             xjson(json_pack("{s:o,s:o,s:s,s:i,s:s}", "supportedVersions", versions_named(),
	                             "capabilities", own_capabilities(), "instructions",
	                             instructions, "ttlMs", 3600000, "cacheScope", "public")));
}

static void ping(struct server *server, const struct addressee *to, json_t *params)
{
	(void)params;
	reply_result(server, to, xjson(json_object()));
}

static void list_tools(struct server *server, const struct addressee *to, json_t *params)
{
	json_t *result;

	/* There is one page, and no way to a second. */
	if (json_object_get(params, "cursor")) {
		reply_error(server, to, RPC_WRONG_PARAMS, "cursor: unknown", NULL);
		return;
	}
	result = xjson(json_pack("{s:o}", "tools", tools_listed(server->tools, to->version)));
	if (to->version >= VERSION_2026_07) {
		json_object_set_new(result, "ttlMs", json_integer(3600000));
		json_object_set_new(result, "cacheScope", json_string("public"));
	}
	reply_result(server, to, result);
}

static void set_level(struct server *server, const struct addressee *to, json_t *params)
{
	int level = log_level_of(json_object_get(params, "level"));

	if (level < 0) {
		reply_error(server, to, RPC_WRONG_PARAMS, "level: unknown", NULL);
		return;
	}
	server->log_level = level;
	reply_result(server, to, xjson(json_object()));
}

static const struct method {
	const char *name;
	void (*act)(struct server *server, const struct addressee *to, json_t *params);
	enum version first, last; /* which know it */
	bool early;               /* before the handshake, too */
} methods[] = {
        {"initialize", initialize, VERSION_NONE, VERSION_2025_11, true},
        {"ping", ping, VERSION_NONE, VERSION_2025_11, true},
        {"logging/setLevel", set_level, VERSION_NONE, VERSION_2025_11, false},
        {"tools/list", list_tools, VERSION_NONE, VERSION_2026_07, false},
        {"tools/call", call_tool, VERSION_NONE, VERSION_2026_07, false},
        {"server/discover", discover, VERSION_2026_07, VERSION_2026_07, false},
};

/* What a request says of itself, where it has to; false: it was answered. */
static bool read_meta(struct server *server, struct addressee *to, json_t *params)
{
	const json_t *meta = json_object_get(params, "_meta");
	const json_t *named = json_object_get(meta, named_version);

	if (!named)
		return true;
	to->version = version_named(plain_text(named));
	if (to->version == VERSION_NONE) {
		to->version = server->version;
		reply_error(server, to, RPC_UNKNOWN_VERSION, "Unsupported protocol version",
		            xjson(json_pack("{s:o,s:O}", "supported", versions_named(), "requested",
		                            named)));
		return false;
	}
	if (json_is_object(json_object_get(meta, named_capabilities)))
		return true;
	reply_error(server, to, RPC_WRONG_PARAMS,
	            "_meta: io.modelcontextprotocol/clientCapabilities is missing", NULL);
	return false;
}

static void act(struct server *server, struct addressee *to, const struct message *m)
{
	const struct method *method = NULL;

	if (!read_meta(server, to, m->params))
		return;
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (strcmp(methods[i].name, m->method) == 0 && to->version >= methods[i].first &&
		    to->version <= methods[i].last)
			method = &methods[i];
	if (to->version == VERSION_NONE && (!method || !method->early))
		reply_error(server, to, RPC_NOT_A_REQUEST,
		            "initialize first, or name io.modelcontextprotocol/protocolVersion",
		            NULL);
	else if (!method)
		reply_error(server, to, RPC_UNKNOWN_METHOD, "there is no such method", NULL);
	else
		method->act(server, to, m->params);
}

static void hear_request(struct server *server, const struct message *m, struct batch *batch)
{
	struct addressee to = {.id = m->id, .version = server->version, .batch = batch};

	if (request_find(server, m->id))
		reply_error(server, &to, RPC_NOT_A_REQUEST,
		            "id: a request with the same one is not answered yet", NULL);
	else
		act(server, &to, m);
}

/* Nothing is ever answered to it, and what nobody knows is passed over. */
static void hear_notification(struct server *server, const struct message *m)
{
	if (strcmp(m->method, "notifications/cancelled") == 0) {
		call_cancelled(server, json_object_get(m->params, "requestId"));
	} else if (strcmp(m->method, "notifications/initialized") == 0 &&
	           server->version != VERSION_NONE && !server->initialized) {
		server->initialized = true;
		ask_for_roots(server);
	} else if (strcmp(m->method, "notifications/roots/list_changed") == 0 &&
	           server->initialized) {
		ask_for_roots(server);
	}
}

static void hear(struct server *server, json_t *value, struct batch *batch)
{
	struct addressee to = {.version = server->version, .batch = batch};
	struct message m;

	message_read(value, &m);
	switch (m.kind) {
	case MESSAGE_REQUEST:
		hear_request(server, &m, batch);
		return;
	case MESSAGE_NOTIFICATION:
		hear_notification(server, &m);
		break;
	case MESSAGE_RESPONSE:
		client_answered(server, m.id, m.result);
		break;
	case MESSAGE_WRONG:
		to.id = m.id;
		reply_error(server, &to, RPC_NOT_A_REQUEST, m.why, NULL);
		return;
	}
	reply_nothing(server, &to);
}

/* One version has them; in it a handshake is no part of one. */
static void hear_batch(struct server *server, json_t *list)
{
	struct addressee to = {.version = server->version};
	size_t count = json_array_size(list);
	struct batch *batch;

	if (server->version != VERSION_2025_03 || count == 0 || count > BATCH_MAX) {
		reply_error(server, &to, RPC_NOT_A_REQUEST,
		            server->version != VERSION_2025_03 ? "batches are of version 2025-03-26"
		            : count == 0                       ? "an empty batch"
		                                               : "a batch of more than 256",
		            NULL);
		return;
	}
	batch = xcalloc(1, sizeof(*batch));
	batch->answers = xjson(json_array());
	/* One more, so that it is not over before all of it was heard. */
	batch->waiting = count + 1;
	for (size_t i = 0; i < count; i++)
		hear(server, json_array_get(list, i), batch);
	to.batch = batch;
	reply_nothing(server, &to);
}

static bool is_blank(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!strchr(" \t\r", text[i]) || !text[i])
			return false;
	return true;
}

/* Somebody waits for the answer to a request with half of an emoji or 30 digits in it. */
static void refuse_text(struct server *server, const char *text, size_t len)
{
	cleanup_json json_t *mended = message_parse_mended(text, len);
	struct addressee to = {.version = server->version};
	struct message m = {.kind = MESSAGE_WRONG};

	if (mended)
		message_read(mended, &m);
	if (m.kind == MESSAGE_REQUEST)
		to.id = m.id;
	reply_error(
	        server, &to, RPC_NOT_JSON,
	        to.id ? "half of a character (\\ud800 to \\udfff are no text alone), or a number "
	                "that is too large"
	              : "not JSON in UTF-8",
	        NULL);
}

void line_heard(struct server *server, const char *text, size_t len)
{
	cleanup_json json_t *value = NULL;

	if (is_blank(text, len))
		return;
	value = message_parse(text, len);
	if (!value)
		refuse_text(server, text, len);
	else if (json_is_array(value))
		hear_batch(server, value);
	else
		hear(server, value, NULL);
}

void long_line_heard(struct server *server)
{
	struct addressee to = {.version = server->version};

	reply_error(server, &to, RPC_NOT_JSON, "a line of more than 16 MiB", NULL);
}
