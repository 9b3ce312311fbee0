/*
 * Fuzzing what a helper reports.  The first byte says into how large parts the
 * rest is cut, because it comes through a socket.
 *
 * What must hold: nothing crashes or leaks; an exit has a code or a signal of
 * at most one byte; lists stay bounded; what is kept can be written as JSON.
 */
#include "report/helper_events.c"

#include "must.h"

static const char policy[] =
        "{\"sbx\":1,\"command\":{\"argv\":[\"x\"],\"cwd\":\"/tmp\"},"
        "\"policy\":{\"permissions\":{\"fs\":[{\"path\":\"/\",\"access\":\"read\"},"
        "{\"path\":\"/tmp\",\"access\":\"write\"}],\"network\":\"off\"}}}";

static void must_serialise(const json_t *value)
{
	cleanup_free char *text = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;

	must(!value || text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct report report = {.fd = -1, .end = -1};
	struct sink sink = {.fd = -1};
	struct denials denials;
	json_t *doc = json_loads(policy, 0, NULL);
	size_t part = size && data[0] ? data[0] : 1;

	denials_begin(&denials, doc, &sink);
	report.denials = &denials;
	for (size_t at = 1; at < size; at += part)
		take_bytes(&report, (const char *)data + at, part < size - at ? part : size - at);
	must(report.code >= 0 && report.code <= 255 && report.signal >= 0 && report.signal <= 255);
	must(report.exited || (report.code == 0 && report.signal == 0));
	must(json_array_size(report.lost) <= REPORT_LOST_MAX);
	must(json_array_size(denials.list) <= DENIALS_MAX);
	must_serialise(report.lost);
	must_serialise(denials.list);
	denials_free(&denials);
	report_close(&report);
	sink_finish(&sink);
	json_decref(doc);
	return 0;
}
