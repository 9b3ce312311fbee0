#include "extensions.h"

#include "base/cleanup.h"
#include "base/memory.h"
#include "canonical.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "profile.h"

#include <string.h>

/* The words of both ways to spell them. */
static const struct {
	const char *word;
	enum grade grade;
} grades[] = {
        {"none", GRADE_NONE},   {"readonly", GRADE_READ},   {"read_only", GRADE_READ},
        {"read", GRADE_READ},   {"readwrite", GRADE_WRITE}, {"read_write", GRADE_WRITE},
        {"write", GRADE_WRITE},
};

static int get_grade(const char *key, const json_t *value, enum grade *grade, struct error *err)
{
	const char *word = json_string_value(value);

	for (size_t i = 0; word && i < sizeof(grades) / sizeof(grades[0]); i++) {
		if (strcmp(grades[i].word, word) == 0) {
			*grade = grades[i].grade;
			return 0;
		}
	}
	return error_set(err, EXIT_INPUT, "bad-extension",
	                 "permissions.macos.%s: \"%s\": expected none, %s", key, word ? word : "?",
	                 key[0] == 'p' ? "readonly or readwrite" : "read_only or read_write");
}

static int get_flag(const char *key, const json_t *value, bool *flag, struct error *err)
{
	if (!json_is_boolean(value))
		return error_set(err, EXIT_INPUT, "bad-extension",
		                 "permissions.macos.%s: expected true or false", key);
	*flag = json_is_true(value);
	return 0;
}

/* What the system takes for one; anything else would silently match nothing. */
static bool is_bundle_id(const char *id)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                              "0123456789._-";

	return strlen(id) >= 3 && strchr(id, '.') && id[strspn(id, letters)] == '\0';
}

static int get_automation(const json_t *value, struct extensions *x, struct error *err)
{
	if (json_is_boolean(value)) {
		x->automation_all = json_is_true(value);
		return 0;
	}
	if (json_string_value(value) && strcmp(json_string_value(value), "all") == 0) {
		x->automation_all = true;
		return 0;
	}
	if (!json_is_array(value))
		return error_set(err, EXIT_INPUT, "bad-extension",
		                 "permissions.macos.automation: expected true, false or a list of "
		                 "bundle ids");
	x->automation = os_vector_get(value, "permissions.macos.automation", err);
	if (!x->automation)
		return -1;
	for (char **id = x->automation; *id; id++)
		if (!is_bundle_id(*id))
			return error_set(err, EXIT_INPUT, "bad-bundle-id",
			                 "permissions.macos.automation: \"%s\": not a bundle id "
			                 "(letters, digits, \".\", \"-\" and \"_\", with a dot)",
			                 *id);
	return 0;
}

/* The same names with "macos_" before them, as codex has them. */
static int get_one(const char *key, const json_t *value, struct extensions *x, struct error *err)
{
	if (strncmp(key, "macos_", 6) == 0)
		key += 6;
	if (strcmp(key, "preferences") == 0)
		return get_grade(key, value, &x->preferences, err);
	if (strcmp(key, "contacts") == 0)
		return get_grade(key, value, &x->contacts, err);
	if (strcmp(key, "automation") == 0)
		return get_automation(value, x, err);
	if (strcmp(key, "launch_services") == 0)
		return get_flag(key, value, &x->launch_services, err);
	if (strcmp(key, "accessibility") == 0)
		return get_flag(key, value, &x->accessibility, err);
	if (strcmp(key, "calendar") == 0)
		return get_flag(key, value, &x->calendar, err);
	return error_set(err, EXIT_INPUT, "bad-extension",
	                 "permissions.macos.%s: not known (preferences, automation, "
	                 "launch_services, accessibility, calendar, contacts)",
	                 key);
}

int extensions_get(json_t *json, struct extensions *x, struct error *err)
{
	const char *key;
	json_t *value;

	*x = (struct extensions){0};
	if (!json || json_is_null(json))
		return 0;
	if (!json_is_object(json))
		return error_set(err, EXIT_INPUT, "bad-extension",
		                 "permissions.macos: expected a table");
	x->given = true;
	json_object_foreach (json, key, value) {
		if (get_one(key, value, x, err) < 0) {
			extensions_free(x);
			return -1;
		}
	}
	return 0;
}

void extensions_free(struct extensions *x)
{
	os_vector_free(x->automation);
	*x = (struct extensions){0};
}

static void write_automation(const struct extensions *x, struct profile *p)
{
	if (!x->automation_all && !(x->automation && x->automation[0]))
		return;
	fputs(sbpl_automation, p->out);
	if (x->automation_all) {
		fputs(sbpl_automation_all, p->out);
		return;
	}
	fputs("(allow appleevent-send", p->out);
	for (size_t i = 0; x->automation[i]; i++) {
		cleanup_free char *name = xasprintf("BUNDLE_%zu", i);

		profile_param(p, name, x->automation[i]);
		fprintf(p->out, "\n  (appleevent-destination (param \"%s\"))", name);
	}
	fputs(")\n", p->out);
}

static int write_contacts(const struct extensions *x, const char *home, struct profile *p,
                          struct error *err)
{
	cleanup_free char *normal = NULL, *canonical = NULL, *directory = NULL;

	if (x->contacts == GRADE_NONE)
		return 0;
	if (!home || home[0] != '/')
		return error_set(err, EXIT_INPUT, "no-home",
		                 "permissions.macos.contacts: HOME is not set in the command's "
		                 "environment, so the address book cannot be found");
	normal = path_normal(home);
	canonical = canonical_path(normal);
	directory = path_join(canonical, "Library/Application Support/AddressBook");
	profile_param(p, "ADDRESSBOOK_DIR", directory);
	fputs(sbpl_contacts_read, p->out);
	if (x->contacts == GRADE_WRITE)
		fputs(sbpl_contacts_write, p->out);
	return 0;
}

int extensions_write(const struct extensions *x, bool full_read, const char *home,
                     struct profile *p, struct error *err)
{
	if (!x->given && full_read)
		fputs(sbpl_preferences_default, p->out);
	if (x->preferences != GRADE_NONE)
		fputs(sbpl_preferences_read, p->out);
	if (x->preferences == GRADE_WRITE)
		fputs(sbpl_preferences_write, p->out);
	write_automation(x, p);
	if (x->launch_services)
		fputs(sbpl_launch_services, p->out);
	if (x->accessibility)
		fputs(sbpl_accessibility, p->out);
	if (x->calendar)
		fputs(sbpl_calendar, p->out);
	return write_contacts(x, home, p, err);
}
