#include "report/brief.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "report/human.h"
#include "report/timed_out.h"

#include <stdio.h>

void brief_report(const json_t *doc, int fd)
{
	const json_t *result = json_object_get(doc, "result");
	const json_t *denials = json_object_get(result, "denials");
	size_t count = json_array_size(denials);
	cleanup_free char *late = timed_out_line(doc);
	cleanup_free char *first = NULL;

	if (late)
		dprintf(fd, "%s: %s\n", program_name, late);
	if (count == 0 || json_integer_value(json_object_get(result, "exit_code")) == 0)
		return;
	first = human_first(denials);
	dprintf(fd, "%s: denied %zu access%s, first: %s; --report human shows all\n", program_name,
	        count, count == 1 ? "" : "es", first);
}
