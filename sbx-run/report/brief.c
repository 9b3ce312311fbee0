#include "report/brief.h"

#include "advise/limit_option.h"
#include "base/cleanup.h"
#include "base/complain.h"
#include "report/human.h"
#include "report/run_again.h"
#include "report/timed_out.h"

#include <stdio.h>
#include <string.h>

/* Nobody chose that nothing can be written. */
static bool is_undecided(const json_t *doc, const json_t *denials)
{
	const json_t *sources = json_object_get(json_object_get(doc, "policy"), "sources");
	const char *from = json_string_value(json_object_get(sources, "sandbox_mode"));
	cleanup_free char *options = run_again(denials);

	return from && strcmp(from, "default") == 0 && options &&
	       strcmp(options, "-s workspace-write") == 0;
}

void brief_report(const json_t *doc, int fd)
{
	const json_t *result = json_object_get(doc, "result");
	const json_t *denials = json_object_get(result, "denials");
	size_t count;
	cleanup_free char *late = timed_out_line(doc);
	cleanup_free char *limit = limit_line(denials);
	cleanup_free char *first = human_first(denials, &count);

	if (late)
		dprintf(fd, "%s: %s\n", program_name, late);
	if (limit)
		dprintf(fd, "%s: %s\n", program_name, limit);
	if (count == 0 || json_integer_value(json_object_get(result, "exit_code")) == 0)
		return;
	dprintf(fd, "%s: denied %zu access%s: %s; %s\n", program_name, count,
	        count == 1 ? "" : "es, first", first,
	        is_undecided(doc, denials)
	                ? "without options nothing is writable here; --auto makes the project so"
	        : count == 1 ? "--report human shows what would allow it"
	                     : "--report human shows all, and what would allow them");
}
