#include "report/timed_out.h"

#include "typed/amount.h"
#include "base/cleanup.h"
#include "base/memory.h"

char *timed_out_line(const json_t *doc)
{
	const json_t *command = json_object_get(doc, "command");
	json_int_t limit = json_integer_value(json_object_get(command, "timeout_ms"));
	cleanup_free char *text = NULL;

	if (!json_is_true(json_object_get(json_object_get(doc, "result"), "timed_out")))
		return NULL;
	text = duration_text(limit);
	return xasprintf("timed out after %s, and was ended (--timeout)", text);
}
