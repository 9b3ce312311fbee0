/*
 * Fuzzing the TOML reader.  An input that begins with "V" is a value, with "K" a
 * key; any other is a document.
 *
 * What must hold: nothing crashes or leaks; an error names a place inside the
 * text; whatever is read can be written as JSON; and every value is where
 * toml_find() says, inside the text.
 */
#include "base/cleanup.h"
#include "base/memory.h"
#include "document/osstring.h"
#include "must.h"
#include "toml/toml.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Small limits, so that the fuzzer reaches them. */
static const struct toml_limits small = {.bytes = 4096, .depth = 6, .keys = 40, .nul_keys = true};

static void must_serialise(const json_t *value)
{
	cleanup_free char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);

	must(text);
}

/* "text:LINE:COLUMN: why", with the place in the text or right behind it. */
static void must_explain(const struct error *err, const char *name, const char *text, size_t len)
{
	size_t lines = 1, longest = 0, width = 0;
	unsigned line, column;
	int read = 0;

	for (size_t i = 0; i < len; i++) {
		width = text[i] == '\n' ? 0 : width + 1;
		lines += text[i] == '\n';
		longest = width > longest ? width : longest;
	}
	must(err->exit == EXIT_INPUT && strcmp(err->code, "bad-toml") == 0);
	must(strncmp(err->message, name, strlen(name)) == 0);
	must(sscanf(err->message + strlen(name), ":%u:%u: %n", &line, &column, &read) == 2 && read);
	must(line >= 1 && line <= lines && column >= 1 && column <= longest + 1);
	must(err->message[strlen(name) + (size_t)read] != '\0');
}

/* The byte at a place, counted again from the start and without its tricks. */
static const char *byte_at(const char *text, const char *end, struct toml_place place)
{
	unsigned line = 1, column = 1;

	if (end - text >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		text += 3;
	for (; text < end; text++) {
		if ((*text & 0xc0) == 0x80)
			continue;
		if (line == place.line && column == place.column)
			return text;
		column++;
		if (*text == '\n') {
			line++;
			column = 1;
		}
	}
	return NULL;
}

struct walk {
	const struct toml_document *document;
	const char *text, *end;
	const char *path[16];
};

static void must_be_found(struct walk *walk, const json_t *value, size_t depth);

static void must_be_at(struct walk *walk, const char *word, const json_t *value, size_t depth,
                       bool in_table)
{
	struct toml_place place;
	const char *at;

	must(depth + 1 < sizeof(walk->path) / sizeof(walk->path[0]));
	walk->path[depth] = word;
	walk->path[depth + 1] = NULL;
	must(toml_find(walk->document, walk->path, &place));
	at = byte_at(walk->text, walk->end, place);
	must(at);
	/* A key stands there as it is, or as a string that may use escapes. */
	must(!in_table || *at == '"' || *at == '\'' ||
	     ((size_t)(walk->end - at) >= strlen(word) && memcmp(at, word, strlen(word)) == 0));
	must_be_found(walk, value, depth + 1);
}

static void must_be_found(struct walk *walk, const json_t *value, size_t depth)
{
	json_t *container = (json_t *)(uintptr_t)value;
	json_t *element;
	size_t i;

	must(depth <= small.depth + 1);
	if (json_is_array(value)) {
		json_array_foreach (value, i, element) {
			cleanup_free char *index = xasprintf("%zu", i);

			must_be_at(walk, index, element, depth, false);
		}
	} else if (strcmp(toml_type(value), "table") == 0) {
		for (void *m = json_object_iter(container); m;
		     m = json_object_iter_next(container, m)) {
			const char *key = json_object_iter_key(m);

			/* A path of C strings cannot name a key with NUL. */
			if (strlen(key) == json_object_iter_key_len(m))
				must_be_at(walk, key, json_object_iter_value(m), depth, true);
		}
	}
}

static void fuzz_document(const char *text, size_t len)
{
	struct error err = {0}, again = {0};
	struct toml_document document;
	struct walk walk = {.document = &document, .text = text, .end = text + len};
	cleanup_json json_t *root = toml_read(text, len, "text", &again);

	if (root)
		must_serialise(root);
	else
		must_explain(&again, "text", text, len);
	if (toml_read_document(text, len, "text", &small, &document, &err) < 0) {
		must_explain(&err, "text", text, len);
		return;
	}
	/* What the small limits allow, the large ones allow, and it is the same. */
	must(root ? json_equal(root, document.root) : strstr(again.message, "NUL") != NULL);
	must_be_found(&walk, document.root, 0);
	toml_document_free(&document);
}

static void fuzz_value(const char *text)
{
	struct error err = {0};
	cleanup_json json_t *value = toml_value(text, "value", &err);

	if (value)
		must_serialise(value);
	else
		must_explain(&err, "value", text, strlen(text));
}

static void fuzz_key(const char *text)
{
	struct error err = {0};
	const char *rest = NULL;
	char **parts = NULL;
	int count = toml_key_prefix(text, &rest, &parts, &err);
	int whole;

	if (count < 0) {
		must_explain(&err, "key", text, strlen(text));
	} else {
		must(count >= 1 && !parts[count] && rest > text && rest <= text + strlen(text));
		os_vector_free(parts);
	}
	whole = toml_key(text, &parts, &err);
	must(whole == (count >= 0 && *rest ? -1 : count));
	if (whole >= 0)
		os_vector_free(parts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup_free char *text = NULL;

	/* Exactly as long as it is, so that reading past the end is seen. */
	if (size == 0 || (data[0] != 'V' && data[0] != 'K')) {
		text = xmalloc(size);
		memcpy(text, data, size);
		fuzz_document(text, size);
		return 0;
	}
	text = xstrndup((const char *)data + 1, size - 1);
	if (data[0] == 'V')
		fuzz_value(text);
	else
		fuzz_key(text);
	return 0;
}
