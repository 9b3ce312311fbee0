/*
 * Filters of jq, as far as tests ask them: every part gives a list of values for one
 * value, or reads on without one (NULL) where a part is only skipped.  Whatever is not
 * known here ends in ask_jq().
 */
#ifndef FILTER_H
#define FILTER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* What was on standard input, once it is read; jq must find it there. */
extern FILE *input;
extern char **arguments;
extern json_t *variables;
/* Where the filter is read. */
extern const char *at;

/* jq.c */
_Noreturn void ask_jq(void);
json_t *sure(json_t *value);

/* read.c */
void blanks(void);
bool next_is(const char *token);
bool take(const char *token);
bool take_operator(const char *token, const char *longer);
void must(const char *token);
size_t name_length(void);
char *take_name(void);
bool take_word(const char *word);

/* values.c */
json_t *list(json_t *value);
json_t *only(json_t *values);
bool truth(const json_t *value);
char *dumped(const json_t *value);
const char *as_text(const json_t *value);
void check(json_t *value);
json_t *member(const json_t *value, const json_t *key);
json_t *sum(json_t *left, json_t *right);
json_t *difference(json_t *left, json_t *right);
json_t *changed(json_t *value, const json_t *path, size_t from, json_t *to);

/* terms.c */
json_t *step(void);
json_t *term(json_t *in);

/* words.c */
json_t *word(json_t *in);

/* operators.c */
json_t *pipeline(json_t *in);

#endif
