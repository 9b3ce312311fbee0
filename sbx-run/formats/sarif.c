#include "formats/sarif.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "document/osstring.h"
#include "formats/denied_thing.h"
#include "fs/path.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Byte by byte: a path need not be text. */
static char *percent(const char *path)
{
	static const char digits[] = "0123456789ABCDEF";
	char *out = xmalloc(strlen(path) * 3 + 1), *to = out;

	for (const unsigned char *from = (const unsigned char *)path; *from; from++) {
		if (isalnum(*from) || strchr("/-._~", *from)) {
			*to++ = (char)*from;
			continue;
		}
		*to++ = '%';
		*to++ = digits[*from >> 4];
		*to++ = digits[*from & 15];
	}
	*to = '\0';
	return out;
}

static char *directory_uri(const char *path)
{
	cleanup_free char *text = percent(path);

	return xasprintf("file://%s%s", text, path_depth(path) > 0 ? "/" : "");
}

/* Below the workspace by its name there: what hosts show beside the source. */
static json_t *location(const char *path, const char *cwd)
{
	bool below = cwd && strcmp(cwd, path) != 0 && path_contains(cwd, path);
	const char *name = below ? path + strlen(cwd) + (path_depth(cwd) > 0) : path;
	cleanup_free char *text = percent(name);
	cleanup_free char *uri = xasprintf("%s%s", below ? "" : "file://", text);
	json_t *artifact = xjson(json_pack("{s:s}", "uri", uri));

	if (below)
		json_object_set_new(artifact, "uriBaseId", json_string("SRCROOT"));
	return xjson(json_pack("{s:{s:o,s:{s:i}}}", "physicalLocation", "artifactLocation",
	                       artifact, "region", "startLine", 1));
}

/* "sbx/look-up" */
static char *rule_id(const json_t *denial)
{
	char *id = xasprintf("sbx/%s", denied_op(denial));

	for (char *c = id; *c; c++)
		if (*c == ' ')
			*c = '-';
	return id;
}

static void add_rule(json_t *rules, json_t *known, const char *id, const json_t *denial)
{
	cleanup_free char *what = xasprintf("The sandbox denied: %s", denied_op(denial));
	json_t *rule;

	if (json_object_get(known, id))
		return;
	json_object_set_new(known, id, json_integer((json_int_t)json_array_size(rules)));
	rule = xjson(
	        json_pack("{s:s,s:{s:o}}", "id", id, "shortDescription", "text", os_string(what)));
	json_array_append_new(rules, rule);
}

static json_t *result_of(const json_t *denial, const json_t *known, const char *id, const char *cwd,
                         bool failed)
{
	cleanup_free char *line = denied_line(denial), *path = denied_path(denial);
	json_t *result =
	        xjson(json_pack("{s:s,s:O,s:s,s:{s:o},s:O}", "ruleId", id, "ruleIndex",
	                        json_object_get(known, id), "level", failed ? "error" : "warning",
	                        "message", "text", os_string(line), "properties", denial));

	if (path && path[0] == '/')
		json_object_set_new(result, "locations",
		                    xjson(json_pack("[o]", location(path, cwd))));
	return result;
}

static json_t *invocation(const json_t *doc, const char *cwd)
{
	const json_t *result = json_object_get(doc, "result");
	cleanup_free char *line = command_line(doc), *how = run_ending(doc);
	cleanup_free char *uri = cwd ? directory_uri(cwd) : NULL;
	json_t *out =
	        xjson(json_pack("{s:b,s:O*,s:o,s:o}", "executionSuccessful", !run_failed(doc),
	                        "exitCode", json_object_get(result, "exit_code"), "commandLine",
	                        os_string(line), "exitCodeDescription", os_string(how)));

	if (uri)
		json_object_set_new(out, "workingDirectory", xjson(json_pack("{s:s}", "uri", uri)));
	return out;
}

char *sarif_text(const json_t *doc)
{
	const json_t *given = json_object_get(json_object_get(doc, "command"), "cwd");
	const json_t *denials = json_object_get(json_object_get(doc, "result"), "denials");
	bool failed = json_is_true(json_object_get(json_object_get(doc, "result"), "denied"));
	struct error none = {0};
	cleanup_free char *cwd = given ? os_string_get(given, "cwd", &none) : NULL;
	cleanup_free char *base = cwd ? directory_uri(cwd) : NULL;
	cleanup_json json_t *known = xjson(json_object());
	json_t *rules = xjson(json_array()), *results = xjson(json_array()), *run;
	cleanup_json json_t *log = NULL;
	cleanup_free char *text = NULL;
	size_t i;
	json_t *denial;

	json_array_foreach (denials, i, denial) {
		cleanup_free char *id = rule_id(denial);

		add_rule(rules, known, id, denial);
		json_array_append_new(results, result_of(denial, known, id, cwd, failed));
	}
	run = xjson(json_pack("{s:{s:{s:s,s:s,s:o}},s:[o],s:o}", "tool", "driver", "name",
	                      "sbx-run", "version", SBX_VERSION, "rules", rules, "invocations",
	                      invocation(doc, cwd), "results", results));
	if (base)
		json_object_set_new(run, "originalUriBaseIds",
		                    xjson(json_pack("{s:{s:s}}", "SRCROOT", "uri", base)));
	log = xjson(json_pack("{s:s,s:s,s:[o]}", "$schema",
	                      "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0",
	                      "runs", run));
	text = xjson(json_text_dump(log, JSON_COMPACT));
	return xasprintf("%s\n", text);
}
