#include "stage.h"
int main(void){ stage_begin("sbx-run"); return 0; }
