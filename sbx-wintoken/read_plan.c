#include "read_plan.h"

#include "base/memory.h"
#include "capability.h"
#include "plan_words.h"
#include "spelling/winpath.h"

#include <stdlib.h>
#include <string.h>

static int bad(struct error *err, const char *member, const char *why)
{
	return error_set(err, EXIT_INPUT, "bad-plan", "plan: %s: %s", member, why);
}

/* Every member that there is, known; every one that must be, there. */
static int members(const json_t *object, const char *what, const char *const *names,
                   struct error *err)
{
	size_t count = 0;

	if (!json_is_object(object))
		return bad(err, what, "expected an object");
	for (; names[count]; count++)
		if (!json_object_get(object, names[count]))
			return error_set(err, EXIT_INPUT, "bad-plan", "plan: %s: no \"%s\"", what,
			                 names[count]);
	if (json_object_size(object) != count)
		return bad(err, what, "has a member that is not known");
	return 0;
}
#define MEMBERS(object, what, err, ...)                                                            \
	members(object, what, (const char *const[]){__VA_ARGS__, NULL}, err)

/* A list that must be exactly this one: the launcher does all of it. */
static int same_words(const json_t *list, const char *what, const char *const *words,
                      struct error *err)
{
	size_t i = 0;

	for (; words[i]; i++) {
		const char *word = json_string_value(json_array_get(list, i));

		if (!word || strcmp(word, words[i]) != 0)
			return bad(err, what, "not what this version carries out");
	}
	return json_array_size(list) == i ? 0 : bad(err, what, "not what this version carries out");
}
#define SAME_WORDS(list, what, err, ...)                                                           \
	same_words(list, what, (const char *const[]){__VA_ARGS__, NULL}, err)

static const char *path(const json_t *value, const char *what, struct error *err)
{
	const char *text = json_string_value(value);
	struct winpath canonical = {0};
	struct error why = {0};
	bool same;

	if (!text) {
		bad(err, what, "expected a path");
		return NULL;
	}
	if (winpath_get(text, &canonical, &why) < 0) {
		bad(err, what, why.message);
		return NULL;
	}
	same = strcmp(canonical.path, text) == 0;
	winpath_free(&canonical);
	if (!same)
		bad(err, what, "a path is not in its one form");
	return same ? text : NULL;
}

static int read_token(struct orders *o, const json_t *token, struct error *err)
{
	const json_t *sids = json_object_get(token, "restricting_sids");
	size_t count = json_array_size(sids);

	if (MEMBERS(token, "token", err, "flags", "restricting_sids", "keep_privileges") < 0 ||
	    SAME_WORDS(json_object_get(token, "flags"), "token.flags", err, PLAN_TOKEN_FLAGS) < 0 ||
	    SAME_WORDS(json_object_get(token, "keep_privileges"), "token.keep_privileges", err,
	               PLAN_PRIVILEGES) < 0)
		return -1;
	o->sids = xrealloc_array(NULL, count + 1, sizeof(*o->sids));
	for (size_t i = 0; i < count; i++) {
		const char *sid = json_string_value(json_array_get(sids, i));
		bool good = sid && (i + 2 == count   ? strcmp(sid, PLAN_LOGON) == 0
		                    : i + 1 == count ? strcmp(sid, PLAN_EVERYONE) == 0
		                                     : capability_is_sid(sid));

		if (!good)
			return bad(err, "token.restricting_sids",
			           "expected capabilities, then logon, then Everyone");
		o->sids[i] = sid;
	}
	o->sids[count] = NULL;
	return count >= 3 ? 0 : bad(err, "token.restricting_sids", "no capability");
}

static bool is_ours(const struct orders *o, const char *sid)
{
	for (size_t i = 0; sid && o->sids[i]; i++)
		if (capability_is_sid(o->sids[i]) && strcmp(o->sids[i], sid) == 0)
			return true;
	return false;
}

static int read_aces(struct orders *o, const json_t *list, struct error *err)
{
	if (!json_is_array(list))
		return bad(err, "aces", "expected a list");
	o->aces = xrealloc_array(NULL, json_array_size(list) + 1, sizeof(*o->aces));
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *json = json_array_get(list, i);
		const char *type = json_string_value(json_object_get(json, "type"));
		const char *missing = json_string_value(json_object_get(json, "if_missing"));
		struct order_ace *ace = &o->aces[i];

		if (MEMBERS(json, "aces", err, "path", "type", "sid", "if_missing") < 0)
			return -1;
		if (!type || !missing ||
		    !((strcmp(type, "allow") == 0 && strcmp(missing, "skip") == 0) ||
		      (strcmp(type, "deny") == 0 && strcmp(missing, "make-directory") == 0)))
			return bad(err, "aces",
			           "expected allow and skip, or deny and make-directory");
		ace->allow = strcmp(type, "allow") == 0;
		ace->make = !ace->allow;
		ace->sid = json_string_value(json_object_get(json, "sid"));
		ace->path = path(json_object_get(json, "path"), "aces", err);
		if (!ace->path)
			return -1;
		if (!is_ours(o, ace->sid))
			return bad(err, "aces",
			           "a SID that is not one of the token's capabilities");
		o->ace_count++;
	}
	return 0;
}

/* A name without a folder in it, so that it stays in ours. */
static bool is_stub_name(const char *name)
{
	size_t len = name ? strlen(name) : 0;

	return len > 4 && len < 32 &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == len - 4 &&
	       (strcmp(name + len - 4, ".bat") == 0 || strcmp(name + len - 4, ".cmd") == 0);
}

static int read_stubs(struct orders *o, const json_t *stubs, struct error *err)
{
	const json_t *files = json_object_get(stubs, "files");

	if (MEMBERS(stubs, "stubs", err, "directory", "files") < 0)
		return -1;
	o->stub_directory = path(json_object_get(stubs, "directory"), "stubs.directory", err);
	if (!o->stub_directory)
		return -1;
	if (!json_is_array(files))
		return bad(err, "stubs.files", "expected a list");
	o->stubs = xrealloc_array(NULL, json_array_size(files) + 1, sizeof(*o->stubs));
	for (size_t i = 0; i < json_array_size(files); i++) {
		const json_t *file = json_array_get(files, i);
		struct order_stub *stub = &o->stubs[i];

		stub->name = json_string_value(json_object_get(file, "name"));
		stub->text = json_string_value(json_object_get(file, "text"));
		if (MEMBERS(file, "stubs.files", err, "name", "text") < 0)
			return -1;
		if (!is_stub_name(stub->name) || !stub->text)
			return bad(err, "stubs.files", "expected a name.bat or name.cmd, and text");
		o->stub_count++;
	}
	return 0;
}

static int read_strings(const json_t *list, const char *what, struct error *err)
{
	if (!json_is_array(list))
		return bad(err, what, "expected a list");
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!json_is_string(json_array_get(list, i)))
			return bad(err, what, "expected strings");
	return 0;
}

static int read_map(json_t *map, const char *what, struct error *err)
{
	const char *key;
	json_t *value;

	if (!json_is_object(map))
		return bad(err, what, "expected an object");
	json_object_foreach (map, key, value)
		if (!json_is_string(value) || key[0] == '\0' || strchr(key, '='))
			return bad(err, what, "expected names and strings");
	return 0;
}

static int read_environment(struct orders *o, const json_t *env, struct error *err)
{
	static const char *const maps[] = {"set", "default", "replace"};
	static const char *const lists[] = {"remove", "path_first", "pathext_first"};

	if (MEMBERS(env, "environment", err, "set", "default", "replace", "remove", "path_first",
	            "pathext_first") < 0)
		return -1;
	for (size_t i = 0; i < 3; i++)
		if (read_map(json_object_get(env, maps[i]), "environment", err) < 0 ||
		    read_strings(json_object_get(env, lists[i]), "environment", err) < 0)
			return -1;
	o->environment = env;
	return 0;
}

static int read_job(const json_t *job, struct error *err)
{
	if (MEMBERS(job, "job", err, "limits", "ui_limits", "breakaway") < 0 ||
	    SAME_WORDS(json_object_get(job, "limits"), "job.limits", err, PLAN_JOB_LIMITS) < 0 ||
	    SAME_WORDS(json_object_get(job, "ui_limits"), "job.ui_limits", err, PLAN_UI_LIMITS) < 0)
		return -1;
	return json_is_false(json_object_get(job, "breakaway"))
	               ? 0
	               : bad(err, "job.breakaway", "expected false");
}

static int read_level(const json_t *plan, struct error *err)
{
	const json_t *version = json_object_get(plan, "sbx_plan");
	const char *level = json_string_value(json_object_get(plan, "windows_sandbox_level"));

	if (!json_is_integer(version) || json_integer_value(version) != PLAN_VERSION)
		return bad(err, "sbx_plan", "not a plan of this version");
	/* A plan for no sandbox is a plan for nothing that this program does. */
	if (!level || strcmp(level, PLAN_LEVEL) != 0)
		return error_set(err, EXIT_UNAVAILABLE, "no-sandbox",
		                 "plan: windows_sandbox_level is \"%s\": only " PLAN_LEVEL
		                 " is carried out",
		                 level ? level : "");
	return MEMBERS(plan, "plan", err, "sbx_plan", "windows_sandbox_level", "cwd", "timeout_ms",
	               "token", "capability_sids", "aces", "environment", "stubs", "job", "state",
	               "lost");
}

static int read_plan(struct orders *o, struct error *err)
{
	const json_t *timeout = json_object_get(o->plan, "timeout_ms");

	if (read_level(o->plan, err) < 0)
		return -1;
	o->timeout_ms = json_integer_value(timeout);
	if (!json_is_integer(timeout) || o->timeout_ms < 0)
		return bad(err, "timeout_ms", "expected a number of ms");
	o->cwd = path(json_object_get(o->plan, "cwd"), "cwd", err);
	o->state = o->cwd ? path(json_object_get(o->plan, "state"), "state", err) : NULL;
	if (!o->state || read_token(o, json_object_get(o->plan, "token"), err) < 0 ||
	    read_aces(o, json_object_get(o->plan, "aces"), err) < 0 ||
	    read_environment(o, json_object_get(o->plan, "environment"), err) < 0 ||
	    read_stubs(o, json_object_get(o->plan, "stubs"), err) < 0)
		return -1;
	return read_job(json_object_get(o->plan, "job"), err);
}

int orders_read(const char *text, size_t len, struct orders *orders, struct error *err)
{
	json_error_t why;

	*orders = (struct orders){0};
	if (len > ORDERS_MAX)
		return bad(err, "too long", "a plan has 1 MiB at most");
	/* A NUL ends the text of a careless reader; jansson refuses it. */
	orders->plan = json_loadb(text, len, JSON_REJECT_DUPLICATES, &why);
	if (!orders->plan)
		return error_set(err, EXIT_INPUT, "bad-plan", "plan: %s at byte %d", why.text,
		                 why.position);
	if (read_plan(orders, err) == 0)
		return 0;
	orders_free(orders);
	return -1;
}

void orders_free(struct orders *orders)
{
	free(orders->sids);
	free(orders->aces);
	free(orders->stubs);
	json_decref(orders->plan);
	*orders = (struct orders){0};
}
