@commu\
nicate { a@0 <\
<= "a\
b"@1 whe\
re i in {0..\
.3} }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
