#include "proxy/proxied.h"

#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "policy/environment.h"
#include "proxy/proxy.h"
#include "proxy/variables.h"

#include <string.h>

int proxied_hosts(struct proxied *proxied, const char *list, struct error *err)
{
	cleanup_free char *copy = xstrdup(list);
	char *rest = NULL;

	proxied->asked = true;
	for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		if (hosts_add(&proxied->hosts, word, err) < 0) {
			err->exit = EXIT_USAGE;
			return -1;
		}
	return 0;
}

/* The profile's parameter; the command's own words come after the dashes. */
static void name_port(char **argv, unsigned port)
{
	static const char before[] = "-D" PROXY_PARAM "=" PROXY_PLACE ":";

	for (char **word = argv; *word && strcmp(*word, "--") != 0; word++)
		if (strncmp(*word, before, strlen(before)) == 0)
			*word = xasprintf("%s%u", before, port);
}

static void conclude(void *proxy)
{
	proxy_conclude(proxy);
}

int proxied_command(const struct proxied *proxied, const struct watch *watch, char **argv)
{
	extern char **environ;
	cleanup_vector char **env = environment_copy(environ);
	struct proxy proxy;
	struct watch beside = *watch;
	struct error err = {0};

	if (proxy_start(&proxied->hosts, !proxied->any_server_name, watch->report, &proxy, &err) <
	    0) {
		complain("%s", err.message);
		return 125;
	}
	variables_name_proxy(&env, proxy.port, proxy.token);
	name_port(argv, proxy.port);
	beside.env = env;
	beside.before_end = conclude;
	beside.context = &proxy;
	return watch_command(&beside, argv);
}
