#include "document/platform.h"

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

int platform_parse(const char *word, const char **platform, struct error *err)
{
	static const char *const names[] = {"linux", "macos", "windows"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(word, names[i]) == 0) {
			*platform = names[i];
			return 0;
		}
	}
	return error_set(err, EXIT_USAGE, "usage",
	                 "--platform \"%s\": expected linux, macos or windows", word);
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
