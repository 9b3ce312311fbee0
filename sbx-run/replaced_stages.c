#include "replaced_stages.h"

bool replaces_any(const struct arguments *a)
{
	for (size_t i = 0; i < STAGE_COUNT; i++)
		if (a->replaced[i])
			return true;
	return false;
}

int replaced_open(struct replaced *replaced, const struct arguments *a, const json_t *doc,
                  struct error *err)
{
	struct could_write w;
	int status = could_write_get(&w, doc, err);

	for (size_t i = 0; i < STAGE_COUNT; i++)
		replaced->stages[i] = (struct trusted_program){.fd = -1};
	for (size_t i = 0; status == 0 && i < STAGE_COUNT; i++)
		if (a->replaced[i])
			status = trusted_program_open(&replaced->stages[i], "--stage",
			                              a->replaced[i], &w, err);
	could_write_free(&w);
	return status;
}

void replaced_close(struct replaced *replaced)
{
	for (size_t i = 0; i < STAGE_COUNT; i++)
		trusted_program_close(&replaced->stages[i]);
}
