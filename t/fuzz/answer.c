/*
 * Fuzzing the answer of an approver.
 *
 * What must hold: nothing crashes or leaks; there is always a decision, and
 * only an object that says so approves.
 */
#include "program/answer.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "must.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup_free char *text = xstrndup((const char *)data, size);
	cleanup_json json_t *answer = answer_read(text);
	const char *decision = answer_decision(answer);

	must(answer && decision);
	must(!answer_approves(answer) || strncmp(decision, "approved", 8) == 0);
	must(!answer_approves(answer) || strstr(text, "approved") || strstr(text, "\\u"));
	return 0;
}
