#include "command_document.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/document.h"
#include "document/json_pool.h"

#include <string.h>

static int read_document(int fd, json_t **doc, struct error *err)
{
	struct document_stream *stream = document_stream_open(fd);
	cleanup_json json_t *second = NULL;
	int got = document_read(stream, doc, err);

	if (got == 0)
		got = error_set(err, EXIT_INPUT, "bad-document", "--command-fd: no document");
	else if (got > 0 && document_read(stream, &second, err) != 0)
		got = error_set(err, EXIT_INPUT, "bad-document",
		                "--command-fd: more than one document");
	document_stream_close(stream);
	return got > 0 ? 0 : -1;
}

int command_document_take(struct arguments *a, struct error *err)
{
	cleanup_json json_t *doc = NULL, *only = NULL;
	json_t *command;

	if (read_document(a->command_fd, &doc, err) < 0)
		return -1;
	command = json_object_get(doc, "command");
	if (!json_is_object(command) || json_object_get(doc, "error"))
		return error_set(err, EXIT_INPUT, "bad-document",
		                 "--command-fd: the document has no command");
	only = xjson(json_pack("{s:i,s:O}", "sbx", 1, "command", command));
	a->input = xjson(json_text_dump(only, JSON_COMPACT));
	a->input_len = strlen(a->input);
	return 0;
}
