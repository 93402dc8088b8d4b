@communicate <% a<:0:>@0 <<= b<::x:>@1; c@0 << bitand << d@1 or 2 %>

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
