#include "answer/diff_sides.h"

#include "answer/diff_policies.h"
#include "answer/policy_member.h"
#include "base/cleanup.h"
#include "resolve/load_settings.h"
#include "resolve/resolve.h"

#include <errno.h>
#include <string.h>

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
