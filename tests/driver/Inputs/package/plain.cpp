#ifdef __KANORC__
#error "kanorc compiles what is not its own"
#endif
int main() {}
