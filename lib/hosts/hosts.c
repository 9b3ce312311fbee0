#include "hosts/hosts.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The special-purpose registries of IANA, where an answer of DNS must not lead. */
static const struct {
	uint8_t bytes[16];
	unsigned prefix;
} internal[] = {
#define FOUR(a, b, c, bits)                                                                        \
	{                                                                                          \
		{[10] = 0xff, [11] = 0xff, [12] = (a), (b), (c), 0}, 96 + (bits)                   \
	}
#define FOUR_ALL(a, b, c, d)                                                                       \
	{                                                                                          \
		{[10] = 0xff, [11] = 0xff, [12] = (a), (b), (c), (d)}, 128                         \
	}
        FOUR(0, 0, 0, 8),                           /* this host */
        FOUR(10, 0, 0, 8),                          /* private */
        FOUR(100, 64, 0, 10),                       /* of a carrier */
        FOUR(127, 0, 0, 8),                         /* loopback */
        FOUR(169, 254, 0, 16),                      /* link-local; metadata of clouds */
        FOUR_ALL(168, 63, 129, 16),                 /* metadata of Azure, at a public address */
        FOUR(172, 16, 0, 12),                       /* private */
        FOUR(192, 0, 0, 24),                        /* protocol assignments */
        FOUR(192, 168, 0, 16),                      /* private */
        FOUR(198, 18, 0, 15),                       /* our own synthetic ones */
        FOUR(224, 0, 0, 4),                         /* multicast */
        FOUR(240, 0, 0, 4),                         /* reserved; broadcast */
        {{0}, 96},                                  /* ::, ::1, IPv4-compatible */
        {{0x00, 0x64, 0xff, 0x9b, 0x00, 0x01}, 48}, /* translation, local use */
        {{0x01, 0x00}, 64},                         /* discard */
        {{0x20, 0x01, 0x00, 0x00}, 32},             /* Teredo: an IPv4 address inside */
        {{0x20, 0x01, 0x00, 0x02}, 48},             /* measurements */
        {{0x5f, 0x00}, 16},                         /* segments of a router's own network */
        {{0xfc, 0x00}, 7},                          /* unique local; metadata of clouds */
        {{0xfe, 0x80}, 10},                         /* link-local */
        {{0xfe, 0xc0}, 10},                         /* site-local */
        {{0xff, 0x00}, 8},                          /* multicast */
};

static bool is_in(const struct host_address *address, const uint8_t *bytes, unsigned prefix)
{
	struct host_rule network = {.kind = HOST_NETWORK, .prefix = prefix};

	memcpy(network.address.bytes, bytes, sizeof(network.address.bytes));
	return host_rule_has_address(&network, address);
}

/* NAT64 and 6to4 carry an IPv4 address that a router outside would go on to. */
static bool carried(const struct host_address *address, struct host_address *inside)
{
	static const uint8_t nat64[16] = {0x00, 0x64, 0xff, 0x9b}, six_to_four[16] = {0x20, 0x02};
	size_t at = is_in(address, nat64, 96) ? 12 : is_in(address, six_to_four, 16) ? 2 : 0;

	if (at == 0)
		return false;
	*inside = (struct host_address){.bytes = {[10] = 0xff, [11] = 0xff}};
	memcpy(inside->bytes + 12, address->bytes + at, 4);
	return true;
}

bool address_is_internal(const struct host_address *address)
{
	struct host_address inside;

	for (size_t i = 0; i < sizeof(internal) / sizeof(internal[0]); i++)
		if (is_in(address, internal[i].bytes, internal[i].prefix))
			return true;
	return carried(address, &inside) && address_is_internal(&inside);
}

int hosts_add(struct hosts *hosts, const char *text, struct error *err)
{
	struct host_rule rule;
	struct host_rule *rules;

	if (host_rule_parse(text, &rule, err) < 0)
		return -1;
	for (size_t i = 0; i < hosts->count; i++)
		if (memcmp(&hosts->rules[i], &rule, sizeof(rule)) == 0)
			return 0;
	rules = xrealloc_array(hosts->rules, hosts->count + 1, sizeof(*rules));
	rules[hosts->count++] = rule;
	hosts->rules = rules;
	return 0;
}

void hosts_free(struct hosts *hosts)
{
	free(hosts->rules);
	*hosts = (struct hosts){0};
}

int hosts_get(const json_t *list, const char *what, struct hosts *hosts, struct error *err)
{
	if (!json_is_array(list))
		return error_set(err, EXIT_INPUT, "bad-host", "%s: expected a list", what);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *word = json_array_get(list, i);
		const char *text = json_string_value(word);

		if (!text || strlen(text) != json_string_length(word))
			return error_set(err, EXIT_INPUT, "bad-host", "%s[%zu]: expected a host",
			                 what, i);
		if (hosts_add(hosts, text, err) < 0)
			return -1;
	}
	return 0;
}

json_t *hosts_json(const struct hosts *hosts)
{
	json_t *list = xjson(json_array());

	for (size_t i = 0; i < hosts->count; i++) {
		cleanup_free char *text = host_rule_text(&hosts->rules[i]);

		json_array_append_new(list, xjson(json_string(text)));
	}
	return list;
}

/* By name where there is one, else by address. */
static bool concerns(const struct host_rule *rule, const char *name,
                     const struct host_address *address)
{
	return name ? host_rule_has_name(rule, name) : host_rule_has_address(rule, address);
}

static bool know(const struct hosts *hosts, const char *name, const struct host_address *address,
                 bool known)
{
	for (size_t i = 0; i < hosts->count; i++) {
		const struct host_rule *rule = &hosts->rules[i];

		if (!concerns(rule, name, address))
			continue;
		if (rule->deny && rule->port_count == 0)
			return false;
		known |= !rule->deny;
	}
	return known;
}

bool hosts_know_name(const struct hosts *hosts, const char *name)
{
	return know(hosts, name, NULL, false);
}

bool hosts_know_address(const struct hosts *hosts, const struct host_address *address, bool own)
{
	return know(hosts, NULL, address, !own && !address_is_internal(address));
}

static enum host_verdict judge(const struct hosts *hosts, const char *name,
                               const struct host_address *address, unsigned port)
{
	enum host_verdict verdict = HOST_NOT_LISTED;

	for (size_t i = 0; i < hosts->count; i++) {
		const struct host_rule *rule = &hosts->rules[i];

		if (!concerns(rule, name, address) || !host_rule_has_port(rule, port))
			continue;
		if (rule->deny)
			return HOST_DENIED;
		verdict = HOST_ALLOWED;
	}
	return verdict;
}

enum host_verdict hosts_judge_name(const struct hosts *hosts, const char *name, unsigned port)
{
	return judge(hosts, name, NULL, port);
}

bool hosts_name_localhost(const struct hosts *hosts, unsigned port)
{
	for (size_t i = 0; i < hosts->count; i++)
		if (!hosts->rules[i].deny && hosts->rules[i].kind == HOST_NAME &&
		    strcmp(hosts->rules[i].name, "localhost") == 0 &&
		    host_rule_has_port(&hosts->rules[i], port))
			return hosts_judge_name(hosts, "localhost", port) == HOST_ALLOWED;
	return false;
}

static bool covers(const struct host_rule *wide, const struct host_rule *rule)
{
	bool any = rule->kind == HOST_ANY_NAME;

	if (wide->deny || (wide->port_count > 0 && rule->port_count == 0))
		return false;
	for (size_t i = 0; i < rule->port_count; i++)
		if (!host_rule_has_port(wide, rule->ports[i]))
			return false;
	if (rule->kind == HOST_NETWORK)
		return wide->prefix <= rule->prefix && host_rule_has_address(wide, &rule->address);
	/* A name covers what is below another only if that is below it as well. */
	if (rule->kind != HOST_NAME && wide->kind == HOST_NAME)
		return false;
	if (rule->kind == HOST_BELOW && wide->kind == HOST_BELOW &&
	    strcmp(wide->name, rule->name) == 0)
		return true;
	return any ? wide->kind == HOST_ANY_NAME : host_rule_has_name(wide, rule->name);
}

bool hosts_cover(const struct hosts *hosts, const struct host_rule *rule)
{
	for (size_t i = 0; i < hosts->count; i++)
		if (covers(&hosts->rules[i], rule))
			return true;
	return rule->deny;
}

enum host_verdict hosts_judge(const struct hosts *hosts, const char *name,
                              const struct host_address *address, bool own, unsigned port)
{
	enum host_verdict by_address = judge(hosts, NULL, address, port);
	enum host_verdict by_name;

	if (!name || by_address == HOST_DENIED)
		return by_address;
	by_name = judge(hosts, name, NULL, port);
	if (by_name == HOST_ALLOWED && by_address != HOST_ALLOWED &&
	    (own || address_is_internal(address)))
		return HOST_INTERNAL;
	return by_name;
}
