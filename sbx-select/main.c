#include "stage.h"
int main(void){ stage_begin("sbx-select"); return 0; }
