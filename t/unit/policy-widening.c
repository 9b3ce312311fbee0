/*
 * What does a project's file widen, key by key?
 */
#include "base/cleanup.h"
#include "config/config.c"
#include "config/settings.c"
#include "project/widening.c"
#include "tap.h"

/* A layer in which every value comes from "file:1". */
static json_t *origins(json_t *values)
{
	json_t *out = json_object(), *value;
	const char *key;

	json_object_foreach (values, key, value)
		json_object_set_new(out, key,
		                    json_is_object(value) ? origins(value)
		                                          : config_origin(LAYER_PROJECT, "file:1"));
	return out;
}

static struct config layer(const char *text)
{
	json_t *values = json_loads(text, 0, NULL);

	return (struct config){values, origins(values)};
}

static const struct {
	const char *what, *user, *project;
	const char *left; /* of the project's file */
} cases[] = {
#define WIDER       "{}"
#define WRITE(text) "{'sandbox_workspace_write':{" text "}}"
#define SHELL(text) "{'shell_environment_policy':{" text "}}"
        {"read-only", "{}", "{'sandbox_mode':'read-only'}", NULL},
        {"the mode that holds anyway", "{}", "{'sandbox_mode':'workspace-write'}", NULL},
        {"full access", "{}", "{'sandbox_mode':'danger-full-access'}", WIDER},
        {"full access as a set", "{}", "{'default_permissions':':danger-full-access'}", WIDER},
        {"less than the user has", "{'sandbox_mode':'danger-full-access'}",
         "{'default_permissions':':workspace'}", NULL},
        {"more than the user wants", "{'sandbox_mode':'read-only'}",
         "{'sandbox_mode':'workspace-write'}", WIDER},
        {"more than the user's set", "{'default_permissions':':read-only'}",
         "{'sandbox_mode':'workspace-write'}", WIDER},
        {"a mode in place of the user's own set", "{'default_permissions':'mine'}",
         "{'sandbox_mode':'read-only'}", WIDER},
        {"the same set", "{'default_permissions':'mine'}", "{'default_permissions':'mine'}", NULL},
        {"another set", "{}", "{'default_permissions':'mine'}", WIDER},
        {"an approval that asks more", "{}", "{'approval_policy':'untrusted'}", NULL},
        {"an approval that asks less", "{}", "{'approval_policy':'never'}", WIDER},
        {"... unless the user says it", "{'approval_policy':'never'}",
         "{'approval_policy':'never'}", NULL},
        {"a root", "{}", WRITE("'writable_roots':['/a']"), WIDER},
        {"one root more", WRITE("'writable_roots':['/a']"), WRITE("'writable_roots':['/a','/b']"),
         WIDER},
        {"one root less", WRITE("'writable_roots':['/a','/b']"), WRITE("'writable_roots':['/b']"),
         NULL},
        {"no root", "{}", WRITE("'writable_roots':[]"), NULL},
        {"a socket", "{}", WRITE("'unix_sockets':['/a']"), WIDER},
        {"the network", "{}", WRITE("'network_access':true"), WIDER},
        {"no network", WRITE("'network_access':true"), WRITE("'network_access':false"), NULL},
        {"without /tmp", "{}", WRITE("'exclude_slash_tmp':true"), NULL},
        {"with /tmp again", WRITE("'exclude_slash_tmp':true"), WRITE("'exclude_slash_tmp':false"),
         WIDER},
        {"with $TMPDIR again", WRITE("'exclude_tmpdir_env_var':true"),
         WRITE("'exclude_tmpdir_env_var':false"), WIDER},
        {"fewer variables", "{}", SHELL("'inherit':'core'"), NULL},
        {"more variables", SHELL("'inherit':'core'"), SHELL("'inherit':'all'"), WIDER},
        {"the secrets", "{}", SHELL("'ignore_default_excludes':true"), WIDER},
        {"one more exclude", SHELL("'exclude':['A']"), SHELL("'exclude':['B','A']"), NULL},
        {"other excludes", SHELL("'exclude':['A']"), SHELL("'exclude':['B']"), WIDER},
        {"a filter", "{}", SHELL("'include_only':['A']"), NULL},
        {"a wider filter", SHELL("'include_only':['A']"), SHELL("'include_only':['A','B']"), WIDER},
        {"no filter any more", SHELL("'include_only':['A']"), SHELL("'include_only':[]"), WIDER},
        {"a variable, beside the same one", SHELL("'set':{'A':'1'}"),
         SHELL("'set':{'A':'1','PATH':'/x'}"), SHELL("'set':{'A':'1'}")},
        {"a feature", "{}", "{'features':{'x':true}}", WIDER},
        {"a feature off", "{'features':{'x':true}}", "{'features':{'x':false}}", WIDER},
        {"a set, but for its description", "{}",
         "{'permissions':{'p':{'description':'d','filesystem':{'/':'write'},'network':'on'}}}",
         "{'permissions':{'p':{'description':'d'}}}"},
        {"more in the user's set", "{'permissions':{'p':{'filesystem':{'/':'read'}}}}",
         "{'permissions':{'p':{'filesystem':{'/':'read','/x':'write'}}}}",
         "{'permissions':{'p':{'filesystem':{'/':'read'}}}}"},
        {"observe", "{}", "{'sbx':{'observe':'off'}}", WIDER},
        {"a key that nobody thought of", "{}", "{'new':1,'sbx':{'new':true}}", WIDER},
        {"a profile that narrows", "{}", "{'profiles':{'p':{'sandbox_mode':'read-only'}}}", NULL},
        {"a profile that widens", "{}",
         "{'profiles':{'p':{'sandbox_mode':'danger-full-access','approval_policy':'untrusted'}}}",
         "{'profiles':{'p':{'approval_policy':'untrusted'}}}"},
        {"a profile that widens the user's",
         "{'sandbox_mode':'danger-full-access','profiles':{'p':{'sandbox_mode':'read-only'}}}",
         "{'profiles':{'p':{'sandbox_mode':'workspace-write'}}}", WIDER},
        {"a profile with a set", "{}", "{'profiles':{'p':{'permissions':{'q':{'network':'on'}}}}}",
         WIDER},
        {"a profile of that name is no key", "{}",
         "{'profiles':{'profiles':{'sandbox_mode':'danger-full-access'}}}", WIDER},
};

static char *quoted(const char *text)
{
	char *out = xstrdup(text);

	for (char *p = out; *p; p++)
		*p = *p == '\'' ? '"' : *p;
	return out;
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		cleanup_free char *user = quoted(cases[i].user);
		cleanup_free char *project = quoted(cases[i].project);
		cleanup_free char *left = quoted(cases[i].left ? cases[i].left : cases[i].project);
		struct config base = layer(user), own = layer(project), wanted = layer(left);
		struct widenings looked = {0}, found = {0};
		cleanup_free char *got = NULL;

		widenings_find(&looked, &own, &base);
		widenings_remove(&found, &own, &base);
		got = json_dumps(own.values, JSON_COMPACT);
		check(json_equal(own.values, wanted.values) &&
		              json_equal(own.origins, wanted.origins) &&
		              looked.count == found.count && (found.count > 0) == !!cases[i].left,
		      cases[i].what, got);
		config_free(&base);
		config_free(&own);
		config_free(&wanted);
		widenings_free(&looked);
		widenings_free(&found);
	}
	return finish();
}
