#include "config/config_file.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/read_full.h"
#include "config/keys.h"
#include "document/osstring.h"
#include "fs/path.h"
#include "toml/toml.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *file_doubt(const struct stat *st, bool by_root)
{
	if (!S_ISREG(st->st_mode))
		return "not a regular file";
	if (by_root && st->st_uid != 0)
		return "not owned by root";
	if (st->st_uid != 0 && st->st_uid != geteuid())
		return "owned by somebody else";
	if (st->st_mode & S_IWOTH)
		return "writable by everybody";
	if (by_root && (st->st_mode & S_IWGRP) && st->st_gid != 0)
		return "writable by a group";
	return NULL;
}

char *file_contents(int fd, size_t *len)
{
	size_t size = toml_limits_default.bytes + 1;
	cleanup_free char *text = NULL;
	struct stat st;
	ssize_t used;

	if (fstat(fd, &st) < 0)
		return NULL;
	if ((size_t)st.st_size < size)
		size = (size_t)st.st_size + 1;
	text = xmalloc(size + 1);
	used = read_full(fd, text, size);
	if (used < 0)
		return NULL;
	*len = (size_t)used;
	text[*len] = '\0';
	return keep_ptr(text);
}

int file_parse(const char *text, size_t len, const char *name, enum layer layer, struct config *own,
               struct notes *notes, struct error *err)
{
	cleanup_free char *clean = text_clean(name);
	struct toml_document document = {0};
	struct layer_text source = {layer, clean, &document};
	int status;

	if (toml_read_document(text, len, clean, NULL, &document, err) < 0)
		return -1;
	status = keys_take(&source, document.root, own, notes, err);
	toml_document_free(&document);
	return status;
}

int file_read(int fd, const char *name, enum layer layer, struct config *config,
              struct notes *notes, struct error *err)
{
	cleanup_free char *text = NULL;
	struct config own;
	size_t len;
	int status;

	text = file_contents(fd, &len);
	if (!text)
		return error_system(err, "reading \"%s\"", name);
	config_begin(&own);
	status = file_parse(text, len, name, layer, &own, notes, err);
	if (status == 0 && json_object_size(config->values) == 0) {
		/* The first layer is the configuration so far. */
		struct config empty = *config;

		*config = own;
		own = empty;
	} else if (status == 0) {
		config_merge(config, &own);
	}
	config_free(&own);
	return status;
}

int file_read_own(const char *home, const char *name, enum layer layer, struct config *config,
                  struct notes *notes, struct error *err)
{
	cleanup_free char *path = path_join(home, name);
	/* O_NONBLOCK: a fifo in its place must not hold us up. */
	cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	const char *doubt;
	struct stat st;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_set(err, EXIT_INPUT, "bad-config", "\"%s\": %s", path,
		                 strerror(errno));
	doubt = file_doubt(&st, false);
	if (doubt)
		return error_set(err, EXIT_INPUT, "bad-config", "\"%s\": not read: %s", path,
		                 doubt);
	return file_read(fd, path, layer, config, notes, err) < 0 ? -1 : 1;
}

/* {"a":{"b":value}} for the key a.b */
static json_t *nested(char *const *parts, json_t *value)
{
	size_t count = 0;

	while (parts[count])
		count++;
	json_incref(value);
	while (count > 0)
		value = xjson(json_pack("{s:o}", parts[--count], value));
	return value;
}

/*
 * What a person types without thinking of TOML: -c sbx.observe=on, or a path.  What
 * begins like a number, a string, a list or a table was meant as one.
 */
static bool is_plainly_text(const char *text)
{
	if (!*text || strchr("0123456789+-\"'[{#=. \t", *text))
		return false;
	for (; *text; text++)
		if (strchr("\"'[]{}#=", *text) || (unsigned char)*text < 0x20 || *text == 0x7f)
			return false;
	return true;
}

/* A word that is no TOML is a string; a key that takes something else refuses it by name. */
static json_t *value_of(const char *text, struct error *why)
{
	json_t *value = toml_value(text, "value", why);

	return !value && is_plainly_text(text) ? xjson(json_string(text)) : value;
}

int override_take(struct config *overrides, const char *assignment, struct notes *notes,
                  struct error *err)
{
	cleanup_json json_t *value = NULL;
	cleanup_json json_t *table = NULL;
	cleanup_vector char **parts = NULL;
	cleanup_free char *name = NULL;
	struct layer_text layer = {.layer = LAYER_OVERRIDE};
	struct config own;
	struct error why = {0};
	const char *rest = NULL;
	size_t key;
	int status;

	if (toml_key_prefix(assignment, &rest, &parts, &why) < 0 || *rest != '=')
		return error_set(err, EXIT_USAGE, "usage", "--config \"%s\": expected KEY=VALUE",
		                 assignment);
	key = (size_t)(rest - assignment);
	/* "KEY = text", as a file has it. */
	rest += 1 + strspn(rest + 1, " \t");
	value = value_of(rest, &why);
	if (!value)
		return error_set(err, EXIT_INPUT, "bad-config", "--config \"%s\": %s", assignment,
		                 why.message);
	table = nested(parts, value);
	name = xasprintf("flag -c %.*s", (int)key, assignment);
	layer.name = name;
	config_begin(&own);
	status = keys_take(&layer, table, &own, notes, err);
	if (status == 0)
		config_merge(overrides, &own);
	config_free(&own);
	return status;
}
