#include "explain.h"

#include "cleanup.h"
#include "memory.h"
#include "path.h"
#include "text.h"

#include <stdlib.h>
#include <unistd.h>

struct paper {
	FILE *out;
	bool colour;
};

static const char *const access_colours[] = {
        [ACCESS_READ] = "\033[33m", [ACCESS_WRITE] = "\033[32m", [ACCESS_NONE] = "\033[31m"};

static void line(const struct paper *paper, int indent, const char *name, const char *colour,
                 const char *value, const char *source)
{
	cleanup_free char *clean = text_clean(name);
	int width = 48 - indent;

	fprintf(paper->out, "%*s%-*s %s%-18s%s %s%s%s\n", indent, "", width, clean,
	        paper->colour && colour ? colour : "", value,
	        paper->colour && colour ? "\033[0m" : "", paper->colour ? "\033[2m" : "", source,
	        paper->colour ? "\033[0m" : "");
}

static void entries(const struct paper *paper, const struct policy *policy)
{
	const struct permissions *permissions = &policy->permissions;

	for (size_t i = 0; i < permissions->count; i++) {
		const struct entry *entry = &permissions->entries[i];
		const struct origin *origin = policy_origin(policy, entry->path);
		int depth = 0;

		/* Each entry above this one indents it by one step. */
		for (size_t k = 0; k < i; k++)
			depth += path_contains(permissions->entries[k].path, entry->path);
		line(paper, 2 + 2 * depth, entry->path, access_colours[entry->access],
		     access_names[entry->access], origin ? origin->source : "");
	}
}

int explain_policy(const struct policy *policy, FILE *out, struct error *err)
{
	const struct settings *settings = policy->settings;
	const char *no_colour = getenv("NO_COLOR");
	struct paper paper = {out, isatty(fileno(out)) && !(no_colour && no_colour[0])};
	const char *network_source;

	policy_network(policy, &network_source);
	line(&paper, 0, "sandbox", NULL, mode_names[settings->mode.value], settings->mode.source);
	line(&paper, 0, "approval", NULL, approval_names[settings->approval.value],
	     settings->approval.source);
	line(&paper, 0, "network", NULL, network_names[policy->permissions.network],
	     network_source);
	line(&paper, 0, "trust", NULL, trust_names[settings->trust.level], settings->trust.source);
	line(&paper, 0, "bwrap", NULL, bwrap_names[settings->bwrap.value], settings->bwrap.source);
	line(&paper, 0, "nested", NULL, settings->nested.value ? "true" : "false",
	     settings->nested.source);
	fprintf(out, "files\n");
	entries(&paper, policy);
	for (size_t i = 0; i < policy->cut_roots.count; i++) {
		cleanup_free char *root = text_clean(policy->cut_roots.paths[i]);

		fprintf(out,
		        "The search for repositories in %s was cut short; there may be more.\n",
		        root);
	}
	if (fflush(out) == EOF || ferror(out))
		return error_system(err, "writing the policy");
	return 0;
}
