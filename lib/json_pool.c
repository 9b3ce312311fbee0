#include "json_pool.h"

#include "memory.h"

#include <stdlib.h>
#include <stddef.h>
#include <stdint.h>

#define STEP    16
#define CLASSES 33 /* up to 512 bytes; larger blocks are malloc()'s */
#define CHUNK   65536

/* Before every block; keeps what follows aligned. */
union header {
	size_t class;
	union header *next; /* while it is free */
	max_align_t align;
};

/* jansson's hooks take no context, so this cannot live anywhere else. */
static struct {
	union header *unused[CLASSES];
	char *chunk;
	size_t left;
} pool;

static void *pool_malloc(size_t size)
{
	size_t class = (size + STEP - 1) / STEP;
	size_t bytes = sizeof(union header) + class * STEP;
	union header *block;

	if (class >= CLASSES) {
		if (size > SIZE_MAX / 2)
			return NULL;
		block = xmalloc(sizeof(union header) + size);
		block->class = CLASSES;
		return block + 1;
	}
	block = pool.unused[class];
	if (block) {
		pool.unused[class] = block->next;
	} else {
		if (pool.left < bytes) {
			pool.chunk = xmalloc(CHUNK);
			pool.left = CHUNK;
		}
		block = (union header *)(void *)pool.chunk;
		pool.chunk += bytes;
		pool.left -= bytes;
	}
	block->class = class;
	return block + 1;
}

static void pool_free(void *memory)
{
	union header *block = memory;
	size_t class;

	if (!memory)
		return;
	block--;
	class = block->class;
	if (class >= CLASSES) {
		free(block);
		return;
	}
	block->next = pool.unused[class];
	pool.unused[class] = block;
}

void json_memory_is_checked(void)
{
	json_malloc_t used;

	json_get_alloc_funcs(&used, NULL);
	if (used != pool_malloc)
		json_set_alloc_funcs(xmalloc, free);
}

void json_pool_use(void)
{
	json_set_alloc_funcs(pool_malloc, pool_free);
}

char *json_text_dump(const json_t *value, size_t flags)
{
	json_free_t release;
	char *text = json_dumps(value, flags);
	char *copy = text ? xstrdup(text) : NULL;

	json_get_alloc_funcs(NULL, &release);
	if (text)
		release(text);
	return copy;
}
