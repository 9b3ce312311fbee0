#include "resolve/chosen_limits.h"

#include "base/cleanup.h"

struct chosen {
	int64_t most; /* 0: none */
	enum layer layer;
	const char *source;
};

/* What a configuration says of one; it was checked when it was read. */
static struct chosen said(enum limit limit, const json_t *value, const struct from *from)
{
	struct chosen chosen = {.layer = from->layer, .source = from->source};
	struct error ignored = {0};

	if (!value || limit_value(limit, value, &chosen.most, &ignored) < 0)
		chosen.most = 0;
	return chosen;
}

static void bound(enum limit limit, struct chosen *chosen, const struct chosen *most,
                  struct notes *notes)
{
	if (!most->most || (chosen->most && chosen->most <= most->most))
		return;
	if (chosen->most) {
		cleanup_free char *wanted = limit_text(limit, chosen->most);
		cleanup_free char *allowed = limit_text(limit, most->most);

		notes_add(notes, "limit %s=%s (%s): %s allows %s, which holds", limit_names[limit],
		          wanted, chosen->source, most->source, allowed);
	}
	*chosen = *most;
}

/* What each layer says, the last one deciding. */
enum { BY_TABLE, BY_SET, BY_FLAG, BY_REQUIREMENT, LAYERS };

static void find(struct chosen found[LAYERS], enum limit limit, const struct policy *policy)
{
	const struct config *config = policy->settings->config;
	const char *name = limit_names[limit];
	struct from from = {0};
	const json_t *value = config_get(config, &from, "limits", name);

	found[BY_TABLE] = said(limit, value, &from);
	value = config_get(&policy->set, &from, "limits", name);
	found[BY_SET] = said(limit, value, &from);
	found[BY_FLAG] =
	        (struct chosen){policy->settings->limits.most[limit], LAYER_FLAG, "flag --limit"};
	value = config_get(config, &from, "requirements", "limits", name);
	found[BY_REQUIREMENT] = said(limit, value, &from);
}

void limits_resolve(struct policy *policy, struct notes *notes)
{
	for (int i = 0; i < LIMIT_COUNT; i++) {
		struct chosen found[LAYERS], chosen = {0};

		find(found, (enum limit)i, policy);
		for (int k = BY_TABLE; k <= BY_FLAG; k++)
			if (found[k].most)
				chosen = found[k];
		/* Whatever of these an administrator says, nobody has more. */
		for (int k = BY_TABLE; k < LAYERS; k++)
			if (found[k].layer == LAYER_MANAGED)
				bound((enum limit)i, &chosen, &found[k], notes);
		policy->limits.most[i] = chosen.most;
		policy->limit_sources[i] = chosen.source;
	}
}
