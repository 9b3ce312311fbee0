#include "denials.h"

#include "cleanup.h"
#include "denial.h"
#include "memory.h"

json_t *denials_grant(const json_t *denials)
{
	cleanup_json json_t *grant = xjson(json_object());
	size_t i;
	json_t *denial;

	json_array_foreach (denials, i, denial) {
		cleanup_json json_t *more = denial_grant(denial);

		if (more)
			grant_add(grant, more);
	}
	return json_object_size(grant) ? json_incref(grant) : NULL;
}
