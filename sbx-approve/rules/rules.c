#include "rules/rules.h"

#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"

#include <stdlib.h>
#include <string.h>

const char *const decision_names[] = {
        [DECISION_NONE] = "none",
        [DECISION_ALLOW] = "allow",
        [DECISION_PROMPT] = "prompt",
        [DECISION_FORBIDDEN] = "forbidden",
};

void rule_free(struct rule *rule)
{
	for (size_t i = 0; i < rule->length; i++)
		os_vector_free(rule->tokens[i]);
	free(rule->tokens);
	free(rule->justification);
	free(rule->project);
	free(rule->file);
	free(rule->text);
}

void host_free(struct host *host)
{
	free(host->name);
	free(host->file);
	os_vector_free(host->paths);
}

void network_rule_free(struct network_rule *network)
{
	free(network->host);
	free(network->project);
	free(network->file);
	free(network->text);
}

bool network_rule_holds(const struct network_rule *network, const char *cwd, time_t now)
{
	if (network->host[0] == '!')
		return true;
	return !network->doubted && (network->expires == 0 || network->expires > now) &&
	       (!network->project || path_contains(network->project, cwd));
}

void rules_keep_network(struct rules *rules, struct network_rule network)
{
	rules->networks =
	        xrealloc_array(rules->networks, rules->network_count + 1, sizeof(network));
	rules->networks[rules->network_count++] = network;
}

void rules_keep_host(struct rules *rules, struct host host)
{
	for (size_t i = 0; i < rules->host_count; i++) {
		if (strcmp(rules->hosts[i].name, host.name) == 0) {
			host_free(&rules->hosts[i]);
			rules->hosts[i] = host;
			return;
		}
	}
	list_add(rules->hosts, rules->host_count, host);
}

void rules_take(struct rules *into, struct rules *from, bool seen)
{
	into->rules =
	        xrealloc_array(into->rules, into->count + from->count + 1, sizeof(*into->rules));
	for (size_t i = 0; i < from->count; i++) {
		from->rules[i].unseen = !seen;
		into->rules[into->count++] = from->rules[i];
	}
	for (size_t i = 0; i < from->host_count; i++) {
		if (seen)
			rules_keep_host(into, from->hosts[i]);
		else
			host_free(&from->hosts[i]);
	}
	for (size_t i = 0; i < from->network_count; i++) {
		if (seen || from->networks[i].host[0] == '!')
			rules_keep_network(into, from->networks[i]);
		else
			network_rule_free(&from->networks[i]);
	}
	free(from->rules);
	free(from->hosts);
	free(from->networks);
	*from = (struct rules){0};
}

void rules_narrow(struct rules *rules, size_t first, bool learned)
{
	for (size_t i = first; i < rules->count; i++) {
		struct rule *rule = &rules->rules[i];

		if (rule->where == WHERE_UNSAID)
			rule->where = WHERE_SANDBOX;
		if (learned && !rule->rest_said)
			rule->whole = true;
	}
}

void rules_free(struct rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		rule_free(&rules->rules[i]);
	for (size_t i = 0; i < rules->host_count; i++)
		host_free(&rules->hosts[i]);
	for (size_t i = 0; i < rules->network_count; i++)
		network_rule_free(&rules->networks[i]);
	free(rules->rules);
	free(rules->hosts);
	free(rules->networks);
	*rules = (struct rules){0};
}
