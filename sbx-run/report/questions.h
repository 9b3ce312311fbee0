/*
 * Which questions were asked about a run, and what was answered?
 *
 * Also those that were answered with a no: what an approval leaves in the
 * document is the last decision alone.
 */
#ifndef SBX_RUN_REPORT_QUESTIONS_H
#define SBX_RUN_REPORT_QUESTIONS_H

#include <jansson.h>

/* Adds the question of a document that has been through sbx-approve, if it was one. */
void questions_add(json_t *questions, const json_t *doc);

/* result.questions; nothing where none was asked. */
void questions_set(json_t *doc, json_t *questions);

#endif
