/*
 * What do all stages do alike?  Documents in, documents out.
 */
#ifndef SBX_DOCUMENT_STAGE_H
#define SBX_DOCUMENT_STAGE_H

#include "base/error.h"

#include <jansson.h>

/*
 * What a stage does to one document: adds its member and returns 0, or a
 * status above 0 that is an answer rather than a failure (1: denied), or -1
 * with err filled.
 */
typedef int stage_work(json_t *doc, void *context, struct error *err);

/*
 * main()'s first line.  Sets the program's name and refuses to run with the
 * privilege of a set-user-id file.
 */
void program_begin(const char *name);

/* The same for a stage, which reports a reader that went away. */
void stage_begin(const char *name);

/* Prints the line of err; the exit status. */
int stage_fail(const struct error *err);

/* Does work to every document on stdin; the first status that is not 0. */
int stage_stream(stage_work *work, void *context);

/*
 * The same for work that sets this member of a document and touches nothing
 * else of it, which saves writing the rest anew.
 */
int stage_add(const char *member, stage_work *work, void *context);

/* Does work to every document on stdin for what it prints, up to the first that fails. */
int stage_print(stage_work *work, void *context);

/* Does work to one document that the stage itself made, and writes it. */
int stage_one(json_t *doc, stage_work *work, void *context);

#endif
