#include "answer/diff_policies.h"

#include "answer/policy_member.h"
#include "base/cleanup.h"
#include "base/fold.h"
#include "base/memory.h"
#include "document/json_pool.h"
#include "fs/path.h"
#include "policy/permissions.h"
#include "policy/resource_limits.h"
#include "policy/words.h"
#include "resolve/load_settings.h"
#include "resolve/resolve.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

struct sheet {
	FILE *out;
	bool different;
};

static void say(struct sheet *sheet, const char *what, const char *a, const char *b)
{
	cleanup_free char *name = NULL;
	cleanup_free char *from = NULL;
	cleanup_free char *to = NULL;
	cleanup_free char *line = NULL;
	struct fold fold = {.out = sheet->out,
	                    .columns = fold_columns(fileno(sheet->out)),
	                    .end = "\n",
	                    .hang = 4};

	if (strcmp(a, b) == 0)
		return;
	name = fold_shown(what);
	from = fold_shown(a);
	to = fold_shown(b);
	line = xasprintf("%-48s %s -> %s", name, from, to);
	fold_ready(&fold, fold.columns > 0 ? "  " : "", line);
	sheet->different = true;
}

/* The paths at which either policy says something. */
static void collect(struct permissions *all, const struct permissions *from)
{
	for (size_t i = 0; i < from->count; i++)
		permissions_add(all, from->entries[i].path, ACCESS_READ);
}

static void diff_files(struct sheet *sheet, const struct permissions *a,
                       const struct permissions *b)
{
	struct permissions all = {0};

	collect(&all, a);
	collect(&all, b);
	permissions_add(&all, "/", ACCESS_READ);
	for (size_t i = 0; i < all.count; i++) {
		const char *path = all.entries[i].path;
		cleanup_free char *parent = path_parent(path);
		enum access has_a = permissions_resolve(a, path, NULL);
		enum access has_b = permissions_resolve(b, path, NULL);

		/* Said by the line for the directory around it. */
		if (path[1] && permissions_resolve(a, parent, NULL) == has_a &&
		    permissions_resolve(b, parent, NULL) == has_b)
			continue;
		say(sheet, path, access_names[has_a], access_names[has_b]);
	}
	permissions_free(&all);
}

static const char *word(const json_t *policy, const char *name)
{
	const char *text = json_string_value(json_object_get(policy, name));

	return text ? text : "none";
}

static void diff_environment(struct sheet *sheet, const json_t *a, const json_t *b)
{
	static const char *const members[] = {"inherit", "ignore_default_excludes", "exclude",
	                                      "include_only", "set"};
	const json_t *from = json_object_get(a, "shell_environment_policy");
	const json_t *to = json_object_get(b, "shell_environment_policy");

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		const json_t *had = json_object_get(from, members[i]);
		const json_t *has = json_object_get(to, members[i]);
		cleanup_free char *one = had ? json_text_dump(had, JSON_ENCODE_ANY) : NULL;
		cleanup_free char *two = has ? json_text_dump(has, JSON_ENCODE_ANY) : NULL;
		cleanup_free char *name = xasprintf("environment %s", members[i]);

		say(sheet, name, one ? one : "default", two ? two : "default");
	}
}

static void diff_hosts(struct sheet *sheet, const struct hosts *a, const struct hosts *b)
{
	cleanup_json json_t *from = hosts_json(a);
	cleanup_json json_t *to = hosts_json(b);
	cleanup_free char *one = json_text_dump(from, JSON_COMPACT);
	cleanup_free char *two = json_text_dump(to, JSON_COMPACT);

	say(sheet, "hosts", one, two);
}

static void diff_limits(struct sheet *sheet, const json_t *a, const json_t *b)
{
	struct error ignored = {0};

	for (int i = 0; i < LIMIT_COUNT; i++) {
		const json_t *one = json_object_get(a, limit_names[i]);
		const json_t *two = json_object_get(b, limit_names[i]);
		int64_t had = 0, has = 0;

		if (one && limit_value((enum limit)i, one, &had, &ignored) < 0)
			had = -1;
		if (two && limit_value((enum limit)i, two, &has, &ignored) < 0)
			has = -1;
		cleanup_free char *from =
		        had > 0 ? limit_text((enum limit)i, had) : xstrdup("none");
		cleanup_free char *to = has > 0 ? limit_text((enum limit)i, has) : xstrdup("none");
		cleanup_free char *name = xasprintf("limit %s", limit_names[i]);

		say(sheet, name, from, to);
	}
}

/* 0: the same rights; 1: the differences were printed; -1: error. */
static int diff_policies(const json_t *a, const json_t *b, FILE *out, struct error *err)
{
	struct permissions one = {0}, two = {0};
	struct sheet sheet = {out, false};
	int status = permissions_get(json_object_get(a, "permissions"), &one, err);

	if (status == 0)
		status = permissions_get(json_object_get(b, "permissions"), &two, err);
	if (status == 0) {
		say(&sheet, "approval", word(a, "approval_policy"), word(b, "approval_policy"));
		say(&sheet, "tmp", word(a, "tmp"), word(b, "tmp"));
		diff_limits(&sheet, json_object_get(a, "limits"), json_object_get(b, "limits"));
		say(&sheet, "network", network_names[one.network], network_names[two.network]);
		diff_hosts(&sheet, &one.hosts, &two.hosts);
		diff_files(&sheet, &one, &two);
		diff_environment(&sheet, a, b);
		status = sheet.different;
	}
	permissions_free(&one);
	permissions_free(&two);
	if (fflush(out) == EOF && status >= 0)
		return error_system(err, "writing");
	return status;
}

/* A file, or "-"; everything else is a name. */
static bool is_file(const char *operand)
{
	return strchr(operand, '/') || strcmp(operand, "-") == 0 ||
	       (strlen(operand) > 5 && strcmp(operand + strlen(operand) - 5, ".json") == 0);
}

/* The member "policy" of the document in a file, or the file's own. */
static json_t *read_policy(const char *file, struct error *err)
{
	FILE *in = strcmp(file, "-") == 0 ? stdin : fopen(file, "re");
	json_error_t why;
	json_t *json, *policy;

	if (!in) {
		error_set(err, EXIT_INPUT, "bad-document", "\"%s\": %s", file, strerror(errno));
		return NULL;
	}
	json = json_loadf(in, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &why);
	if (in != stdin)
		fclose(in);
	if (!json) {
		error_set(err, EXIT_INPUT, "bad-document", "%s:%d:%d: %s", file, why.line,
		          why.column, why.text);
		return NULL;
	}
	policy = json_object_get(json, "policy");
	if (!policy && json_object_get(json, "permissions"))
		policy = json;
	if (!policy)
		error_set(err, EXIT_INPUT, "bad-document", "\"%s\": contains no policy", file);
	else
		json_incref(policy);
	json_decref(json);
	return policy;
}

/* What the same options give with another mode, set or profile. */
static json_t *resolve_policy(const struct request *request, const char *name, struct error *err)
{
	struct request other = *request; /* a view: nothing in it is freed */
	struct loaded loaded = {0};
	struct policy policy = {0};
	struct notes unsaid = {0};
	json_t *member = NULL;

	if (request_choose(&other, name, err) == 0 &&
	    settings_load(&loaded, &other, &unsaid, err) == 0 &&
	    policy_resolve(&policy, &loaded, &unsaid, err) == 0)
		member = policy_member(&policy);
	policy_free(&policy);
	loaded_free(&loaded);
	notes_free(&unsaid);
	return member;
}

static json_t *side(const struct request *request, const char *operand, struct error *err)
{
	return is_file(operand) ? read_policy(operand, err) : resolve_policy(request, operand, err);
}

int answer_diff(const struct request *request, const struct policy *policy, struct error *err)
{
	char **operands = request->operands;
	cleanup_json json_t *a = side(request, operands[0], err);
	cleanup_json json_t *b = !a            ? NULL
	                         : operands[1] ? side(request, operands[1], err)
	                                       : policy_member(policy);

	return a && b ? diff_policies(a, b, stdout, err) : -1;
}
