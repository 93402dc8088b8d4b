#include "host/cfg/cfg.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "host/facts/test_front_end.hpp"

namespace kanor::host {
namespace {

class FlowGraphTest : public FrontEndTest {};

TEST_F(FlowGraphTest, AUnitWithoutBlocksHasNone) {}

}  // namespace
}  // namespace kanor::host
