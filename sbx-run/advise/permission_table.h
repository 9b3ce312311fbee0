/*
 * How is a permission set written down?
 */
#ifndef SBX_RUN_ADVISE_PERMISSION_TABLE_H
#define SBX_RUN_ADVISE_PERMISSION_TABLE_H

#include <jansson.h>
#include <stdio.h>

/*
 * [permissions.NAME] with `values`, a table as sbx-policy reads it.  `remarks`
 * has words for the end of some lines, from "filesystem" and its keys or a key
 * of the set itself.  `doubtful` are lines that only a person may enable:
 * [{"table":"filesystem"|"","key":K,"value":V,"why":TEXT}].
 */
struct table {
	const char *name;
	json_t *values, *remarks, *doubtful;
};

void table_write(const struct table *table, FILE *out);

/* One comment of any length of words. */
void table_remark(FILE *out, const char *text);

#endif
