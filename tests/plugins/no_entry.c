// A shared object that is not a plugin.
int something_else(void);
__attribute__((visibility("default"))) int something_else(void) { return 1; }
