/*
 * Which open files does the next program not get?
 */
#ifndef SBX_PROCESS_CLOSE_ON_EXEC_H
#define SBX_PROCESS_CLOSE_ON_EXEC_H

#include "base/error.h"

/* Marks every open fd from first to last. */
int close_on_exec(unsigned first, unsigned last, struct error *err);

/* Closes them now instead. */
int close_at_once(unsigned first, unsigned last, struct error *err);

#endif
