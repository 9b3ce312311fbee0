/*
 * approval: was this command allowed to run?
 *
 * Every stage after sbx-approve asks this before it does its own work, so
 * that leaving a stage out or ignoring its exit status runs nothing.
 */
#ifndef SBX_DOCUMENT_APPROVAL_H
#define SBX_DOCUMENT_APPROVAL_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * 0 when the decision is one that lets the command run.  No approval at all
 * is EXIT_INPUT, any other decision EXIT_DENIED with the code "not-approved".
 */
int approval_check(const json_t *doc, struct error *err);

/*
 * The same for a program that makes one kind of sandbox: the document has a
 * policy and is not meant for another.  A policy alone, not yet approved, can
 * be looked at.
 */
int approval_check_wrap(const json_t *doc, const char *type, struct error *err);

/* An approver gave a run without any sandbox: "grant":{"sandbox":"none"}. */
bool approval_grants_no_sandbox(const json_t *doc);

#endif
