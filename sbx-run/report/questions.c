#include "report/questions.h"

#include "base/memory.h"

void questions_add(json_t *questions, const json_t *doc)
{
	static const char *const members[] = {"reason", "decision", "by", "grant"};
	const json_t *approval = json_object_get(doc, "approval");
	json_t *question;

	if (!json_is_true(json_object_get(approval, "required")))
		return;
	question = xjson(json_object());
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (json_object_get(approval, members[i]))
			json_object_set(question, members[i],
			                json_object_get(approval, members[i]));
	json_array_append_new(questions, question);
}

void questions_set(json_t *doc, json_t *questions)
{
	json_t *result = json_object_get(doc, "result");

	if (json_is_object(result) && json_array_size(questions) > 0)
		json_object_set(result, "questions", questions);
}
