typedef int nothing; /* what is tested is included by the command line */
