#include "stage.h"
int main(void){ stage_begin("sbx-wrap"); return 0; }
