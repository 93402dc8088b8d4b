@communicate { a[(1]@0 <<= f(b@1 }
@communicate { x@0 <<= y@1
