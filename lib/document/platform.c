#include "document/platform.h"

#include "base/strings.h"

#include <string.h>

const char *platform_own(void)
{
#if defined(__APPLE__)
	return "macos";
#elif defined(_WIN32)
	return "windows";
#else
	return "linux";
#endif
}

/* Systems first, then engines of this one. */
static const char *const names[] = {"linux",      "macos",   "windows", "oci",
                                    "kubernetes", "systemd", NULL};
#define FIRST_ENGINE 3

int platform_parse(const char *word, const char **platform, struct error *err)
{
	int index = word_index(names, word);

	if (index < 0)
		return error_set(err, EXIT_USAGE, "usage",
		                 "--platform \"%s\": expected linux, macos, windows, oci, "
		                 "kubernetes or systemd",
		                 word);
	*platform = names[index];
	return 0;
}

bool platform_is_engine(const char *platform)
{
	return word_index(names, platform) >= FIRST_ENGINE;
}

bool platform_is_here(const char *platform)
{
	return strcmp(platform, platform_own()) == 0 || platform_is_engine(platform);
}

bool platform_absolute(const char *platform, const char *path)
{
	if (path[0] == '/')
		return true;
	if (strcmp(platform, "windows") != 0)
		return false;
	return (path[0] == '\\' && path[1] == '\\') ||
	       (((path[0] | 0x20) >= 'a' && (path[0] | 0x20) <= 'z') && path[1] == ':' &&
	        (path[2] == '\\' || path[2] == '/'));
}
