/*
 * Which denials never matter to anybody?
 *
 * What a program tries on the way and does without, whatever it is used for:
 * listed, they hide the one that matters.
 */
#ifndef SBX_RUN_REPORT_NOISE_H
#define SBX_RUN_REPORT_NOISE_H

#include <jansson.h>
#include <stdbool.h>

bool is_noise(const json_t *denial);

/* It matters only to a command that fails. */
bool is_noise_of_success(const json_t *denial);

#endif
