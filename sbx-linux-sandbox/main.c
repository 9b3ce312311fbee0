int bwrap_main(int argc, char **argv);
int main(int argc, char **argv){ return bwrap_main(argc, argv); }
