#include "formats/junit.h"

#include "base/clean_text.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "formats/denied_thing.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the standard of XML has no place for, not even as a reference. */
static bool is_character(uint32_t c)
{
	return c == '\t' || c == '\n' || (c >= 0x20 && c != 0xfffe && c != 0xffff);
}

static void put_character(FILE *f, const char *at, size_t len, uint32_t value)
{
	switch (value) {
	case '&':
		fputs("&amp;", f);
		break;
	case '<':
		fputs("&lt;", f);
		break;
	case '>':
		fputs("&gt;", f);
		break;
	case '"':
		fputs("&quot;", f);
		break;
	case '\n':
		fputs("&#10;", f);
		break;
	default:
		if (is_character(value))
			fwrite(at, 1, len, f);
		else
			fputs("?", f);
	}
}

/* Of an attribute or between tags. */
static void put(FILE *f, const char *text)
{
	size_t left = strlen(text), len;
	uint32_t value = 0;

	for (; left > 0; text += len, left -= len) {
		len = text_character(text, left, &value);
		if (len == 0) {
			len = 1;
			value = 0;
		}
		put_character(f, text, len, value);
	}
}

static void put_case(FILE *f, const char *name, const char *class, const char *failure)
{
	fprintf(f, "  <testcase classname=\"%s\" name=\"", class);
	put(f, name);
	if (!failure) {
		fputs("\"/>\n", f);
		return;
	}
	fprintf(f, "\"><failure type=\"%s\" message=\"", class);
	put(f, failure);
	fputs("\"/></testcase>\n", f);
}

static void put_denials(FILE *f, const json_t *denials)
{
	size_t i;
	json_t *denial;

	json_array_foreach (denials, i, denial) {
		cleanup_free char *line = denied_line(denial), *path = denied_path(denial);
		cleanup_free char *clean = path ? text_clean(path) : xstrdup("");
		cleanup_free char *name =
		        xasprintf("%s%s%s", denied_op(denial), *clean ? " " : "", clean);

		put_case(f, name, "sbx.denial", line);
	}
}

static void put_suite(FILE *f, const json_t *doc)
{
	const json_t *result = json_object_get(doc, "result");
	const json_t *denials = json_object_get(result, "denials");
	size_t count = json_array_size(denials), failed = count + run_failed(doc);
	json_int_t ms = json_integer_value(json_object_get(result, "duration_ms"));
	cleanup_free char *line = command_line(doc), *how = run_ending(doc);

	fprintf(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
	fprintf(f,
	        " <testsuite name=\"sbx-run\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
	        "skipped=\"0\" time=\"%lld.%03lld\">\n",
	        count + 1, failed, (long long)(ms / 1000), (long long)(ms % 1000));
	put_case(f, *line ? line : "sbx-run", "sbx.command", run_failed(doc) ? how : NULL);
	put_denials(f, denials);
	fputs(" </testsuite>\n</testsuites>\n", f);
}

char *junit_text(const json_t *doc)
{
	char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);

	if (!f)
		return NULL;
	put_suite(f, doc);
	if (fclose(f) == 0)
		return out;
	free(out);
	return NULL;
}
