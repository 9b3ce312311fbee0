#include "windows/environment_block.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "variables.h"

#include <string.h>
#include <strings.h>
#include <wchar.h>

char **own_environment(void)
{
	struct error ignored = {0};

	return block_read(&ignored);
}

char **block_read(struct error *err)
{
	WCHAR *block = GetEnvironmentStringsW();
	char **env = xrealloc_array(NULL, 1, sizeof(*env));
	size_t count = 0;

	if (!block) {
		system_failed(err, "GetEnvironmentStringsW", NULL);
		free(env);
		return NULL;
	}
	for (const WCHAR *at = block; *at; at += wcslen(at) + 1) {
		env = xrealloc_array(env, count + 2, sizeof(*env));
		env[count++] = system_text(at);
	}
	env[count] = NULL;
	FreeEnvironmentStringsW(block);
	return env;
}

/* Names without case, as the system sorts them. */
static int by_name(const void *a, const void *b)
{
	return strcasecmp(*(char *const *)a, *(char *const *)b);
}

WCHAR *block_make(char **env, struct error *err)
{
	cleanup_free WCHAR *block = NULL;
	size_t used = 0, count = 0;

	while (env[count])
		count++;
	qsort(env, count, sizeof(*env), by_name);
	block = xrealloc_array(NULL, 2, sizeof(*block));
	for (; *env; env++) {
		cleanup_free WCHAR *wide = system_wide(*env, err);
		size_t len = wide ? wcslen(wide) + 1 : 0;

		if (!wide)
			return NULL;
		block = xrealloc_array(block, used + len + 2, sizeof(*block));
		memcpy(block + used, wide, len * sizeof(*block));
		used += len;
	}
	block[used] = block[used + 1] = L'\0';
	return keep_ptr(block);
}
