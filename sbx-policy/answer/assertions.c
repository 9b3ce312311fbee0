#include "answer/assertions.h"

#include "answer/check_path.h"
#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/strings.h"
#include "policy/words.h"

#include <errno.h>
#include <string.h>

#define LINE_MAX_BYTES 8192

struct assertion {
	bool allow;
	const char *verb;   /* "read", "write", "connect" or "use" */
	const char *object; /* the path, the address, or how much of what: memory=1G */
};

/* Two words and the rest of the line, which may contain blanks. */
static int parse(char *text, struct assertion *assertion)
{
	static const char blanks[] = " \t";
	char *word = text + strspn(text, blanks);
	char *verb = word + strcspn(word, blanks);
	char *object;

	if (*verb)
		*verb++ = '\0';
	verb += strspn(verb, blanks);
	object = verb + strcspn(verb, blanks);
	if (*object)
		*object++ = '\0';
	object += strspn(object, blanks);
	*assertion = (struct assertion){strcmp(word, "allow") == 0, verb, object};
	if ((!assertion->allow && strcmp(word, "deny") != 0) || !object[0])
		return -1;
	return strcmp(verb, "read") == 0 || strcmp(verb, "write") == 0 ||
	                       strcmp(verb, "connect") == 0 || strcmp(verb, "use") == 0
	               ? 0
	               : -1;
}

static bool is_loopback(const char *address)
{
	return word_among(address,
	                  (const char *const[]){"loopback", "localhost", "127.0.0.1", "::1", NULL});
}

/* Written as in the list: one host, one port or all of them. */
static bool is_listed(const struct hosts *hosts, const char *object)
{
	struct host_rule rule;
	struct error ignored = {0};
	unsigned port;

	if (host_rule_parse(object, &rule, &ignored) < 0 || rule.deny || rule.port_count > 1)
		return false;
	port = rule.port_count ? rule.ports[0] : 0;
	if (rule.kind == HOST_NETWORK)
		return rule.prefix == 128 &&
		       hosts_judge(hosts, NULL, &rule.address, false, port) == HOST_ALLOWED;
	return rule.kind == HOST_NAME && hosts_judge_name(hosts, rule.name, port) == HOST_ALLOWED;
}

/*
 * "*" is anywhere: allowed when all of it is, denied when none of it is.  A loopback that
 * nobody asked for leads to nobody outside, or is not there.
 */
static bool connect_holds(const struct assertion *assertion, const struct policy *policy)
{
	enum network network = policy->permissions.network;
	bool outside = network == NETWORK_ON, inside = network != NETWORK_OFF;

	if (is_loopback(assertion->object))
		return assertion->allow == inside;
	if (strcmp(assertion->object, "*") == 0 && !assertion->allow)
		return !inside || policy->loopback_optional;
	if (network == NETWORK_HOSTS)
		outside = is_listed(&policy->permissions.hosts, assertion->object);
	return assertion->allow == outside;
}

/* "memory=1G"; what is wrong, or NULL. */
static char *judge_use(const struct assertion *assertion, const struct policy *policy)
{
	size_t len = strcspn(assertion->object, "=");
	cleanup_free char *name = xstrndup(assertion->object, len);
	int limit = word_index(limit_names, name);
	struct error why = {0};
	cleanup_free char *shown = NULL;
	int64_t wanted, most;

	if (limit < 0 || !assertion->object[len])
		return xasprintf(
		        "expected processes, memory, cpu, tmp or files, \"=\" and how much");
	if (limit_parse((enum limit)limit, assertion->object + len + 1, &wanted, &why) < 0)
		return xstrdup(why.message);
	most = policy->limits.most[limit];
	if (assertion->allow == (!most || wanted <= most))
		return NULL;
	shown = most ? limit_text((enum limit)limit, most) : xstrdup("not limited");
	return xasprintf("%s is %s", name, shown);
}

/* NULL when it holds, else what is wrong. */
static char *judge(const struct policy *policy, const char *base, const struct assertion *assertion)
{
	cleanup_free char *own = NULL;
	const char *home = getenv("HOME");
	const char *path = assertion->object;
	struct verdict verdict;
	char *why = NULL;

	if (strcmp(assertion->verb, "use") == 0)
		return judge_use(assertion, policy);
	if (strcmp(assertion->verb, "connect") == 0)
		return connect_holds(assertion, policy)
		               ? NULL
		               : xasprintf("the network is %s",
		                           network_names[policy->permissions.network]);
	if (path[0] == '~' && (path[1] == '/' || path[1] == '\0') && home && home[0] == '/')
		path = own = xasprintf("%s%s", home, path + 1);
	verdict_find(&verdict, policy, base, (enum access)access_parse(assertion->verb), path);
	if (verdict.allowed != assertion->allow)
		why = verdict.rule ? xasprintf("\"%s\" is %s", verdict.rule,
		                               access_names[verdict.access])
		                   : xstrdup("no entry covers it");
	verdict_free(&verdict);
	return why;
}

static int check_line(const struct policy *policy, const char *base, const char *place, char *line,
                      FILE *out, struct error *err)
{
	struct assertion assertion;
	cleanup_free char *why = NULL;
	cleanup_free char *clean = NULL;

	if (parse(line, &assertion) < 0)
		return error_set(err, EXIT_INPUT, "bad-assertion",
		                 "%s: expected \"allow\" or \"deny\", then \"read PATH\", "
		                 "\"write PATH\", \"connect ADDRESS\" or \"use LIMIT=VALUE\"",
		                 place);
	why = judge(policy, base, &assertion);
	if (!why)
		return 0;
	{
		cleanup_free char *text =
		        xasprintf("%s: %s %s %s: %s", place, assertion.allow ? "allow" : "deny",
		                  assertion.verb, assertion.object, why);

		clean = text_clean(text);
	}
	fprintf(out, "%s\n", clean);
	return 1;
}

int assertions_check(const struct policy *policy, const char *base, const char *file, FILE *out,
                     struct error *err)
{
	FILE *in = strcmp(file, "-") == 0 ? stdin : fopen(file, "re");
	char line[LINE_MAX_BYTES];
	size_t number = 0, count = 0;
	int status = 0;

	if (!in)
		return error_set(err, EXIT_INPUT, "bad-assertion", "\"%s\": %s", file,
		                 strerror(errno));
	while (status >= 0 && fgets(line, sizeof(line), in)) {
		cleanup_free char *place = xasprintf("%s:%zu", file, ++number);
		size_t len = strlen(line);
		int one;

		if (len + 1 == sizeof(line)) {
			status = error_set(err, EXIT_INPUT, "bad-assertion", "%s: line too long",
			                   place);
			break;
		}
		while (len > 0 && strchr(" \t\r\n", line[len - 1]))
			line[--len] = '\0';
		if (line[strspn(line, " \t")] == '\0' || line[strspn(line, " \t")] == '#')
			continue;
		count++;
		one = check_line(policy, base, place, line, out, err);
		status = one < 0 ? one : status | one;
	}
	if (status >= 0 && ferror(in))
		status = error_system(err, "reading \"%s\"", file);
	if (in != stdin)
		fclose(in);
	/* A test that tests nothing would pass for ever. */
	if (status == 0 && count == 0)
		return error_set(err, EXIT_INPUT, "bad-assertion", "\"%s\": no assertions", file);
	if (fflush(out) == EOF && status >= 0)
		return error_system(err, "writing");
	return status;
}
