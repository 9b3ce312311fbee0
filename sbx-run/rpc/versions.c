#include "rpc/versions.h"

#include "base/memory.h"

#include <string.h>

static const char *const names[] = {
        [VERSION_NONE] = "",
        [VERSION_2024_11] = "2024-11-05",
        [VERSION_2025_03] = "2025-03-26",
        [VERSION_2025_06] = "2025-06-18",
        [VERSION_2025_11] = "2025-11-25",
        [VERSION_2026_07] = "2026-07-28",
};

const char *version_name(enum version version)
{
	return names[version];
}

enum version version_agreed(const char *wanted)
{
	for (int i = VERSION_2024_11; i < VERSION_2026_07; i++)
		if (wanted && strcmp(names[i], wanted) == 0)
			return (enum version)i;
	return VERSION_2025_11;
}

enum version version_named(const char *name)
{
	return name && strcmp(name, names[VERSION_2026_07]) == 0 ? VERSION_2026_07 : VERSION_NONE;
}

json_t *versions_named(void)
{
	return xjson(json_pack("[s]", names[VERSION_2026_07]));
}
