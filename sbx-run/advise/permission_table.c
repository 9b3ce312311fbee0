#include "advise/permission_table.h"

#include "advise/shell_quote.h"
#include "base/cleanup.h"
#include "base/fold.h"
#include "base/memory.h"

#include <string.h>

void table_remark(FILE *out, const char *text)
{
	struct fold fold = {
	        .out = out, .columns = fold_columns(fileno(out)), .end = "\n", .mark = "#    "};

	fold_field(&fold, "# ", text, 0, "");
}

static void write_string(FILE *out, const char *text)
{
	cleanup_free char *quoted = quote_toml(text);

	fputs(quoted ? quoted : "\"\"", out);
}

static void write_key(FILE *out, const char *key)
{
	cleanup_free char *quoted = quote_key(key);

	fputs(quoted ? quoted : "\"\"", out);
}

static void write_value(FILE *out, json_t *value)
{
	const char *key, *between = "";
	json_t *inner;
	size_t i;

	switch (json_typeof(value)) {
	case JSON_ARRAY:
		fputc('[', out);
		json_array_foreach (value, i, inner) {
			fputs(i ? ", " : "", out);
			write_value(out, inner);
		}
		fputc(']', out);
		break;
	case JSON_OBJECT:
		fputs("{ ", out);
		json_object_foreach (value, key, inner) {
			fputs(between, out);
			write_key(out, key);
			fputs(" = ", out);
			write_value(out, inner);
			between = ", ";
		}
		fputs(" }", out);
		break;
	case JSON_STRING:
		write_string(out, json_string_value(value));
		break;
	case JSON_INTEGER:
		fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		break;
	case JSON_REAL:
		fprintf(out, "%.17g", json_real_value(value));
		break;
	default:
		fputs(json_is_true(value) ? "true" : "false", out);
	}
}

static void write_line(FILE *out, const char *key, json_t *value, const json_t *remarks)
{
	const char *remark = json_string_value(json_object_get(remarks, key));

	write_key(out, key);
	fputs(" = ", out);
	write_value(out, value);
	if (remark)
		fprintf(out, " # %s", remark);
	fputc('\n', out);
}

/* Behind a "#", with the reason above: nothing that is enabled by accident. */
static void write_doubtful(const struct table *t, const char *table, FILE *out)
{
	size_t i;
	json_t *line;

	json_array_foreach (t->doubtful, i, line) {
		const char *why = json_string_value(json_object_get(line, "why"));

		if (strcmp(json_string_value(json_object_get(line, "table")), table) != 0)
			continue;
		table_remark(out, why);
		fputs("# ", out);
		write_line(out, json_string_value(json_object_get(line, "key")),
		           json_object_get(line, "value"), NULL);
	}
}

void table_write(const struct table *t, FILE *out)
{
	cleanup_free char *name = quote_key(t->name);
	const char *key;
	json_t *value;

	fprintf(out, "[permissions.%s]\n", name ? name : "command");
	json_object_foreach (t->values, key, value)
		if (!json_is_object(value))
			write_line(out, key, value, t->remarks);
	write_doubtful(t, "", out);
	json_object_foreach (t->values, key, value) {
		const char *inner;
		json_t *line;

		if (!json_is_object(value))
			continue;
		fprintf(out, "\n[permissions.%s.", name ? name : "command");
		write_key(out, key);
		fputs("]\n", out);
		json_object_foreach (value, inner, line)
			write_line(out, inner, line, json_object_get(t->remarks, key));
		write_doubtful(t, key, out);
	}
}
