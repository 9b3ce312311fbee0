#include "document/osstring.h"

#include "base/cleanup.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

char *base64_encode(const char *bytes, size_t left)
{
	const unsigned char *in = (const unsigned char *)bytes;
	char *out = xmalloc((left + 2) / 3 * 4 + 1);
	char *p = out;

	while (left > 0) {
		size_t n = left < 3 ? left : 3;
		uint32_t v = (uint32_t)in[0] << 16;

		if (n > 1)
			v |= (uint32_t)in[1] << 8;
		if (n > 2)
			v |= in[2];
		*p++ = digits[v >> 18 & 63];
		*p++ = digits[v >> 12 & 63];
		*p++ = n > 1 ? digits[v >> 6 & 63] : '=';
		*p++ = n > 2 ? digits[v & 63] : '=';
		in += n;
		left -= n;
	}
	*p = '\0';
	return out;
}

static int digit_value(char c)
{
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Canonical base64 only: two spellings of one string would be two cache keys. */
static char *base64_decode(const char *text, const char *what, struct error *err)
{
	size_t len = strlen(text);
	cleanup_free char *out = xmalloc(len / 4 * 3 + 1);
	size_t used = 0;

	if (len % 4 != 0)
		goto bad;
	for (size_t i = 0; i < len; i += 4) {
		bool last = i + 4 == len;
		int pad = !last                                      ? 0
		          : text[i + 2] == '=' && text[i + 3] == '=' ? 2
		                                                     : text[i + 3] == '=';
		uint32_t v = 0;

		for (int k = 0; k < 4; k++) {
			int d = k >= 4 - pad ? 0 : digit_value(text[i + (size_t)k]);

			if (d < 0)
				goto bad;
			v = v << 6 | (uint32_t)d;
		}
		if (pad && (v & (pad == 2 ? 0xffffU : 0xffU)) != 0)
			goto bad;
		for (int k = 0; k < 3 - pad; k++)
			out[used++] = (char)(v >> (16 - 8 * k) & 0xff);
	}
	out[used] = '\0';
	if (strlen(out) != used) {
		error_set(err, EXIT_INPUT, "bad-string", "%s: contains a NUL byte", what);
		return NULL;
	}
	return keep_ptr(out);
bad:
	error_set(err, EXIT_INPUT, "bad-string", "%s: not valid base64", what);
	return NULL;
}

json_t *os_string(const char *bytes)
{
	return os_bytes(bytes, strlen(bytes));
}

json_t *os_bytes(const char *bytes, size_t len)
{
	json_t *text = memchr(bytes, '\0', len) ? NULL : json_stringn(bytes, len);
	cleanup_free char *encoded = NULL;

	if (text)
		return text;
	encoded = base64_encode(bytes, len);
	return xjson(json_pack("{s:s}", "base64", encoded));
}

char *os_string_get(const json_t *value, const char *what, struct error *err)
{
	const json_t *encoded;

	if (json_is_string(value)) {
		const char *s = json_string_value(value);

		if (strlen(s) != json_string_length(value)) {
			error_set(err, EXIT_INPUT, "bad-string", "%s: contains a NUL byte", what);
			return NULL;
		}
		return xstrdup(s);
	}
	encoded = json_object_get(value, "base64");
	if (json_is_string(encoded) && json_object_size(value) == 1)
		return base64_decode(json_string_value(encoded), what, err);
	error_set(err, EXIT_INPUT, "bad-string", "%s: expected a string or {\"base64\":\"...\"}",
	          what);
	return NULL;
}

char **os_vector_get(const json_t *array, const char *what, struct error *err)
{
	size_t count = json_array_size(array);
	char **out;

	if (!json_is_array(array)) {
		error_set(err, EXIT_INPUT, "bad-document", "%s: expected a list", what);
		return NULL;
	}
	out = xrealloc_array(NULL, count + 1, sizeof(*out));
	for (size_t i = 0; i < count; i++) {
		const json_t *value = json_array_get(array, i);

		/* The name is only for an error, and costs more than the string. */
		if (json_is_string(value) &&
		    strlen(json_string_value(value)) == json_string_length(value)) {
			out[i] = xstrdup(json_string_value(value));
		} else {
			cleanup_free char *name = xasprintf("%s[%zu]", what, i);

			out[i] = os_string_get(value, name, err);
		}
		if (!out[i]) {
			os_vector_free(out);
			return NULL;
		}
		out[i + 1] = NULL;
	}
	out[count] = NULL;
	return out;
}

json_t *os_vector(char *const *vector)
{
	json_t *array = xjson(json_array());

	for (size_t i = 0; vector[i]; i++)
		json_array_append_new(array, os_string(vector[i]));
	return array;
}

void os_vector_free(char **vector)
{
	if (!vector)
		return;
	for (size_t i = 0; vector[i]; i++)
		free(vector[i]);
	free(vector);
}

static char *environment_name(const char *key, const char *what, struct error *err)
{
	if (key[0] == '=')
		return base64_decode(key + 1, what, err);
	return xstrdup(key);
}

/* Nearly every one, and without a format: every stage reads all of them.  NULL: not plain. */
static char *plain_variable(const char *key, const json_t *value)
{
	size_t head = strcspn(key, "="), tail = json_string_length(value);
	char *variable;

	if (head == 0 || key[head] || !json_is_string(value) ||
	    strlen(json_string_value(value)) != tail)
		return NULL;
	variable = xmalloc(head + tail + 2);
	memcpy(variable, key, head);
	variable[head] = '=';
	memcpy(variable + head + 1, json_string_value(value), tail + 1);
	return variable;
}

static char *odd_variable(const char *key, const json_t *value, const char *what, struct error *err)
{
	cleanup_free char *label = xasprintf("%s.%s", what, key);
	cleanup_free char *name = environment_name(key, label, err);
	cleanup_free char *text = name ? os_string_get(value, label, err) : NULL;

	if (!text)
		return NULL;
	if (name[0] == '\0' || strchr(name, '=')) {
		error_set(err, EXIT_INPUT, "bad-document", "%s: not a variable name", label);
		return NULL;
	}
	return xasprintf("%s=%s", name, text);
}

char **os_environment_get(json_t *object, const char *what, struct error *err)
{
	size_t count = 0;
	char **out;
	const char *key;
	json_t *value;

	if (!json_is_object(object)) {
		error_set(err, EXIT_INPUT, "bad-document", "%s: expected an object", what);
		return NULL;
	}
	out = xrealloc_array(NULL, json_object_size(object) + 1, sizeof(*out));
	out[0] = NULL;
	json_object_foreach (object, key, value) {
		out[count] = plain_variable(key, value);
		if (!out[count])
			out[count] = odd_variable(key, value, what, err);
		if (!out[count]) {
			os_vector_free(out);
			return NULL;
		}
		out[++count] = NULL;
	}
	return out;
}

json_t *os_environment(char *const *envp)
{
	json_t *object = xjson(json_object());

	for (size_t i = 0; envp[i]; i++) {
		const char *equals = strchr(envp[i], '=');
		cleanup_free char *name = NULL;

		/* What execve() passed on without a name cannot be used as a variable. */
		if (!equals || equals == envp[i])
			continue;
		name = xstrndup(envp[i], (size_t)(equals - envp[i]));
		if (json_object_set_new(object, name, os_string(equals + 1)) < 0) {
			cleanup_free char *encoded = base64_encode(name, strlen(name));
			cleanup_free char *key = xasprintf("=%s", encoded);

			json_object_set_new(object, key, os_string(equals + 1));
		}
	}
	return object;
}
