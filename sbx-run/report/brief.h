/*
 * What is said of a failed run where nobody asked for a report?
 */
#ifndef SBX_RUN_REPORT_BRIEF_H
#define SBX_RUN_REPORT_BRIEF_H

#include <jansson.h>

/* One line of each: that it was ended by its time limit, and how much was denied. */
void brief_report(const json_t *doc, int fd);

#endif
