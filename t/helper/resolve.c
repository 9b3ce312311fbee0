/*
 * What does libsbx say of paths?  The oracle of the tests of other backends.
 *
 * Lines of {"permissions":{...},"paths":[...]} in, lines of ["read",...] out.
 */
#include "base/cleanup.h"
#include "base/memory.h"
#include "document/document.h"
#include "document/osstring.h"
#include "document/stage.h"
#include "policy/permissions.h"

#include <stdlib.h>

static json_t *resolve(const json_t *question, struct error *err)
{
	cleanup_vector char **paths =
	        os_vector_get(json_object_get(question, "paths"), "paths", err);
	struct permissions permissions;
	json_t *out;

	if (!paths ||
	    permissions_get(json_object_get(question, "permissions"), &permissions, err) < 0)
		return NULL;
	out = xjson(json_array());
	for (char **path = paths; *path; path++)
		json_array_append_new(
		        out,
		        xjson(json_string(
		                access_names[permissions_resolve(&permissions, *path, NULL)])));
	permissions_free(&permissions);
	return out;
}

int main(void)
{
	struct error err = {0};
	json_t *question;

	stage_begin("resolve");
	while ((question = json_loadf(stdin, JSON_DISABLE_EOF_CHECK, NULL)) != NULL) {
		cleanup_json json_t *answer = resolve(question, &err);

		json_decref(question);
		if (!answer || document_write(answer, stdout, &err) < 0)
			return stage_fail(&err);
	}
	return 0;
}
