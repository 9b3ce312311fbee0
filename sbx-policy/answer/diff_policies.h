/*
 * In which effective rights do two policies differ?
 */
#ifndef SBX_POLICY_ANSWER_DIFF_POLICIES_H
#define SBX_POLICY_ANSWER_DIFF_POLICIES_H

#include "base/error.h"

#include <jansson.h>
#include <stdio.h>

/* 0: the same rights; 1: the differences were printed; -1: error. */
int diff_policies(const json_t *a, const json_t *b, FILE *out, struct error *err);

#endif
