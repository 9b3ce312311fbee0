/*
 * Fuzzing the lines of the system log that sbx-seatbelt reads.  What begins
 * with "{" is a line as it is; any other text is put into the message of one.
 *
 * What must hold: nothing crashes or leaks; a denial has an operation and a
 * count, is the same as itself, and can be written as JSON.
 */
#include "../../sbx-seatbelt/denial.h"
#include "base/cleanup.h"
#include "must.h"

#include <stdlib.h>
#include <string.h>

static void take(const char *line, size_t len)
{
	cleanup_json json_t *json = NULL;
	cleanup_free char *text = NULL;
	struct denial denial;

	if (!denial_parse(line, len, &denial))
		return;
	must(denial.operation && denial.operation[0] && denial.program && denial.count > 0);
	must(denial_same(&denial, &denial));
	json = denial_json(&denial);
	text = json_dumps(json, JSON_COMPACT);
	must(json && text);
	denial_free(&denial);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup_json json_t *line = NULL;
	cleanup_free char *text = NULL;

	if (size && data[0] == '{') {
		take((const char *)data, size);
		return 0;
	}
	line = json_pack("{s:s%,s:s}", "eventMessage", (const char *)data, size, "messageType",
	                 "Error");
	if (!line)
		return 0; /* not UTF-8 */
	text = json_dumps(line, JSON_COMPACT);
	must(text);
	take(text, strlen(text));
	return 0;
}
