#include "tools/listed_tools.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <string.h>

/* Made from the file when building. */
extern const char mcp_tools[];

/* Every {"$ref":"#/$defs/NAME"} becomes what it means: no client has to look it up. */
static json_t *expanded(const json_t *value, const json_t *defs)
{
	const char *ref = json_string_value(json_object_get(value, "$ref"));
	json_t *out, *member;
	const char *key;

	if (ref)
		return expanded(json_object_get(defs, strrchr(ref, '/') + 1), defs);
	if (json_is_array(value)) {
		out = xjson(json_array());
		for (size_t i = 0; i < json_array_size(value); i++)
			json_array_append_new(out, expanded(json_array_get(value, i), defs));
		return out;
	}
	out = xjson(json_copy((json_t *)(uintptr_t)value));
	json_object_foreach (out, key, member)
		json_object_set_new(out, key, expanded(member, defs));
	return out;
}

json_t *tools_load(void)
{
	cleanup_json json_t *all = xjson(json_loads(mcp_tools, 0, NULL));

	return expanded(json_object_get(all, "tools"), json_object_get(all, "defs"));
}

json_t *tools_listed(const json_t *tools, enum version version)
{
	json_t *list = xjson(json_deep_copy(tools));

	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *tool = json_array_get(list, i);

		if (version < VERSION_2025_06) {
			json_object_del(tool, "title");
			json_object_del(tool, "outputSchema");
		}
		if (version < VERSION_2025_03)
			json_object_del(tool, "annotations");
	}
	return list;
}

const json_t *tool_takes(const json_t *tools, const char *name)
{
	for (size_t i = 0; i < json_array_size(tools); i++) {
		const json_t *tool = json_array_get(tools, i);

		if (strcmp(json_string_value(json_object_get(tool, "name")), name) == 0)
			return json_object_get(tool, "inputSchema");
	}
	return NULL;
}
