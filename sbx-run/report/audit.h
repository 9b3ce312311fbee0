/*
 * What was asked, who decided, and what became of it, for the record?
 *
 * JSON Lines; each record is one write to the end of the file, so that records
 * of several runs do not mix.
 */
#ifndef SBX_RUN_REPORT_AUDIT_H
#define SBX_RUN_REPORT_AUDIT_H

#include "base/error.h"

#include <jansson.h>

/* An fd; before anything runs, so that nothing runs that cannot be recorded. */
int audit_open(const char *path, struct error *err);

/* -1 when the sandbox of this document could change the record. */
int audit_check(int fd, const json_t *doc, struct error *err);

int audit_write(int fd, const json_t *doc, int status, struct error *err);

#endif
