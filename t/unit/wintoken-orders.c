/*
 * The launcher carries out a plan that it knows whole, and no other text.
 */
#include "../../sbx-wintoken/capability.c"
#include "../../sbx-wintoken/read_plan.c"
#include "../../sbx-wintoken/sid_file.c"
#include "../../sbx-wintoken/spelling/upcase.c"
#include "../../sbx-wintoken/spelling/winpath.c"
#include "tap.h"

#define SID "S-1-5-21-1-2-3-4294967295"

static json_t *words(const char *const *list)
{
	json_t *array = json_array();

	for (; *list; list++)
		json_array_append_new(array, json_string(*list));
	return array;
}
#define WORDS(...) words((const char *const[]){__VA_ARGS__, NULL})

static json_t *good_plan(void)
{
	return json_pack(
	        "{s:i,s:s,s:s,s:i,s:{s:o,s:[s,s,s],s:o},s:[],s:[{s:s,s:s,s:s,s:s},{s:s,s:s,s:s,s:s}],"
	        "s:{s:{s:s},s:{},s:{s:s},s:[s],s:[s],s:[s]},s:{s:s,s:[{s:s,s:s}]},s:{s:o,s:o,s:b},"
	        "s:s,s:[]}",
	        "sbx_plan", 1, "windows_sandbox_level", "restricted-token", "cwd", "C:\\ws",
	        "timeout_ms", 0, "token", "flags", WORDS(PLAN_TOKEN_FLAGS), "restricting_sids", SID,
	        "logon", "S-1-1-0", "keep_privileges", WORDS(PLAN_PRIVILEGES), "capability_sids",
	        "aces", "path", "C:\\ws", "type", "allow", "sid", SID, "if_missing", "skip", "path",
	        "C:\\ws\\.git", "type", "deny", "sid", SID, "if_missing", "make-directory",
	        "environment", "set", "A", "1", "default", "replace", "/dev/null", "NUL", "remove",
	        "SBX_SESSION", "path_first", "C:\\h\\stubs", "pathext_first", ".BAT", "stubs",
	        "directory", "C:\\h\\stubs", "files", "name", "ssh.bat", "text", "@exit 1", "job",
	        "limits", WORDS(PLAN_JOB_LIMITS), "ui_limits", WORDS(PLAN_UI_LIMITS), "breakaway",
	        0, "state", "C:\\h", "lost");
}

static bool accepted(const json_t *plan, struct error *err)
{
	char *text = json_dumps(plan, JSON_COMPACT);
	struct orders orders;
	int status = orders_read(text, strlen(text), &orders, err);

	free(text);
	if (status == 0)
		orders_free(&orders);
	return status == 0;
}

/* A value at a path of names and numbers, replaced by JSON text. */
static const struct {
	const char *path[4];
	const char *value;
} wrong[] = {
        {{"sbx_plan"}, "2"},
        {{"sbx_plan"}, "\"1\""},
        {{"windows_sandbox_level"}, "\"disabled\""},
        {{"windows_sandbox_level"}, "\"elevated\""},
        {{"windows_sandbox_level"}, "null"},
        {{"cwd"}, "\"C:/ws\""},
        {{"cwd"}, "\"ws\""},
        {{"cwd"}, "7"},
        {{"state"}, "\"C:\\\\PROGRA~1\""},
        {{"timeout_ms"}, "-1"},
        {{"timeout_ms"}, "1.5"},
        {{"token"}, "{}"},
        {{"token", "flags"}, "[\"LUA_TOKEN\"]"},
        {{"token", "flags"}, "[]"},
        {{"token", "restricting_sids"}, "[\"logon\",\"S-1-1-0\"]"},
        {{"token", "restricting_sids"}, "[\"S-1-1-0\",\"logon\",\"S-1-1-0\"]"},
        {{"token", "restricting_sids"}, "[\"S-1-5-32-544\",\"logon\",\"S-1-1-0\"]"},
        {{"token", "restricting_sids"}, "[\"" SID "\",\"S-1-1-0\",\"logon\"]"},
        {{"token", "restricting_sids"}, "[\"S-1-5-21-1-2-3-4294967296\",\"logon\",\"S-1-1-0\"]"},
        {{"token", "restricting_sids"}, "[\"S-1-5-21-1-2-3-04\",\"logon\",\"S-1-1-0\"]"},
        {{"token", "restricting_sids"}, "[\"S-1-5-21-1-2-3\",\"logon\",\"S-1-1-0\"]"},
        {{"token", "restricting_sids"}, "\"x\""},
        {{"token", "keep_privileges"}, "[\"SeDebugPrivilege\"]"},
        {{"aces"}, "{}"},
        {{"aces", "0", "sid"}, "\"S-1-1-0\""},
        {{"aces", "0", "sid"}, "\"S-1-5-21-1-2-3-5\""},
        {{"aces", "0", "path"}, "\"c:\\\\ws\""},
        {{"aces", "0", "path"}, "\"C:\\\\ws.\""},
        {{"aces", "0", "type"}, "\"deny\""},
        {{"aces", "1", "if_missing"}, "\"skip\""},
        {{"aces", "0"}, "null"},
        {{"environment", "set"}, "{\"A=B\":\"1\"}"},
        {{"environment", "set"}, "{\"\":\"1\"}"},
        {{"environment", "set"}, "{\"A\":1}"},
        {{"environment", "remove"}, "[1]"},
        {{"stubs", "directory"}, "\"stubs\""},
        {{"stubs", "files", "0", "name"}, "\"..\\\\x.bat\""},
        {{"stubs", "files", "0", "name"}, "\"x.exe\""},
        {{"stubs", "files", "0", "name"}, "\".bat\""},
        {{"stubs", "files", "0", "text"}, "null"},
        {{"job", "limits"}, "[\"DIE_ON_UNHANDLED_EXCEPTION\"]"},
        {{"job", "ui_limits"}, "[]"},
        {{"job", "breakaway"}, "true"},
        {{"job", "breakaway"}, "null"},
};

static void put(json_t *at, const char *const *path, json_t *value)
{
	for (; path[1]; path++)
		at = json_is_array(at) ? json_array_get(at, strtoul(path[0], NULL, 10))
		                       : json_object_get(at, path[0]);
	if (json_is_array(at))
		json_array_set_new(at, strtoul(path[0], NULL, 10), value);
	else
		json_object_set_new(at, path[0], value);
}

static void check_wrong(void)
{
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		const char *path[5] = {wrong[i].path[0], wrong[i].path[1], wrong[i].path[2],
		                       wrong[i].path[3], NULL};
		json_t *plan = good_plan();
		struct error err = {0};

		put(plan, path, json_loads(wrong[i].value, JSON_DECODE_ANY, NULL));
		check(!accepted(plan, &err) && err.exit && err.message[0], wrong[i].path[0],
		      wrong[i].value);
		json_decref(plan);
	}
}

/* Every member of every object, missing; and one more in each. */
static void check_members(json_t *plan, json_t *object, int *bad)
{
	const char *key;
	json_t *keys, *value;
	struct error err = {0};

	if (json_is_array(object)) {
		for (size_t i = 0; i < json_array_size(object); i++)
			check_members(plan, json_array_get(object, i), bad);
		return;
	}
	keys = json_copy(object);
	json_object_foreach (keys, key, value) {
		json_object_del(object, key);
		*bad += accepted(plan, &err);
		json_object_set(object, key, value);
		if (strcmp(key, "set") && strcmp(key, "default") && strcmp(key, "replace"))
			check_members(plan, value, bad);
	}
	json_decref(keys);
	if (json_is_object(object)) {
		json_object_set_new(object, "more", json_true());
		*bad += accepted(plan, &err);
		json_object_del(object, "more");
	}
}

static void check_text(void)
{
	static const char *const texts[] = {"",
	                                    "{",
	                                    "null",
	                                    "[]",
	                                    "{\"sbx_plan\":1,\"sbx_plan\":1}",
	                                    "\xff",
	                                    "{\"a\":\"\\u0000\"}",
	                                    "{\"a\":\"\\ud800\"}"};
	char *long_text = xmalloc(2 * ORDERS_MAX);
	json_t *plan = good_plan();
	char *text = json_dumps(plan, JSON_COMPACT);
	size_t len = strlen(text);
	struct orders orders;
	struct error err = {0};
	int survived = 0;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		check(orders_read(texts[i], strlen(texts[i]), &orders, &err) < 0, "no plan",
		      texts[i]);
	memset(long_text, ' ', 2 * ORDERS_MAX);
	memcpy(long_text, text, len);
	check(orders_read(long_text, 2 * ORDERS_MAX, &orders, &err) < 0, "a plan of 2 MiB", NULL);
	memset(long_text, '[', 65536);
	check(orders_read(long_text, 65536, &orders, &err) < 0, "64 KiB of brackets", NULL);
	text[len - 1] = '\0';
	check(orders_read(text, len, &orders, &err) < 0, "a NUL at its end", NULL);
	text[len - 1] = '}';
	/* One byte is another one: refused or read, never a crash. */
	srand(7);
	for (int i = 0; i < 20000; i++) {
		size_t at = (size_t)rand() % len;
		char old = text[at];

		text[at] = (char)rand();
		if (orders_read(text, len, &orders, &err) == 0)
			orders_free(&orders);
		survived++;
		text[at] = old;
	}
	check(survived == 20000, "20 000 plans with a wrong byte", NULL);
	free(text);
	free(long_text);
	json_decref(plan);
}

int main(void)
{
	json_t *plan = good_plan();
	struct error err = {0};
	int bad = 0;

	check(accepted(plan, &err), "control: a plan", err.message);
	check_members(plan, plan, &bad);
	check(bad == 0, "a member missing or too many is noticed", NULL);
	check(accepted(plan, &err), "control: it is the same plan again", err.message);
	json_decref(plan);
	check_wrong();
	check_text();
	return finish();
}
