/*
 * What is decided about a document?
 */
#ifndef SBX_APPROVE_DECIDE_H
#define SBX_APPROVE_DECIDE_H

#include "desk.h"

/* Adds "approval".  0, EXIT_DENIED after a line on stderr, or -1. */
int decide(json_t *doc, struct desk *desk, struct error *err);

#endif
