#include "rules/read_rules.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "hosts/host_rule.h"
#include "rules/call_notation.h"
#include "rules/match.h"

#include <stdlib.h>
#include <string.h>

/* A call on its way to be a rule. */
struct reading {
	const struct call *call;
	const char *file;
	struct error *err;
};

static int wrong(const struct reading *r, const char *what)
{
	return error_set(r->err, EXIT_INPUT, "bad-rules", "%s:%u: %s: %s", r->file, r->call->line,
	                 r->call->name, what);
}

/* The argument by its name or place; NULL when it is not given. */
static const json_t *argument(const struct reading *r, const char *name, size_t place)
{
	const json_t *value = json_object_get(r->call->keywords, name);

	return value ? value : json_array_get(r->call->positional, place);
}

static int check_names(const struct reading *r, const char *const *names, size_t places)
{
	const char *key;
	json_t *value;

	if (json_array_size(r->call->positional) > places)
		return wrong(r, "too many arguments without a name");
	json_object_foreach (r->call->keywords, key, value) {
		size_t i = 0;

		while (names[i] && strcmp(names[i], key) != 0)
			i++;
		if (!names[i]) {
			cleanup_free char *what = xasprintf("unknown argument \"%s\"", key);

			return wrong(r, what);
		}
		if (i < json_array_size(r->call->positional))
			return wrong(r, "an argument that is given twice");
	}
	return 0;
}

static bool is_word(const json_t *value)
{
	return json_is_string(value) &&
	       strlen(json_string_value(value)) == json_string_length(value);
}

static char **word_list(const json_t *value)
{
	size_t count = json_is_array(value) ? json_array_size(value) : 1;
	char **list = xrealloc_array(NULL, count + 1, sizeof(*list));

	list[0] = NULL;
	for (size_t i = 0; i < count; i++) {
		const json_t *word = json_is_array(value) ? json_array_get(value, i) : value;

		if (!is_word(word)) {
			os_vector_free(list);
			return NULL;
		}
		list[i] = xstrdup(json_string_value(word));
		list[i + 1] = NULL;
	}
	return list;
}

static int read_pattern(const struct reading *r, struct rule *rule)
{
	const json_t *pattern = argument(r, "pattern", 0);
	size_t count = json_array_size(pattern);

	if (!json_is_array(pattern) || count == 0)
		return wrong(r, "pattern: expected a list of words that is not empty");
	rule->tokens = xrealloc_array(NULL, count, sizeof(*rule->tokens));
	for (size_t i = 0; i < count; i++) {
		char **words = word_list(json_array_get(pattern, i));

		if (!words || !words[0] || (i == 0 && !words[0][0])) {
			os_vector_free(words);
			return wrong(r, "pattern: expected words, or lists of alternatives");
		}
		rule->tokens[rule->length++] = words;
	}
	return 0;
}

static int read_decision(const struct reading *r, struct rule *rule)
{
	const json_t *value = argument(r, "decision", 1);
	const char *word = value ? json_string_value(value) : "allow";

	for (int i = DECISION_ALLOW; word && i <= DECISION_FORBIDDEN; i++)
		if (strcmp(word, decision_names[i]) == 0)
			rule->decision = (enum decision)i;
	if (rule->decision == DECISION_NONE)
		return wrong(r, "decision: expected allow, prompt or forbidden");
	return 0;
}

static int read_justification(const struct reading *r, struct rule *rule)
{
	const json_t *value = argument(r, "justification", 4);

	if (!value)
		return 0;
	if (!is_word(value) ||
	    json_string_value(value)[strspn(json_string_value(value), " \t\n\r")] == '\0')
		return wrong(r, "justification: expected a text that is not blank");
	rule->justification = xstrdup(json_string_value(value));
	return 0;
}

/* A day, or a moment in UTC. */
static int read_expires(const struct reading *r, struct rule *rule)
{
	const char *text = json_string_value(json_object_get(r->call->keywords, "expires"));
	struct tm tm = {0};
	const char *end;

	if (!json_object_get(r->call->keywords, "expires"))
		return 0;
	end = text ? strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm) : NULL;
	if (text && !end) {
		memset(&tm, 0, sizeof(tm));
		end = strptime(text, "%Y-%m-%d", &tm);
	}
	if (!end || *end)
		return wrong(r, "expires: expected \"2030-12-31\" or \"2030-12-31T23:59:59Z\"");
	rule->expires = timegm(&tm);
	return rule->expires > 0 ? 0 : wrong(r, "expires: not a valid time");
}

static int read_project(const struct reading *r, struct rule *rule)
{
	const json_t *value = json_object_get(r->call->keywords, "project");

	if (!value)
		return 0;
	if (!is_word(value) || !path_is_normal(json_string_value(value)))
		return wrong(r, "project: expected a normalized absolute path");
	rule->project = xstrdup(json_string_value(value));
	return 0;
}

/* A word of two; *value stays as it is when the argument is not given. */
static int read_choice(const struct reading *r, const char *name, const char *const *words,
                       int *value)
{
	const json_t *given = json_object_get(r->call->keywords, name);
	const char *word = json_string_value(given);
	cleanup_free char *what = NULL;

	if (!given)
		return 0;
	for (int i = 0; word && i < 2; i++) {
		if (strcmp(word, words[i]) == 0) {
			*value = i;
			return 0;
		}
	}
	what = xasprintf("%s: expected \"%s\" or \"%s\"", name, words[0], words[1]);
	return wrong(r, what);
}

static int read_reach(const struct reading *r, struct rule *rule)
{
	static const char *const places[] = {"sandbox", "outside"};
	static const char *const rests[] = {"any", "none"};
	int where = -1, rest = -1;

	if (read_choice(r, "where", places, &where) < 0 || read_choice(r, "rest", rests, &rest) < 0)
		return -1;
	rule->where = where < 0 ? WHERE_UNSAID : where == 0 ? WHERE_SANDBOX : WHERE_OUTSIDE;
	rule->whole = rest == 1;
	rule->rest_said = rest >= 0;
	return 0;
}

static int read_prefix_rule(const struct reading *r, struct rule *rule)
{
	/* The first five in the order they may be given without a name. */
	static const char *const names[] = {"pattern",       "decision", "match",   "not_match",
	                                    "justification", "expires",  "project", "where",
	                                    "rest",          NULL};

	if (check_names(r, names, 5) < 0 || read_pattern(r, rule) < 0 ||
	    read_decision(r, rule) < 0 || read_justification(r, rule) < 0 ||
	    read_expires(r, rule) < 0 || read_reach(r, rule) < 0)
		return -1;
	return read_project(r, rule);
}

static int read_host(const struct reading *r, struct host *host)
{
	static const char *const names[] = {"name", "paths", NULL};
	const json_t *name = argument(r, "name", 0);
	const json_t *paths = argument(r, "paths", 1);

	if (check_names(r, names, 2) < 0)
		return -1;
	if (!is_word(name) || !json_string_length(name) || strchr(json_string_value(name), '/'))
		return wrong(r, "name: expected the bare name of a program");
	host->name = xstrdup(json_string_value(name));
	host->paths = json_is_array(paths) ? word_list(paths) : NULL;
	if (!host->paths)
		return wrong(r, "paths: expected a list of absolute paths");
	for (char **path = host->paths; *path; path++) {
		const char *slash = strrchr(*path, '/');

		if (!path_is_normal(*path) || !slash || strcmp(slash + 1, host->name) != 0)
			return wrong(r, "paths: expected absolute paths that end in the name");
	}
	return 0;
}

/* Of a protocol that is a port; the others are about codex's own proxy. */
static int read_protocol(const struct reading *r, const char **port)
{
	static const struct {
		const char *name, *port;
	} protocols[] = {{"https", ":443"}, {"https_connect", ":443"}, {"http-connect", ":443"},
	                 {"http", ":80"},   {"socks5_tcp", ""},        {"socks5_udp", NULL}};
	const json_t *value = argument(r, "protocol", 1);

	for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++)
		if (is_word(value) && strcmp(json_string_value(value), protocols[i].name) == 0) {
			*port = protocols[i].port;
			return 0;
		}
	return wrong(r, "protocol: expected http, https, socks5_tcp or socks5_udp");
}

/* allow, deny (or forbidden), prompt: 1, -1, 0. */
static int read_network_decision(const struct reading *r, int *decision)
{
	const json_t *value = argument(r, "decision", 2);
	const char *word = is_word(value) ? json_string_value(value) : "";

	*decision = strcmp(word, "allow") == 0                                    ? 1
	            : strcmp(word, "deny") == 0 || strcmp(word, "forbidden") == 0 ? -1
	                                                                          : 0;
	if (*decision == 0 && strcmp(word, "prompt") != 0)
		return wrong(r, "decision: expected allow, prompt or deny");
	return 0;
}

/* port=443, in the place of a protocol. */
static int read_port(const struct reading *r, char **number)
{
	const json_t *value = json_object_get(r->call->keywords, "port");

	if (!value)
		return 0;
	if (argument(r, "protocol", 1))
		return wrong(r, "port: not together with a protocol");
	if (!is_word(value) ||
	    strspn(json_string_value(value), "0123456789") != json_string_length(value))
		return wrong(r, "port: expected \"1\" to \"65535\"");
	*number = xasprintf(":%s", json_string_value(value));
	return 0;
}

static int read_limits(const struct reading *r, struct network_rule *network)
{
	struct rule limits = {0};
	int status = read_expires(r, &limits) < 0 ? -1 : read_project(r, &limits);

	network->expires = limits.expires;
	network->project = limits.project;
	return status;
}

/* host NULL: nothing comes of it. */
static int read_network(const struct reading *r, struct network_rule *network)
{
	static const char *const names[] = {"host", "protocol", "decision", "justification",
	                                    "port", "expires",  "project",  NULL};
	const json_t *host = argument(r, "host", 0);
	cleanup_free char *number = NULL;
	const char *port = NULL;
	char name[HOST_NAME_MAX_LENGTH + 1];
	struct host_address address;
	const char *text;
	int decision;

	if (check_names(r, names, 4) < 0 || read_port(r, &number) < 0 ||
	    (!number && read_protocol(r, &port) < 0) || read_network_decision(r, &decision) < 0 ||
	    read_limits(r, network) < 0)
		return -1;
	port = number ? number : port;
	text = is_word(host) ? json_string_value(host) : "";
	if (host_name_normal(text, strlen(text), name) != NULL) {
		if (!host_address_parse(text, &address))
			return wrong(r, "host: expected the name or address of one host");
		host_address_text(&address, name);
	}
	/* Nobody asks about a name twice, and nothing relays datagrams. */
	if (decision != 0 && port) {
		struct host_rule checked;
		struct error ignored = {0};

		network->host = xasprintf("%s%s%s", decision < 0 ? "!" : "", name, port);
		if (host_rule_parse(network->host, &checked, &ignored) < 0)
			return wrong(r, "port: expected \"1\" to \"65535\"");
	}
	return 0;
}

static int add_network(struct rules *rules, const struct reading *r, const char *text)
{
	struct network_rule network = {.line = r->call->line};
	int status = read_network(r, &network);

	if (status < 0 || !network.host) {
		network_rule_free(&network);
		return status;
	}
	network.file = xstrdup(r->file);
	network.text = xstrndup(text + r->call->start, r->call->end - r->call->start);
	rules_keep_network(rules, network);
	return 0;
}

static int add_rule(struct rules *rules, const struct reading *r, const char *text)
{
	struct rule rule = {.line = r->call->line};

	if (read_prefix_rule(r, &rule) < 0) {
		rule_free(&rule);
		return -1;
	}
	rule.file = xstrdup(r->file);
	rule.text = xstrndup(text + r->call->start, r->call->end - r->call->start);
	list_add(rules->rules, rules->count, rule);
	return 0;
}

static int add_host(struct rules *rules, const struct reading *r)
{
	struct host host = {.line = r->call->line};

	if (read_host(r, &host) < 0) {
		host_free(&host);
		return -1;
	}
	host.file = xstrdup(r->file);
	rules_keep_host(rules, host);
	return 0;
}

/* Examples are about one rule alone, with every definition of the file. */
static int check_examples(const struct rules *rules, const struct calls *calls, size_t first,
                          const char *file, struct error *err)
{
	size_t at = first;

	for (size_t i = 0; i < calls->count; i++) {
		struct reading r = {&calls->calls[i], file, err};
		struct rules one = {.hosts = rules->hosts, .host_count = rules->host_count};
		cleanup_free char *what = NULL;

		if (strcmp(r.call->name, "prefix_rule") != 0)
			continue;
		one.rules = &rules->rules[at++];
		one.count = 1;
		what = examples_fail(&one, argument(&r, "not_match", 3), false);
		if (!what)
			what = examples_fail(&one, argument(&r, "match", 2), true);
		if (what)
			return wrong(&r, what);
	}
	return 0;
}

int rules_add(struct rules *rules, const char *text, size_t len, const char *file,
              struct error *err)
{
	size_t first = rules->count;
	struct calls calls;
	int status = calls_read(text, len, file, &calls, err);

	for (size_t i = 0; status == 0 && i < calls.count; i++) {
		struct reading r = {&calls.calls[i], file, err};

		if (strcmp(r.call->name, "prefix_rule") == 0)
			status = add_rule(rules, &r, text);
		else if (strcmp(r.call->name, "host_executable") == 0)
			status = add_host(rules, &r);
		else if (strcmp(r.call->name, "network_rule") == 0)
			status = add_network(rules, &r, text);
		else
			status = wrong(&r,
			               "not one of prefix_rule, host_executable and network_rule");
	}
	if (status == 0)
		status = check_examples(rules, &calls, first, file, err);
	calls_free(&calls);
	return status;
}
