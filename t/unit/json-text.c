/*
 * The fast reader and writer of JSON against jansson: what is read is what
 * jansson reads, what is refused is left to it, and what is written is the
 * same to the byte, but for characters that deceive a person.
 */
#include "base/clean_text.h"
#include "base/cleanup.h"
#include "document/json_text.h"
#include "tap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const seeds[] = {
        "{\"sbx\":1,\"command\":{\"argv\":[\"make\",\"test\"],\"cwd\":\"/ws\",\"env\":{\"PATH\":\"/bin\"}},\"x\":null,"
        "\"y\":\"{\\\"a\\\":\\\"\\\\\\n\\t\\\"} and more text\",\"z\":[\"\\b\\f\\r\",\"plain\"]}",
        "{\"a\\n\":\"b\\n\",\"c\":\"\\\"\\\"\",\"d\":\"\\u0041\\/\"}",
        "{ \"a\" : [ true , false , null , -12 , 0 , [ ] , { } ] , \"b\" : \"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\" }\n{}",
        "{\"a\":\"\\u00e9\\n\\\"\\\\\\/\\u0000\",\"b\":1.5e3,\"c\":123456789012345678901,\"a\":2}",
        "{\"base64\":\"/w==\",\"long\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}",
        "{}",
        "[1]",
        "{\"a\":01,\"b\":-,\"c\":+1,\"d\":.5,\"e\":tru,\"f\":nul}",
        "{\"\xff\":\"\xc0\x80\",\"\xed\xa0\x80\":\"\x7f\x1f\"}",
};

static uint32_t state = 1;

static uint32_t number(uint32_t below)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % below;
}

/* What is not written as jansson writes it: a terminal may obey it, or hide it. */
static bool deceives(const char *text)
{
	for (size_t left = strlen(text); left > 0;) {
		uint32_t c = 0;
		int len = text_character(text, left, &c);

		if (len == 0 || (c >= 0x80 && text_deceives(c)))
			return true;
		text += len;
		left -= (size_t)len;
	}
	return false;
}

/* Written like jansson's to the byte, or with escapes, and then it means the same. */
static bool is_written(const json_t *value, const struct json_buffer *buffer)
{
	cleanup_free char *dumped = json_dumps(value, JSON_COMPACT);
	cleanup_free char *written = strndup(buffer->text, buffer->used);
	cleanup_json json_t *again = NULL;

	if (!deceives(dumped))
		return strcmp(written, dumped) == 0;
	again = json_loads(written, JSON_ALLOW_NUL, NULL);
	return !deceives(written) && again && json_equal(again, value);
}

/* One text; false when the two disagree. */
static bool agrees(const char *text, size_t len)
{
	cleanup_json json_t *fast = NULL, *slow = NULL;
	struct json_buffer buffer = {0};
	json_error_t why;
	size_t used;
	bool good, compact;

	if (json_text_read(text, len, &fast, &used, &compact) != JSON_TEXT_READ)
		return fast == NULL;
	slow = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &why);
	if (!slow || !json_equal(fast, slow) || (size_t)why.position != used)
		return false;
	good = json_text_write(fast, &buffer) == 0 && is_written(slow, &buffer) &&
	       (!compact || (used == buffer.used && memcmp(text, buffer.text, used) == 0));
	free(buffer.text);
	return good;
}

static bool writes_like_jansson(const char *text)
{
	cleanup_json json_t *value = json_loads(text, JSON_ALLOW_NUL, NULL);
	struct json_buffer buffer = {0};
	bool good = value && json_text_write(value, &buffer) == 0 && is_written(value, &buffer);

	free(buffer.text);
	return good;
}

/* What means something in the notation, and some that must not be there. */
static const char letters[] = "\"\\{}[],: 0123456789-+.eEtfnulasr\n\t\x01\x7f\x80\xc3\xe2\xff";

int main(void)
{
	size_t read = 0, rounds = 200000, prefixes = 0;
	bool good = true, compact;

	for (size_t i = 0; i < rounds && good; i++) {
		const char *seed = seeds[number(sizeof(seeds) / sizeof(seeds[0]))];
		char text[512];
		size_t len = strlen(seed), used;
		json_t *object;

		memcpy(text, seed, len + 1);
		for (uint32_t n = number(4); n > 0; n--)
			text[number((uint32_t)len)] = letters[number(sizeof(letters) - 1)];
		good = agrees(text, len);
		if (!good)
			fprintf(stderr, "# disagreement: %s\n", text);
		if (json_text_read(text, len, &object, &used, &compact) == JSON_TEXT_READ) {
			read++;
			json_decref(object);
		}
	}
	check(good, "200 000 mutated texts: no disagreement with jansson", NULL);
	check(read > rounds / 20, "control: many of them are read", NULL);

	/* Every beginning of a document is incomplete, never odd: more may come. */
	for (size_t len = 1; len < strlen(seeds[0]); len++) {
		json_t *object;
		size_t used;

		prefixes += json_text_read(seeds[0], len, &object, &used, &compact) ==
		            JSON_TEXT_INCOMPLETE;
	}
	check(prefixes == strlen(seeds[0]) - 1, "the beginning of a document is incomplete", NULL);
	check(writes_like_jansson(
	              "{\"a\":\"\\u0001\\u001f\\b\\f\\n\\r\\t\\\"\\\\/\\u007f\\u00e9\"}"),
	      "escapes are written like jansson's", NULL);
	check(writes_like_jansson(
	              "{\"a\":[1.5,1e300,-0.0,123456789012,true,null,{}],\"b\":{\"c\":[]}}"),
	      "numbers and nesting too", NULL);
	check(writes_like_jansson(
	              "{\"\\u009b31m\":\"a\\u202eb\\u2028\\u200b\\udb40\\udc01\\ue000 \\u754c\"}"),
	      "what a terminal obeys, hides or reorders is escaped, and means the same", NULL);
	return finish();
}
