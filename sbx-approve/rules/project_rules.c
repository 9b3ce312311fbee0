#include "rules/project_rules.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/complain.h"
#include "base/memory.h"
#include "fs/path.h"
#include "rules/rulefile.h"

#include <string.h>

/* Parsed once, and the digest is of what was parsed. */
static int read_rules(struct rules *rules, const char *root, char digest[SHA256_TEXT_SIZE],
                      struct error *err)
{
	cleanup_free char *directory = path_join(root, ".codex/rules");
	struct sha256 sha;
	int status;

	sha256_begin(&sha);
	status = rules_read_directory(rules, directory, &sha, err);
	if (sha.length > 0)
		sha256_end(&sha, digest);
	else
		strcpy(digest, "none");
	return status;
}

static size_t allowing(const struct rules *rules)
{
	size_t count = rules->host_count;

	for (size_t i = 0; i < rules->count; i++)
		count += rules->rules[i].decision == DECISION_ALLOW;
	return count;
}

int project_rules_add(struct rules *rules, const char *root, const char *digest, struct error *err)
{
	char now[SHA256_TEXT_SIZE];
	struct rules own = {0};
	int status = read_rules(&own, root, now, err);
	bool seen = status == 0 && digest && strcmp(digest, now) == 0;

	if (status == 0 && !seen && allowing(&own) > 0) {
		cleanup_free char *quoted = text_quote(root);

		complain("\"%s/.codex/rules\": %s, so what it allows is ignored; to review it: "
		         "sbx-policy --trust %s",
		         root, digest ? "changed since it was trusted" : "not reviewed yet",
		         quoted);
	}
	if (status == 0)
		rules_take(rules, &own, seen);
	rules_free(&own);
	return status;
}

static void print_line(FILE *out, const char *file, unsigned line, const char *text)
{
	cleanup_free char *clean_file = text_clean(file);
	cleanup_free char *clean = text_clean(text);

	fprintf(out, "%s:%u: widens: %s\n", clean_file, line, clean);
}

int project_rules_print(const char *root, FILE *out, struct error *err)
{
	char digest[SHA256_TEXT_SIZE];
	struct rules rules = {0};
	int status = path_is_normal(root) ? read_rules(&rules, root, digest, err)
	                                  : error_set(err, EXIT_USAGE, "usage",
	                                              "--project-rules: \"%s\": not a "
	                                              "normalized absolute path",
	                                              root);

	if (status == 0)
		fprintf(out, "%s\n", digest);
	for (size_t i = 0; status == 0 && i < rules.count; i++)
		if (rules.rules[i].decision == DECISION_ALLOW)
			print_line(out, rules.rules[i].file, rules.rules[i].line,
			           rules.rules[i].text);
	for (size_t i = 0; status == 0 && i < rules.host_count; i++) {
		cleanup_free char *text = xasprintf("host_executable(\"%s\")", rules.hosts[i].name);

		print_line(out, rules.hosts[i].file, rules.hosts[i].line, text);
	}
	for (size_t i = 0; status == 0 && i < rules.network_count; i++) {
		cleanup_free char *text = xasprintf("network_rule(\"%s\")", rules.networks[i].host);

		if (rules.networks[i].host[0] != '!')
			print_line(out, rules.networks[i].file, rules.networks[i].line, text);
	}
	rules_free(&rules);
	if (status == 0 && fflush(out) == EOF)
		return error_system(err, "writing");
	return status;
}
