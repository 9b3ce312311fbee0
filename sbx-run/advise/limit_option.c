#include "advise/limit_option.h"

#include "base/cleanup.h"
#include "base/fold.h"
#include "base/memory.h"
#include "base/strings.h"
#include "document/osstring.h"
#include "policy/resource_limits.h"

#include <string.h>

static const char *word(const json_t *object, const char *member)
{
	const char *s = json_string_value(json_object_get(object, member));

	return s ? s : "";
}

bool is_limit(const json_t *denial)
{
	return strcmp(word(denial, "op"), "limit") == 0;
}

/* Which, and how much it was; -1. */
static int reached(const json_t *denial, int64_t *most)
{
	*most = json_integer_value(json_object_get(denial, "value"));
	return is_limit(denial) && *most > 0 ? word_index(limit_names, word(denial, "limit")) : -1;
}

char *limit_option(const json_t *policy, const json_t *denial)
{
	const json_t *requirements = json_object_get(policy, "requirements");
	int64_t most, allowed;
	int limit = reached(denial, &most);
	cleanup_free char *text = NULL;
	struct error none = {0};
	const json_t *bound;

	if (limit < 0)
		return NULL;
	bound = json_object_get(json_object_get(requirements, "limits"), limit_names[limit]);
	if (bound &&
	    (limit_value((enum limit)limit, bound, &allowed, &none) < 0 || allowed <= most))
		return NULL;
	most = bound && allowed < most * 2 ? allowed : most * 2;
	text = limit_text((enum limit)limit, most);
	return xasprintf("--limit %s=%s", limit_names[limit], text);
}

char *limit_said(const json_t *denial)
{
	int64_t most;
	int limit = reached(denial, &most);
	const json_t *by = json_object_get(denial, "program");
	const char *option = word(denial, "allow_with");
	struct error none = {0};
	cleanup_free char *program = by ? os_string_get(by, "program", &none) : NULL;
	cleanup_free char *clean = program ? fold_shown(program) : NULL;
	cleanup_free char *text = limit < 0 ? NULL : limit_text((enum limit)limit, most);

	if (limit < 0)
		return NULL;
	return xasprintf("%s %s reached%s%s: %s", limit_names[limit], text, clean ? " by " : "",
	                 clean ? clean : "", *option ? option : "an administrator allows no more");
}

char *limit_line(const json_t *denials)
{
	char *line = NULL;
	size_t i;
	json_t *denial;

	json_array_foreach (denials, i, denial)
		if (!line)
			line = limit_said(denial);
	return line;
}
