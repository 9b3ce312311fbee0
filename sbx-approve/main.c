#include "stage.h"
int main(void){ stage_begin("sbx-approve"); return 0; }
