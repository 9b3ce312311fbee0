/*
 * What does a line of the client say?
 *
 * JSON-RPC 2.0 as MCP has it: an id is a string or a whole number, params are an
 * object.
 */
#ifndef SBX_RUN_RPC_MESSAGE_H
#define SBX_RUN_RPC_MESSAGE_H

#include <jansson.h>
#include <stddef.h>

enum rpc_error {
	RPC_NOT_JSON = -32700,
	RPC_NOT_A_REQUEST = -32600,
	RPC_UNKNOWN_METHOD = -32601,
	RPC_WRONG_PARAMS = -32602,
	RPC_FAILED = -32603,
	RPC_UNKNOWN_VERSION = -32022,
};

enum message_kind {
	MESSAGE_WRONG,
	MESSAGE_REQUEST,
	MESSAGE_NOTIFICATION,
	MESSAGE_RESPONSE,
};

/* Everything in it is the value's. */
struct message {
	enum message_kind kind;
	json_t *id; /* NULL: none that can be repeated */
	const char *method;
	json_t *params; /* or NULL */
	json_t *result; /* of a response; NULL: it is an error */
	const char *why;
};

/* A new reference to any value; NULL: it is not JSON, or too many values of it. */
json_t *message_parse(const char *text, size_t len);

/*
 * The same where \ud800 to \udfff stand alone or a number is larger than any of ours, which
 * programs and models write and JSON readers refuse: with U+FFFD and 0 for each, so
 * that who asked can be told.
 */
json_t *message_parse_mended(const char *text, size_t len);
void message_read(json_t *value, struct message *message);

/* The text of a string without a NUL in it; NULL: it is none. */
const char *plain_text(const json_t *value);

#endif
