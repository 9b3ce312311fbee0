#include "profile.h"

#include "base/memory.h"

#include <stdlib.h>

int profile_open(struct profile *profile, struct error *err)
{
	*profile = (struct profile){0};
	profile->out = open_memstream(&profile->text, &profile->size);
	return profile->out ? 0 : error_system(err, "making a profile");
}

void profile_free(struct profile *profile)
{
	if (profile->out)
		fclose(profile->out);
	free(profile->text);
	strings_free(&profile->params);
	*profile = (struct profile){0};
}

int profile_close(struct profile *profile, struct error *err)
{
	FILE *out = profile->out;
	int failed = ferror(out);

	profile->out = NULL;
	if (fclose(out) != 0 || failed)
		return error_system(err, "making a profile");
	return 0;
}

void profile_param(struct profile *profile, const char *name, const char *value)
{
	strings_add(&profile->params, xasprintf("%s=%s", name, value));
}

void profile_tree(struct profile *profile, const char *indent, const char *wrap, const char *name)
{
	const char *end = wrap[0] ? ")" : "";

	/*
	 * Both: whether a subpath includes the directory itself is not the same
	 * for one that exists and one that is about to be made.
	 */
	fprintf(profile->out, "\n%s%s(literal (param \"%s\"))%s", indent, wrap, name, end);
	fprintf(profile->out, "\n%s%s(subpath (param \"%s\"))%s", indent, wrap, name, end);
}
