@commu\
nicate { a@0 <\
<= "a\
b"@1 whe\
re i in {0..\
.3} }
