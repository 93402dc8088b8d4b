int steps(void) {
  static int taken;
  return ++taken;
}
