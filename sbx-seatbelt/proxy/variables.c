#include "proxy/variables.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "policy/environment.h"

#include <stddef.h>

/* Programs read the small letters, the large ones, or both; curl only small ones for HTTP. */
static const char *const http_variables[] = {"http_proxy",  "HTTP_PROXY", "https_proxy",
                                             "HTTPS_PROXY", "all_proxy",  "ALL_PROXY"};
/* Not in ALL_PROXY: a program without SOCKS that finds it there fails for every host. */
static const char *const socks_variables[] = {"socks_proxy", "SOCKS_PROXY"};
/* What would go without it reaches nobody. */
static const char *const exceptions[] = {"no_proxy", "NO_PROXY"};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

void variables_name_proxy(char ***env, unsigned port, const char *token)
{
	cleanup_free char *http = xasprintf("http://sbx:%s@127.0.0.1:%u", token, port);
	cleanup_free char *socks = xasprintf("socks5h://sbx:%s@127.0.0.1:%u", token, port);

	for (size_t i = 0; i < COUNT(http_variables); i++)
		environment_set(env, http_variables[i], http);
	for (size_t i = 0; i < COUNT(socks_variables); i++)
		environment_set(env, socks_variables[i], socks);
	for (size_t i = 0; i < COUNT(exceptions); i++)
		environment_remove(*env, exceptions[i]);
	/* node's own fetch, from 24 on. */
	environment_set(env, "NODE_USE_ENV_PROXY", "1");
}
