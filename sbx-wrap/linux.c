#include "linux.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "process/sibling.h"

#include <string.h>

/* Of policy.sbx; the rest, such as whom to ask, is nobody's business in there. */
static const char *const helper_settings[] = {
        "bwrap",       /* which bubblewrap */
        "debug",       /* whether processes inside can trace each other */
        "nested",      /* whether namespaces can be made inside */
        "accept_lost", /* what somebody does without */
        "observe",     /* whether denials are observed */
        "caches",      /* how much of them is kept */
        "network",     /* whether the names of TLS servers are looked at */
};

static json_t *chosen(const json_t *from, const char *const *names, size_t count)
{
	json_t *out = xjson(json_object());

	for (size_t i = 0; i < count; i++)
		if (json_object_get(from, names[i]))
			json_object_set(out, names[i], json_object_get(from, names[i]));
	return out;
}

/*
 * What the helper needs of the policy, and no more: it is on a command line,
 * where 128 KiB is all there is and where others can read it.
 */
static char *helper_policy(const json_t *policy)
{
	cleanup_json json_t *out = xjson(json_object());
	static const char *const needed[] = {"permissions", "loopback", "tmp",  "workspace",
	                                     "passing",     "caches",   "home", "kept",
	                                     "limits",      "preview"};
	const json_t *own = json_object_get(policy, "sbx");

	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
		if (json_object_get(policy, needed[i]))
			json_object_set(out, needed[i], json_object_get(policy, needed[i]));
	if (own)
		json_object_set_new(out, "sbx",
		                    chosen(own, helper_settings,
		                           sizeof(helper_settings) / sizeof(helper_settings[0])));
	return xjson(json_text_dump(out, JSON_COMPACT));
}

char **linux_argv(const struct wrap *wrap, size_t *command, struct error *err)
{
	cleanup_free char *helper = sibling_path("sbx-linux-sandbox", err);
	cleanup_free char *policy = NULL;
	const json_t *able = json_object_get(wrap->sandbox, "capabilities");
	const char *bwrap = json_string_value(json_object_get(able, "bwrap"));
	size_t words = 0, used = 0;
	char **out;

	if (!helper)
		return NULL;
	policy = helper_policy(wrap->policy);
	while (wrap->command.argv[words])
		words++;
	out = xrealloc_array(NULL, words + 10, sizeof(*out));
	out[used++] = xstrdup(helper);
	out[used++] = xstrdup("--policy");
	out[used++] = xstrdup(policy);
	out[used++] = xstrdup("--cwd");
	out[used++] = xstrdup(wrap->command.cwd);
	if (wrap->backend && strcmp(wrap->backend, "landlock") == 0)
		out[used++] = xstrdup("--landlock");
	else if (json_is_false(json_object_get(able, "fresh_proc")))
		out[used++] = xstrdup("--no-proc");
	if (bwrap && strcmp(bwrap, "vendored") == 0)
		out[used++] = xstrdup("--no-system-bwrap");
	/* A command may begin with a dash; nothing after this is an option. */
	out[used++] = xstrdup("--");
	*command = used;
	for (size_t i = 0; i < words; i++)
		out[used++] = xstrdup(wrap->command.argv[i]);
	out[used] = NULL;
	return out;
}
