// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// KIND: nonuniform
// What makes a container's length, or its keys, or the elements behind an iterator, differ between ranks, and what does
// not. `me` is the rank.
#include <kanor/kanor.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <valarray>
#include <vector>

using kanor::world;

namespace {

int t;
void grow(std::vector<std::vector<int>>& w, int to) { w[1].resize(to); }
void grow1(std::vector<int>& w, int to) { w.resize(to); }
std::vector<std::vector<int>> make(int n) { std::vector<std::vector<int>> w(3); w[1].resize(n); return w; }
int* fresh() { return new int; }

void differs1(int me) { std::vector<std::vector<int>> w(3); w[1].resize(me); for (std::size_t k = 0; k < w[1].size(); ++k) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs2(int me) { std::vector<std::vector<int>> w(3); w[1].resize(me); for (int x : w[1]) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs3(int me) { std::vector<std::vector<int>> w(3); for (auto& x : w) x.push_back(1), x.resize(me); for (auto& x : w) for (int y : x) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs4(int me) { std::vector<std::vector<int>> w(3); w.back().resize(me); for (auto x : w) for (std::size_t k = 0; k < x.size(); ++k) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs5(int me) { std::vector<std::vector<int>> w(3, std::vector<int>(me)); for (int x : w[0]) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs6(int me) { std::vector<std::vector<int>> w; w.emplace_back(me); for (int x : w[0]) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs7(int me) { std::vector<std::vector<int>> w; w.push_back(std::vector<int>(me)); for (int x : w.front()) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs8(int me) { std::vector<std::vector<int>> w(3); w.resize(me); for (auto& x : w) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs9(int me) { std::vector<std::vector<int>> w(3), u; w[1].resize(me); u = w; for (int x : u[1]) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs10(int me) { std::vector<std::vector<int>> w(3); w[1].resize(me); auto u = w; for (int x : u[1]) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs11(int me) { std::vector<std::vector<int>> w(3); w[1].resize(me); auto u = std::move(w); for (int x : u[1]) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs12(int me) { std::vector<std::vector<int>> w(3), u(3); w[1].resize(me); std::swap(u, w); for (int x : u[1]) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs13(int me) { std::vector<std::vector<int>> w(3), u(3); w[1].resize(me); u.swap(w); for (int x : u[1]) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs14(int me) { std::vector<std::vector<int>> w(3); w[1].resize(me); std::swap(w[0], w[1]); for (int x : w[0]) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs15(int me) { std::array<std::vector<int>, 3> w; w[1].resize(me); for (int x : w[1]) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs16(int me) { std::vector<int> w[3]; w[1].resize(me); for (int x : w[1]) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs17(int me) { std::vector<int> w[3]; w[1].resize(me); for (auto& v : w) for (int x : v) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs18(int me) { std::vector<std::vector<int>> w(3); grow(w, me); for (int x : w[1]) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs19(int me) { std::vector<std::vector<int>> w(3); grow1(w[1], me); for (int x : w[1]) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs20(int me) { auto w = make(me); for (int x : w[1]) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs21(int me) { std::vector<std::string> w(3); w[0] += std::string(me, 'x'); for (char c : w[0]) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs22(int me) { std::map<int, std::vector<int>> m; m[1].resize(me); for (int x : m[1]) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs23(int me) { std::map<int, std::vector<int>> m; m[1].resize(me); for (auto& [k, v] : m) for (int x : v) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs24(int me) { std::map<int, int> m{{me, 1}}; m[1] = 2; for (auto& x : m) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs25(int me) { std::map<int, int> m{{me, 1}}; m[1] = 2; if (m.size() == 1) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs26(int me) { std::map<int, int> m; m.insert({me, 1}); m[1] = 2; if (m.size() == 1) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs27(int me) { std::map<int, int> m; m.insert(std::make_pair(me, 1)); if (m.size() == 1) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs28(int me) { std::map<int, int> m; m.emplace(me, 1); if (m.size() == 1) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs29(int me) { std::map<int, int> m; m.try_emplace(me, 1); if (m.count(1)) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs30(int me) { std::map<int, int> m; m.insert_or_assign(me, 1); if (m.contains(1)) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs31(int me) { std::map<int, int> m; m[me] = 1; if (m.find(1) != m.end()) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs32(int me) { std::map<int, int> m{{1, 1}, {2, 2}}; m.erase(me); for (auto& x : m) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs33(int me) { std::map<int, int> m{{1, 1}, {2, 2}}; m.erase(m.find(me)); for (auto& x : m) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs34(int me) { std::map<int, int> m, o{{me, 1}}; m = o; m[1] = 1; for (auto& x : m) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs35(int me) { std::map<int, int> m, o{{me, 1}}; m.swap(o); m[1] = 1; for (auto& x : m) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs36(int me) { std::map<int, int> m, o{{me, 1}}; std::swap(m, o); m[1] = 1; for (auto& x : m) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs37(int me) { std::map<int, int> m, o{{me, 1}}; m.merge(o); m[1] = 1; for (auto& x : m) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs38(int me) { std::map<int, int> m; m = {{me, 1}}; m[1] = 1; for (auto& x : m) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs39(int me) { std::set<int> m{me}; m.insert(1); for (auto& x : m) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs40(int me) { std::set<int> m; m.insert(me); if (m.count(1)) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs41(int me) { std::vector<std::pair<int, int>> l{{me, 1}}; std::map<int, int> m(l.begin(), l.end()); m[1] = 1; for (auto& x : m) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs42(int me) { std::map<int, int> m; for (int k = 0; k < 3; ++k) m[k] = me; if (m[1] > 0) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs43(int me) { std::map<int, int> m; m[1] = me; for (auto& [k, x] : m) if (x > 0) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs44(int me) { std::map<int, int> m; m[1] = me; if (m.find(1)->second > 0) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs45(int me) { std::map<int, int> m; m[1] = me; if (m.at(1) > 0) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs46(int me) { int d[3] = {}; for (int& x : d) x = me; if (d[1] > 0) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs47(int me) { std::vector<int> d(3); for (int& x : d) x = me; if (d[1] > 0) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs48(int me) { std::vector<int> d(3); for (int& x : d) { x = me; if (x > 0) @communicate { t@i << + << t@j where i, j in world } } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs49(int me) { std::vector<int> d(3); for (auto it = d.begin(); it != d.end(); ++it) { *it = me; if (*it > 0) @communicate { t@i << + << t@j where i, j in world } } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs50(int me) { std::vector<int> d(3); auto it = d.begin(); *it = me; if (d[0] > 0) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs51(int me) { std::vector<int> d(3); int* p = d.data(); p[1] = me; if (d[1] > 0) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs52(int me) { std::vector<int> d(3); int* p = d.data(); p += me; for (; p != d.data() + 3; ++p) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs53(int me) { std::vector<int> d(3); auto it = d.begin() + me; for (; it != d.end(); ++it) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs54(int me) { int a = 0, c = 0; int* p = &a; if (me > 0) p = &c; *p = 1; if (a > 0) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs55(int me) { int a = 0; int* p = &a; int** q = &p; int c = 5; if (me > 0) *q = &c; if (*p > 0) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs56(int me) { int a = 0; int& r = a; r = me; if (a > 0) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs57(int me) { int a = 0; int& r = a; a = me; if (r > 0) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs58(int me) { int* p = fresh(); *p = me; if (*p > 0) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs59(int me) { std::vector<int> w(5), u(me); std::swap(u, w); for (int x : w) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs60(int me) { std::vector<int> w(5), u(me); w = std::exchange(u, {}); for (int x : w) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs61(int me) { std::string s("abcdef"), r(s, me); for (char c : r) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs62(int me) { std::vector<int> v(10), u(v.begin(), v.begin() + me); for (int x : u) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs63(int me) { std::vector<int> v(10); v.erase(v.begin() + me, v.end()); for (int x : v) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs64(int me) { std::vector<int> v(10); v.erase(v.end() - me, v.end()); for (int x : v) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs65(int me) { std::vector<int> v(10); auto o = std::distance(v.begin(), v.begin() + me); if (o > 1) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs66(int me) { std::vector<int> v(10, me); auto o = std::distance(v.begin(), std::find(v.begin(), v.end(), 3)); if (o > 1) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs67(int me) { int e[5] = {}; std::span<int> s(e, me); for (int x : s) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs68(int me) { std::vector<double> a(me), b(7); @communicate { b@(i + 1) % world.size() <<= a@i where i in world } for (double x : b) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs69(int me) { std::vector<double> a(7), b(me); @communicate { b@0 <<= a@1 } for (double x : b) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs70(int me) { std::vector<std::vector<double>> a(7), b; a[1].resize(me); @communicate { b@(i + 1) % world.size() <<= a@i where i in world } for (double x : b[1]) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs71(int me) { std::vector<std::vector<double>> a(7); std::vector<double> b; a[1].resize(me); @communicate { b@(i + 1) % world.size() <<= a[i]@i where i in world } for (double x : b) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs72(int me) { int b = me; try { if (me % 2) throw 3; b = 1; } catch (int) { b = 2; } if (b > 1) @communicate { t@i << + << t@j where i, j in world } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs73(int me) { int b = 0; try { if (me % 2) throw 3; @communicate { t@i << + << t@j where i, j in world } } catch (int) { b = 2; } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}
void differs74(int me) { int b = 0; for (int t = 0; t < 3; ++t) { try { if (me % 2) throw 3; } catch (int) { break; } @communicate { t@i << + << t@j where i, j in world } } }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:{{[0-9]+}}: warning: some ranks may not reach this block{{.*}}

void same1(int me) { std::vector<std::vector<int>> w(3); w[1].resize(me); for (auto& x : w) @communicate { t@i << + << t@j where i, j in world } }
void same2(int me) { std::vector<std::vector<int>> w(world.size()); for (int k = 0; k < me; ++k) w[k % world.size()].push_back(k); for (std::size_t r = 0; r < w.size(); ++r) @communicate { t@i << + << t@j where i, j in world } }
void same3(int me) { std::vector<std::vector<int>> w(3, std::vector<int>(4)); w[1][2] = me; for (auto& x : w) for (int y : x) @communicate { t@i << + << t@j where i, j in world } }
void same4(int me) { std::vector<std::vector<int>> w(3, std::vector<int>(4, me)); for (auto& x : w) for (int y : x) @communicate { t@i << + << t@j where i, j in world } }
void same5(int me) { std::array<std::vector<int>, 3> w; w[1].resize(me); for (auto& x : w) @communicate { t@i << + << t@j where i, j in world } }
void same6(int me) { std::vector<std::vector<int>> w(3); grow1(w[1], me); for (auto& x : w) @communicate { t@i << + << t@j where i, j in world } }
void same7(int me) { std::map<std::string, std::vector<double>> m; m["u"].assign(4, me); m["v"].assign(4, me); for (auto& [k, f] : m) @communicate { t@i << + << t@j where i, j in world } }
void same8(int me) { std::map<std::string, std::vector<double>> m; m["u"].assign(me, 1); for (auto& [k, f] : m) @communicate { t@i << + << t@j where i, j in world } }
void same9(int me) { std::map<int, int> m; for (int k = 0; k < 3; ++k) m[k] = me; for (auto& [k, x] : m) @communicate { t@i << + << t@j where i, j in world } }
void same10(int me) { std::map<int, int> m{{0, me}, {1, me}}; for (auto& [k, x] : m) { x += me; @communicate { t@i << + << t@j where i, j in world } } }
void same11(int me) { std::map<int, int> m{{0, me}}; if (m.count(0)) @communicate { t@i << + << t@j where i, j in world } if (auto it = m.find(0); it != m.end()) @communicate { t@i << + << t@j where i, j in world } }
void same12(int me) { std::map<int, int> m; m.emplace(1, me); m.insert({2, me}); m.insert_or_assign(3, me); m.try_emplace(4, me); m.erase(m.begin()); m.erase(2); for (auto& x : m) @communicate { t@i << + << t@j where i, j in world } }
void same13(int me) { int d[3] = {}; for (int& x : d) { x = me; @communicate { t@i << + << t@j where i, j in world } } }
void same14(int me) { std::array<int, 3> d{}; for (int& x : d) { x = me; @communicate { t@i << + << t@j where i, j in world } } }
void same15(int me) { std::vector<int> d(3); for (auto it = d.begin(); it != d.end(); ++it) { *it += me; @communicate { t@i << + << t@j where i, j in world } } }
void same16(int me) { std::vector<int> w(3, me), u(3, me); std::swap(u, w); for (int x : w) @communicate { t@i << + << t@j where i, j in world } w = std::exchange(u, {}); for (int x : w) @communicate { t@i << + << t@j where i, j in world } u.swap(w); for (int x : w) @communicate { t@i << + << t@j where i, j in world } }
void same17(int me) { std::vector<double> w(3, me); std::swap(w[0], w[1]); std::exchange(w[1], 3.0); for (double x : w) @communicate { t@i << + << t@j where i, j in world } }
void same18(int me) { std::vector<int> v(10, me); v.erase(v.end() - 2, v.end()); auto k = std::distance(v.begin(), v.end()); for (int x : v) @communicate { t@i << + << t@j where i, j in world } if (k > 3) @communicate { t@i << + << t@j where i, j in world } }
void same19(int me) { std::vector<double> a(7, me), b(7); @communicate { b@(i + 1) % world.size() <<= a@i where i in world } for (double x : b) @communicate { t@i << + << t@j where i, j in world } }
void same20(int me) { int b = me; try { if (me % 2) throw std::runtime_error("x"); ++b; } catch (const std::exception&) { --b; } @communicate { t@i << + << t@j where i, j in world } }
void same21(int me) { int b = me; for (int t = 0; t < 3; ++t) { try { if (me % 2) throw 3; ++b; } catch (int) { --b; } @communicate { t@i << + << t@j where i, j in world } } }
void same22(int me) { int e[3] = {me}; std::span<int> q(e); for (std::size_t k = 0; k < q.size(); ++k) { q[k] = me; @communicate { t@i << + << t@j where i, j in world } } }
void same23(int me) { std::valarray<double> v(1.0 * me, 5); for (std::size_t k = 0; k < v.size(); ++k) @communicate { t@i << + << t@j where i, j in world } }

/// The length of a parameter stands for those of its elements.
void use(const std::vector<std::vector<int>>& w) {
  for (int x : w[1]) @communicate { t@i << + << t@j where i, j in world }
// CHECK:{{.*}}nonuniform_containers.cpp:[[@LINE-1]]:22: warning: some ranks may not reach this block{{.*}}
}
void use_it(int me) { std::vector<std::vector<int>> w(3); w[1].resize(me); use(w); }

}  // namespace

int main() {
  const int me = world.rank();
  differs1(me);
  differs2(me);
  differs3(me);
  differs4(me);
  differs5(me);
  differs6(me);
  differs7(me);
  differs8(me);
  differs9(me);
  differs10(me);
  differs11(me);
  differs12(me);
  differs13(me);
  differs14(me);
  differs15(me);
  differs16(me);
  differs17(me);
  differs18(me);
  differs19(me);
  differs20(me);
  differs21(me);
  differs22(me);
  differs23(me);
  differs24(me);
  differs25(me);
  differs26(me);
  differs27(me);
  differs28(me);
  differs29(me);
  differs30(me);
  differs31(me);
  differs32(me);
  differs33(me);
  differs34(me);
  differs35(me);
  differs36(me);
  differs37(me);
  differs38(me);
  differs39(me);
  differs40(me);
  differs41(me);
  differs42(me);
  differs43(me);
  differs44(me);
  differs45(me);
  differs46(me);
  differs47(me);
  differs48(me);
  differs49(me);
  differs50(me);
  differs51(me);
  differs52(me);
  differs53(me);
  differs54(me);
  differs55(me);
  differs56(me);
  differs57(me);
  differs58(me);
  differs59(me);
  differs60(me);
  differs61(me);
  differs62(me);
  differs63(me);
  differs64(me);
  differs65(me);
  differs66(me);
  differs67(me);
  differs68(me);
  differs69(me);
  differs70(me);
  differs71(me);
  differs72(me);
  differs73(me);
  differs74(me);
  same1(me);
  same2(me);
  same3(me);
  same4(me);
  same5(me);
  same6(me);
  same7(me);
  same8(me);
  same9(me);
  same10(me);
  same11(me);
  same12(me);
  same13(me);
  same14(me);
  same15(me);
  same16(me);
  same17(me);
  same18(me);
  same19(me);
  same20(me);
  same21(me);
  same22(me);
  same23(me);
  use_it(me);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
