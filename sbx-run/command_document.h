/*
 * Which command does a document name that somebody gave us?
 *
 * A command that has more than words: an environment, a directory, permissions that
 * it will need.  Of the document only "command" counts: nothing in it is a policy, an
 * approval or a sandbox.
 */
#ifndef SBX_RUN_COMMAND_DOCUMENT_H
#define SBX_RUN_COMMAND_DOCUMENT_H

#include "arguments.h"

/* Reads it to its end and makes it what the first stage reads. */
int command_document_take(struct arguments *arguments, struct error *err);

#endif
