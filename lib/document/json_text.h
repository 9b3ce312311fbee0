/*
 * What does a JSON text say, and how is one written, fast?
 *
 * Documents come in streams of many thousands.  The reader here takes what
 * nearly all of them consist of, and leaves every oddity to jansson: it never
 * accepts a text that jansson would refuse, nor reads it differently.
 */
#ifndef SBX_DOCUMENT_JSON_TEXT_H
#define SBX_DOCUMENT_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum json_text {
	JSON_TEXT_READ,       /* an object, *used bytes long */
	JSON_TEXT_INCOMPLETE, /* the text ends before the object does */
	JSON_TEXT_ODD,        /* for jansson to judge */
};

/* *compact: the text is what json_text_write() would make of the object. */
enum json_text json_text_read(const char *text, size_t len, json_t **object, size_t *used,
                              bool *compact);

/* Grows as needed and can be used again. */
struct json_buffer {
	char *text;
	size_t used, room;
};

/* Appends bytes as they are. */
void json_text_add(struct json_buffer *buffer, const char *bytes, size_t len);

/*
 * Appends the compact form, byte for byte what jansson writes, but for characters above ASCII
 * that deceive a person (base/clean_text.h): they are escapes.  -1: cannot.
 */
int json_text_write(const json_t *value, struct json_buffer *buffer);

#endif
