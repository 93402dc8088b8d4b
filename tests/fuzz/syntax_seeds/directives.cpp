#if 0
@communicate {
#endif
#define B \
  @communicate { a@0 <<= b@1 }
@communicate {
#ifdef X
 a@0 <<= b@1
#endif
}
