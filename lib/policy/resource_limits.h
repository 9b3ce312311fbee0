/*
 * How much of the machine may the command take?
 */
#ifndef SBX_POLICY_RESOURCE_LIMITS_H
#define SBX_POLICY_RESOURCE_LIMITS_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* [limits], --limit, policy.limits */
enum limit {
	LIMIT_PROCESSES, /* and threads, at one moment */
	LIMIT_MEMORY,    /* bytes, of all processes together */
	LIMIT_CPU,       /* thousandths of a processor */
	LIMIT_TMP,       /* bytes in the private /tmp */
	LIMIT_FILES,     /* bytes of one file */
	LIMIT_COUNT,
};

extern const char *const limit_names[];

/* What holds where nobody says another: half of the process numbers that a kernel has at least. */
#define PROCESSES_ALWAYS 16384

/* 0: none. */
struct limits {
	int64_t most[LIMIT_COUNT];
};

bool limits_any(const struct limits *limits);

/* "512M", "1.5"; -1 says what was expected. */
int limit_parse(enum limit limit, const char *text, int64_t *most, struct error *err);

/* The same where a file has it, as a number or as text. */
int limit_value(enum limit limit, const json_t *value, int64_t *most, struct error *err);

/* As a person would write it; to be freed. */
char *limit_text(enum limit limit, int64_t most);

/* policy.limits: numbers; a limit that is not there is none. */
json_t *limits_json(const struct limits *limits);
int limits_get(const json_t *json, struct limits *limits, struct error *err);

#endif
