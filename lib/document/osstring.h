/*
 * How does a string of the operating system, bytes without NUL, travel in
 * JSON?
 *
 * In a document each is a JSON string when it is valid UTF-8, else
 * {"base64":"..."}; nothing is ever lossy.  The two forms are equal when they
 * decode to the same bytes.
 */
#ifndef SBX_DOCUMENT_OSSTRING_H
#define SBX_DOCUMENT_OSSTRING_H

#include "base/error.h"

#include <jansson.h>

/* A new reference. */
json_t *os_string(const char *bytes);

/* The same form for bytes that may include NUL: output, never a name. */
json_t *os_bytes(const char *bytes, size_t len);

/* The text alone, to be freed. */
char *base64_encode(const char *bytes, size_t len);

/*
 * The bytes of a value, to be freed.  `what` names the value in the error:
 * "command.argv[2]".
 */
char *os_string_get(const json_t *value, const char *what, struct error *err);

/*
 * A list of os strings as a NULL-terminated vector, and back.  The vector and
 * its strings are freed by os_vector_free().
 */
char **os_vector_get(const json_t *array, const char *what, struct error *err);
json_t *os_vector(char *const *vector);
void os_vector_free(char **vector);

static inline void cleanup_vector_(char ***vector)
{
	os_vector_free(*vector);
}
#define cleanup_vector __attribute__((cleanup(cleanup_vector_)))

/*
 * Environments: an object NAME -> os string in a document, a vector of
 * "NAME=value" in memory.  A name that is not UTF-8 cannot be an object key;
 * it travels under the key "=" + base64(name), which no real name can be.
 */
char **os_environment_get(json_t *object, const char *what, struct error *err);
json_t *os_environment(char *const *envp);

#endif
