#include "engine/filter.h"

#include "base/memory.h"

json_t *engine_filter(bool network, bool root, bool debug)
{
	unsigned index = (network ? 1U : 0U) | (root ? 2U : 0U) | (debug ? 4U : 0U);

	return xjson(json_loads(engine_filters[index], 0, NULL));
}
