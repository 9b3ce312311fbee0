/*
 * The TOML reader, for tests.
 *
 *	toml-decode < TEXT              the tagged JSON of toml-test
 *	toml-decode find WORD... < TEXT "line:column" of the value at a path
 *	toml-decode value TEXT          tagged JSON of one value
 *	toml-decode key TEXT            the parts of a key, as JSON
 *	toml-decode prefix TEXT         the same, and what follows the key
 *	toml-decode time < TEXT         microseconds to read it, the best of many
 *
 * Exit 0, or 1 with the error's line on stderr, "exit code: message".
 */
#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "toml/toml.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int refuse(const struct error *err)
{
	cleanup_free char *clean = text_clean(err->message);

	fprintf(stderr, "%d %s: %s\n", err->exit, err->code, clean);
	return 1;
}

static json_t *tagged(const json_t *value);

static json_t *tag(const char *type, json_t *value)
{
	return xjson(json_pack("{s:s,s:o}", "type", type, "value", value));
}

static json_t *number(const json_t *value)
{
	char text[64];

	if (json_is_integer(value))
		snprintf(text, sizeof(text), "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else
		snprintf(text, sizeof(text), "%.17g", json_real_value(value));
	return tag(toml_type(value), json_string(text));
}

static json_t *tagged_table(const json_t *table)
{
	json_t *out = xjson(json_object());
	json_t *source = (json_t *)(uintptr_t)table;

	for (void *i = json_object_iter(source); i; i = json_object_iter_next(source, i))
		if (json_object_setn_new(out, json_object_iter_key(i), json_object_iter_key_len(i),
		                         tagged(json_object_iter_value(i))) < 0)
			xjson(NULL);
	return out;
}

static json_t *tagged(const json_t *value)
{
	const char *type = toml_type(value);
	json_t *out, *element;
	size_t i;

	if (strcmp(type, "table") == 0)
		return tagged_table(value);
	if (json_is_array(value)) {
		out = xjson(json_array());
		json_array_foreach (value, i, element)
			if (json_array_append_new(out, tagged(element)) < 0)
				xjson(NULL);
		return out;
	}
	if (json_is_boolean(value))
		return tag("bool", json_string(json_is_true(value) ? "true" : "false"));
	if (json_is_number(value))
		return number(value);
	if (json_is_object(value))
		value = json_object_get(value, "value");
	return tag(type, json_incref((json_t *)(uintptr_t)value));
}

static int print(json_t *value)
{
	cleanup_json json_t *owned = value;

	if (json_dumpf(owned, stdout, JSON_INDENT(1) | JSON_ENCODE_ANY) < 0)
		return 1;
	return putchar('\n') == EOF || fflush(stdout) == EOF;
}

static char *read_all(size_t *len)
{
	size_t size = 1 << 16;
	char *text = xmalloc(size);
	size_t got;

	*len = 0;
	while ((got = fread(text + *len, 1, size - *len, stdin)) > 0) {
		*len += got;
		if (*len == size)
			text = xrealloc_array(text, size *= 2, 1);
	}
	return text;
}

static int decode(void)
{
	struct toml_limits limits = toml_limits_default;
	struct toml_document document;
	struct error err = {0};
	size_t len;
	cleanup_free char *text = read_all(&len);
	int status;

	/* All of TOML, and nothing here copies or merges. */
	limits.nul_keys = true;
	if (toml_read_document(text, len, "stdin", &limits, &document, &err) < 0)
		return refuse(&err);
	status = print(tagged(document.root));
	toml_document_free(&document);
	return status;
}

static int find(const char *const *path)
{
	struct error err = {0};
	struct toml_document document;
	struct toml_place place;
	size_t len;
	cleanup_free char *text = read_all(&len);
	bool found;

	if (toml_read_document(text, len, "stdin", NULL, &document, &err) < 0)
		return refuse(&err);
	found = toml_find(&document, path, &place);
	toml_document_free(&document);
	if (found)
		printf("%u:%u\n", place.line, place.column);
	else
		puts("nowhere");
	return 0;
}

static int value(const char *text)
{
	struct error err = {0};
	cleanup_json json_t *one = toml_value(text, "value", &err);

	return one ? print(tagged(one)) : refuse(&err);
}

static int key(const char *text, bool prefix)
{
	struct error err = {0};
	const char *rest = "";
	char **parts = NULL;
	int count =
	        prefix ? toml_key_prefix(text, &rest, &parts, &err) : toml_key(text, &parts, &err);
	json_t *list;

	if (count < 0)
		return refuse(&err);
	list = os_vector(parts);
	os_vector_free(parts);
	if (prefix)
		json_array_append_new(list, json_string(rest));
	return print(list);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int measure(void)
{
	size_t len;
	cleanup_free char *text = read_all(&len);
	double begin = seconds(), best = INFINITY;

	while (seconds() - begin < 2) {
		struct error err = {0};
		double start = seconds();
		json_t *root = toml_read(text, len, "stdin", &err);
		double took = seconds() - start;

		if (!root)
			return refuse(&err);
		json_decref(root);
		best = took < best ? took : best;
	}
	printf("%.1f us, %.1f MB/s\n", best * 1e6, (double)len / best / 1e6);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 1)
		return decode();
	if (strcmp(argv[1], "find") == 0)
		return find((const char *const *)argv + 2);
	if (strcmp(argv[1], "time") == 0)
		return measure();
	if (argc == 3 && strcmp(argv[1], "value") == 0)
		return value(argv[2]);
	if (argc == 3 && strcmp(argv[1], "key") == 0)
		return key(argv[2], false);
	if (argc == 3 && strcmp(argv[1], "prefix") == 0)
		return key(argv[2], true);
	fputs("usage: toml-decode [find WORD... | value TEXT | key TEXT | prefix TEXT | time]\n",
	      stderr);
	return 2;
}
