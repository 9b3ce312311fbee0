#include "ask/waiting_host.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "hosts/host_rule.h"

#include <string.h>

char *waiting_host(const json_t *doc, struct error *err)
{
	const json_t *waiting = json_object_get(json_object_get(doc, "result"), "waiting");
	const json_t *host = json_object_get(waiting, "host");
	json_int_t port = json_integer_value(json_object_get(waiting, "port"));
	cleanup_free char *place = NULL;
	struct host_rule rule;

	if (!json_is_object(waiting))
		return NULL;
	if (json_is_string(host) && strlen(json_string_value(host)) == json_string_length(host))
		place = xasprintf("%s:%lld", json_string_value(host), (long long)port);
	/* One host at one port, in the spelling that lists have. */
	if (place && host_rule_parse(place, &rule, err) == 0 && rule.port_count == 1 &&
	    !rule.deny && (rule.kind == HOST_NAME || rule.prefix == 128)) {
		cleanup_free char *normal = host_rule_text(&rule);

		if (strcmp(normal, place) == 0)
			return keep_ptr(place);
	}
	error_set(err, EXIT_INPUT, "bad-document",
	          "result.waiting: expected a host and a port that a list can have");
	return NULL;
}

void host_grant(const json_t *doc, struct grant *grant)
{
	struct error none = {0};
	char *place = waiting_host(doc, &none);

	if (!place)
		return;
	grant->paths[GRANT_HOSTS] = xrealloc_array(NULL, 2, sizeof(char *));
	grant->paths[GRANT_HOSTS][0] = place;
	grant->paths[GRANT_HOSTS][1] = NULL;
}
