#include "policy/own_loopback.h"

#include "base/memory.h"

#include <string.h>

bool loopback_is_optional(const json_t *policy)
{
	const char *word = json_string_value(json_object_get(policy, "loopback"));

	return word && strcmp(word, "optional") == 0;
}

enum network network_without_own(const json_t *policy, enum network network)
{
	return network == NETWORK_LOOPBACK && loopback_is_optional(policy) ? NETWORK_OFF : network;
}

json_t *without_own_loopback(json_t *policy)
{
	const char *word = json_string_value(
	        json_object_get(json_object_get(policy, "permissions"), "network"));
	int network = word_index(network_names, word);
	json_t *quiet;

	if (network < 0 || network_without_own(policy, (enum network)network) != NETWORK_OFF)
		return json_incref(policy);
	quiet = xjson(json_deep_copy(policy));
	json_object_set_new(json_object_get(quiet, "permissions"), "network",
	                    xjson(json_string(network_names[NETWORK_OFF])));
	return quiet;
}
