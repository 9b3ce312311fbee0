/*
 * Which system calls are refused?  Answered once, when sbx is built: the rules
 * are compiled by libseccomp into every filter that can be asked for, so that
 * a launch neither compiles nor needs the library.
 */
#ifndef SBX_FILTER_H
#define SBX_FILTER_H

#include "filter/choose_filter.h"

#include <stdint.h>

/*
 * The architecture that make calls `name`, as in seccomp_data.arch.  -1: its
 * filters cannot be made on this machine.
 */
int filter_target(const char *name, uint32_t *arch);

/* Writes the kernel's form of the filter to fd; 0 or -errno. */
int filter_compile(const struct seccomp_choice *choice, uint32_t arch, int fd);

/* Prints it as the "seccomp" of an OCI bundle, escaped for a string of C. */
void filter_print_json(const struct seccomp_choice *choice, uint32_t arch);

/* Prints the rules themselves as C. */
void filter_print_rules(uint32_t arch);

#endif
