#pragma once

#include <functional>
#include <vector>

#include "flow/flow_graph.hpp"
#include "sema/uniformity.hpp"

namespace kanor::sema {

/// Puts together what is said of one block in all the ways that its function is called.
class Judgement {
 public:
  using AgreementOf = std::function<Agreement(const flow::Use&)>;

  /// `event` is a block's; `reached` says whether all ranks come to it, `of` what they agree on there.
  void add(const flow::Event& event, const Agreement& reached, const AgreementOf& of);
  /// In the order of the text.
  std::vector<JudgedBlock> take();

 private:
  JudgedBlock& block_of(const flow::Event& event);

  std::vector<JudgedBlock> blocks_;
};

}  // namespace kanor::sema
