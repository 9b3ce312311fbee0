#include "stage.h"
int main(void){ stage_begin("sbx-policy"); return 0; }
