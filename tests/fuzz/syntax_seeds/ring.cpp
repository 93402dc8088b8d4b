int main() {
  @communicate { left@(i + 1) % world.size() <<= mine@i where i in world }
}
