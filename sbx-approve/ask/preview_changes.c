#include "ask/preview_changes.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"

const json_t *preview_changes(const json_t *doc)
{
	const json_t *changes = json_object_get(json_object_get(doc, "result"), "changes");

	return json_is_true(json_object_get(changes, "asked")) &&
	                       json_is_array(json_object_get(changes, "list")) &&
	                       json_is_string(json_object_get(changes, "id"))
	               ? changes
	               : NULL;
}

void preview_changes_request(const json_t *doc, json_t *request)
{
	const json_t *changes = preview_changes(doc);

	if (!changes)
		return;
	json_object_set(request, "changes", json_object_get(changes, "list"));
	if (json_object_get(changes, "diff"))
		json_object_set(request, "diff", json_object_get(changes, "diff"));
}

char *preview_change_line(const json_t *change)
{
	static const char unknown[] = "?";
	const char *kind = json_string_value(json_object_get(change, "kind"));
	const char *mode = json_string_value(json_object_get(change, "mode"));
	const char *old = json_string_value(json_object_get(change, "old_mode"));
	const json_t *from = json_object_get(change, "from"),
	             *to = json_object_get(change, "target");
	struct error none = {0};
	cleanup_free char *path = os_string_get(json_object_get(change, "path"), "path", &none);
	cleanup_free char *target = to ? os_string_get(to, "target", &none) : NULL;
	cleanup_free char *before = from ? os_string_get(from, "from", &none) : NULL;

	return xasprintf("%s %s%s%s%s%s%s%s%s%s", kind ? kind : unknown, path ? path : unknown,
	                 target ? " to " : "", target ? target : "", before ? " from " : "",
	                 before ? before : "", old ? " mode " : "", old ? old : "",
	                 old ? " to " : "", old && mode ? mode : "");
}

const char *preview_change_warning(const json_t *change)
{
	return json_string_value(json_object_get(change, "warning"));
}
