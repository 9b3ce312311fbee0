/*
 * How is a string written in a unit of systemd?
 */
#ifndef SBX_WRAP_ENGINE_UNIT_TEXT_H
#define SBX_WRAP_ENGINE_UNIT_TEXT_H

#include "base/error.h"

/* In quotes, with the escapes of ExecStart= and Environment=; to be freed. */
char *unit_quoted(const char *text, const char *what, struct error *err);

/*
 * A path where systemd knows quotes and no escapes; NULL with err for one that cannot be
 * written.
 */
char *unit_path(const char *path, struct error *err);

/* The same where it does not even know quotes: the rest of a line. */
char *unit_line(const char *path, struct error *err);

#endif
