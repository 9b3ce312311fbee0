#include "advise/learn.h"

#include "advise/missing_entries.h"
#include "advise/permission_table.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "document/json_list.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "policy/own_loopback.h"
#include "policy/permissions.h"
#include "policy/protected_names.h"
#include "policy/words.h"
#include "trust/sensitive_places.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int learn_open(const char *path, struct error *err)
{
	cleanup_close int fd =
	        open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0666);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return error_system(err, "--learn-file: \"%s\"", path);
	if (!S_ISREG(st.st_mode))
		return error_set(err, EXIT_USAGE, "usage", "--learn-file: \"%s\": not a file",
		                 path);
	return keep_fd(&fd);
}

/* A name that TOML, -P and a person can read. */
static char *set_name(const json_t *doc)
{
	static const char plain[] =
	        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	const json_t *policy = json_object_get(doc, "policy");
	const char *given = json_string_value(json_object_get(policy, "permission_set"));
	const json_t *argv = json_object_get(json_object_get(doc, "command"), "argv");
	struct error none = {0};
	cleanup_free char *program = NULL;
	const char *base;
	char *name;

	if (given)
		return xstrdup(given);
	program = os_string_get(json_array_get(argv, 0), "argv", &none);
	base = program ? strrchr(program, '/') : NULL;
	base = base ? base + 1 : program ? program : "";
	name = xstrdup(*base ? base : "command");
	for (char *p = name; *p; p++)
		if (!strchr(plain, *p))
			*p = '-';
	return name;
}

/* As people write it: the home directory of whoever uses the set. */
static char *key_of(const char *path)
{
	const char *home = getenv("HOME");
	struct error none = {0};
	cleanup_free char *real = home && home[0] == '/' ? path_canonical(home, &none) : NULL;

	if (!real || !real[1] || !path_contains(real, path))
		return xstrdup(path);
	return xasprintf("~%s", path + strlen(real));
}

static void set_file(json_t *files, const char *key, const char *access)
{
	json_t *there = json_object_get(files, key);

	if (json_is_object(there))
		json_object_set_new(there, ".", json_string(access));
	else
		json_object_set_new(files, key, json_string(access));
}

/* What --add-dir and --allow gave beyond the mode, and what stays shut in it. */
static void add_roots(json_t *files, const json_t *policy)
{
	const json_t *mode = json_object_get(policy, "sandbox_policy");
	const json_t *fs = json_object_get(json_object_get(policy, "permissions"), "fs");
	size_t i, k;
	json_t *root, *entry;

	json_array_foreach (json_object_get(mode, "writable_roots"), i, root) {
		const char *path = json_string_value(root);
		cleanup_free char *key = path ? key_of(path) : NULL;

		if (!path)
			continue;
		set_file(files, key, "write");
		json_array_foreach (fs, k, entry) {
			const char *below = json_string_value(json_object_get(entry, "path"));
			const char *access = json_string_value(json_object_get(entry, "access"));
			const char *name = below ? strrchr(below, '/') + 1 : "";
			cleanup_free char *own = below ? key_of(below) : NULL;
			bool named = false;

			for (const char *const *p = protected_names; *p; p++)
				named |= strcmp(*p, name) == 0;
			/* sbx-policy protects those names by itself. */
			if (below && access && strcmp(access, "write") != 0 && !named &&
			    path_contains(path, below) && strcmp(path, below) != 0)
				set_file(files, own, access);
		}
	}
}

/* The policy that the command ran with, as a set. */
static json_t *given_set(const json_t *policy)
{
	const json_t *table = json_object_get(policy, "permission_table");
	const json_t *mode = json_object_get(policy, "sandbox_policy");
	const json_t *permissions = json_object_get(policy, "permissions");
	json_t *set, *files;

	if (json_is_object(table)) {
		set = xjson(json_deep_copy(table));
		json_object_del(set, "extends");
		if (!json_object_get(set, "filesystem"))
			json_object_set_new(set, "filesystem", xjson(json_object()));
		return set;
	}
	set = xjson(json_pack("{s:{s:s}}", "filesystem", ":root", "read"));
	files = json_object_get(set, "filesystem");
	if (policy_mode(policy) == MODE_WORKSPACE_WRITE) {
		set_file(files, ":workspace_roots", "write");
		if (!json_is_true(json_object_get(mode, "exclude_slash_tmp")))
			set_file(files, ":slash_tmp", "write");
		if (!json_is_true(json_object_get(mode, "exclude_tmpdir_env_var")))
			set_file(files, ":tmpdir", "write");
		add_roots(files, policy);
	}
	/* The default of a set is the same, and means the same elsewhere. */
	if (!loopback_is_optional(policy))
		json_object_set(set, "network", json_object_get(permissions, "network"));
	if (json_array_size(json_object_get(permissions, "hosts")) > 0)
		json_object_set(set, "hosts", json_object_get(permissions, "hosts"));
	if (json_array_size(json_object_get(permissions, "unix_sockets")) > 0)
		json_object_set(set, "unix_sockets", json_object_get(permissions, "unix_sockets"));
	return set;
}

static void doubtful(struct table *t, const char *table, const char *key, json_t *value,
                     const char *why)
{
	cleanup_free char *text = xasprintf("NOT learned: %s", why);

	json_array_append_new(t->doubtful,
	                      xjson(json_pack("{s:s,s:s,s:o,s:s}", "table", table, "key", key,
	                                      "value", value, "why", text)));
}

/* Directories, with what is sensitive in them kept as it is. */
static void add_files(struct table *t, const json_t *paths, const char *access)
{
	json_t *files = json_object_get(t->values, "filesystem");
	size_t i;
	json_t *path;

	json_array_foreach (paths, i, path) {
		cleanup_free char *key = key_of(json_string_value(path));
		const char *now = json_string_value(json_object_get(files, key));

		if (now && (strcmp(now, "none") == 0 || strcmp(now, "deny") == 0)) {
			doubtful(t, "filesystem", key, json_string(access),
			         "the set denies it by name");
			continue;
		}
		if (now && strcmp(now, "write") == 0)
			continue;
		set_file(files, key, access);
		for (unsigned n = 0; strcmp(access, "write") == 0; n++) {
			cleanup_free char *place = sensitive_below(json_string_value(path), n);
			cleanup_free char *own = place ? key_of(place) : NULL;

			if (!place)
				break;
			if (json_object_get(files, own))
				continue;
			set_file(files, own, "read");
		}
	}
}

static void add_words(json_t *values, const char *key, const json_t *words)
{
	json_t *list = json_object_get(values, key);
	size_t i, k;
	json_t *word, *there;

	if (json_array_size(words) > 0 && !list)
		json_object_set_new(values, key, list = xjson(json_array()));
	json_array_foreach (words, i, word) {
		bool known = false;

		json_array_foreach (list, k, there)
			known |= json_equal(there, word);
		if (!known)
			json_array_append(list, word);
	}
}

/* Over those that the set has. */
static void add_limits(json_t *values, json_t *limits)
{
	json_t *own = json_object_get(values, "limits");

	if (json_object_size(limits) > 0 && !own)
		json_object_set(values, "limits", limits);
	else if (own)
		json_object_update(own, limits);
}

static void add_doubtful(struct table *t, const struct lesson *l)
{
	size_t i;
	json_t *item;

	json_array_foreach (l->doubtful, i, item) {
		const char *list = json_string_value(json_object_get(item, "list"));
		const char *path = json_string_value(json_object_get(item, "path"));
		const char *why = json_string_value(json_object_get(item, "why"));
		cleanup_free char *key = key_of(path);

		if (strcmp(list, "unix_sockets") == 0)
			doubtful(t, "", list, xjson(json_pack("[s]", path)), why);
		else
			doubtful(t, "filesystem", key, json_string(list), why);
	}
}

/* No sensitive place is named without the reason behind it, whoever named it. */
static void remark_sensitive(struct table *t)
{
	json_t *remarks = json_object_get(t->remarks, "filesystem");
	const char *home = getenv("HOME");
	const char *key;
	json_t *value;

	json_object_foreach (json_object_get(t->values, "filesystem"), key, value) {
		cleanup_free char *path = key[0] == '/'           ? path_normal(key)
		                          : key[0] == '~' && home ? xasprintf("%s%s", home, key + 1)
		                                                  : NULL;
		struct error none = {0};
		cleanup_free char *real = path ? path_canonical(path, &none) : NULL;
		const char *why = real ? sensitive_path(real) : NULL;

		if (why)
			json_object_set_new(remarks, key, json_string(why));
	}
}

static void add_lesson(struct table *t, const struct lesson *l)
{
	const char *now = json_string_value(json_object_get(t->values, "network"));

	add_words(t->values, "allow", l->presets);
	add_words(t->values, "unix_sockets", l->sockets);
	add_words(t->values, "hosts", l->hosts);
	add_limits(t->values, l->limits);
	if (json_list_has_text(json_object_get(t->values, "allow"), "git"))
		json_object_set_new(
		        t->remarks, "allow",
		        json_string("git: a protected name; hooks and configuration in it "
		                    "stay read-only"));
	if (json_array_size(l->hosts) > 0 && network_parse(now) < NETWORK_HOSTS)
		json_object_set_new(t->values, "network", xjson(json_string("hosts")));
	if (l->network && network_parse(json_string_value(l->network)) > network_parse(now))
		json_object_set(t->values, "network", l->network);
	add_files(t, l->write, "write");
	add_files(t, l->read, "read");
	add_doubtful(t, l);
	remark_sensitive(t);
}

static void write_words(FILE *out, const json_t *doc, const struct lesson *l)
{
	const json_t *result = json_object_get(doc, "result");
	const char *why = json_string_value(json_object_get(result, "unobserved"));
	json_int_t dropped = json_integer_value(json_object_get(result, "denials_dropped"));
	size_t count = json_array_size(json_object_get(result, "denials")), i;
	json_t *line;

	if (count == 0 && why) {
		cleanup_free char *text =
		        xasprintf("nothing was learned: denials were not observed: %s", why);

		table_remark(out, text);
	} else {
		fprintf(out, "# learned from %zu denial%s\n", count, count == 1 ? "" : "s");
	}
	if (dropped > 0)
		fprintf(out,
		        "# %" JSON_INTEGER_FORMAT
		        " more were not kept: learn again with this set\n",
		        dropped);
	json_array_foreach (l->unsaid, i, line)
		table_remark(out, json_string_value(line));
}

static int write_out(int fd, const char *text, size_t len, struct error *err)
{
	struct stat st;

	/* What a run before wrote there may be longer. */
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && fd != STDERR_FILENO &&
	    ftruncate(fd, 0) < 0)
		return error_system(err, "--learn-file");
	while (len > 0) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return error_system(err, "writing the learned permissions");
		text += n;
		len -= (size_t)n;
	}
	return 0;
}

int learn_print(const json_t *doc, int fd, struct error *err)
{
	const json_t *policy = json_object_get(doc, "policy");
	const json_t *sandbox = json_object_get(doc, "exec");
	const char *type = json_string_value(json_object_get(sandbox, "sandbox"));
	cleanup_free char *name = set_name(doc);
	cleanup_free char *text = NULL;
	struct table table = {.name = name};
	struct suggest suggest;
	struct lesson lesson;
	size_t size = 0;
	FILE *out;
	int status;

	if (type && strcmp(type, "none") == 0)
		return error_set(
		        err, EXIT_INPUT, "no-sandbox",
		        "--learn: the command ran without a sandbox, which denies nothing");
	out = open_memstream(&text, &size);
	if (!out)
		return error_system(err, "--learn");
	suggest_begin(&suggest, doc);
	lesson_begin(&lesson, &suggest);
	lesson_take(&lesson, json_object_get(json_object_get(doc, "result"), "denials"));
	table.values = given_set(policy);
	table.remarks = xjson(json_pack("{s:{}}", "filesystem"));
	table.doubtful = xjson(json_array());
	add_lesson(&table, &lesson);
	write_words(out, doc, &lesson);
	table_write(&table, out);
	status = fclose(out) == 0 ? write_out(fd, text, size, err) : error_system(err, "--learn");
	json_decref(table.values);
	json_decref(table.remarks);
	json_decref(table.doubtful);
	lesson_free(&lesson);
	suggest_free(&suggest);
	return status;
}
