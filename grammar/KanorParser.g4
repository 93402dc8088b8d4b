// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/** One block. The C++ inside it stays a sequence of tokens with balanced brackets; README.md has an
 *  example of every rule. All decisions need one token of lookahead, because words.cpp has already told
 *  the language's own tokens from C++'s.
 */
parser grammar KanorParser;

options { tokenVocab = KanorLexer; }

block
  : AT COMMUNICATE (MODIFIERS_OPEN modifiers MODIFIERS_CLOSE)? BODY_OPEN statements BODY_CLOSE EOF
  | MACRO BODY_OPEN (MODIFIERS_OPEN modifiers MODIFIERS_CLOSE MODIFIERS_COMMA)? statements BODY_CLOSE EOF
  ;

modifiers: modifier (COMMA modifier)*;
modifier: IDENTIFIER (EQUALS expression)?;

statements: statement (SEPARATOR statement)* LAST_SEPARATOR?;
statement: place AT receiver arrow value AT sender (COMMA? WHERE clause (COMMA clause)*)?;

place: operand;
value: operand;
receiver: rank;
sender: rank;

arrow: ARROW | FOLD (OPERATION | operation) FOLD;
operation: (piece | COMMA | SHIFT_ASSIGN)+;

clause: generator | let | filter;
generator: NAME (COMMA NAME)* IN set;
let: LET NAME EQUALS expression;
filter: expression;
set: SET_OPEN expression (INTERVAL expression | (COMMA expression)*) SET_CLOSE | expression;

operand: (piece | COMMA | SHIFT | SHIFT_ASSIGN)+ (dimension+ listed?)?;
dimension
  : SECTION_OPEN (SECTION_COLON | expression SECTION_COLON expression (SECTION_COLON expression)?) SECTION_CLOSE
  ;

listed: LBRACKET indices RBRACKET;
indices: (piece | COMMA | SHIFT | SHIFT_ASSIGN)+;

expression: (piece | SHIFT | SHIFT_ASSIGN)+;
rank: piece+;

piece: atom | group;
group: LPAREN inner* RPAREN | LBRACKET inner* RBRACKET | LBRACE inner* RBRACE;
inner: piece | COMMA | SEMICOLON | SHIFT | SHIFT_ASSIGN;

atom
  : IDENTIFIER | NUMBER | STRING | RAW_STRING | CHARACTER
  | OPERATOR | INCREMENT | PLUS | STAR | AMPERSAND | PIPE | CARET | AND | OR
  | EQUALS | QUESTION | COLON | SCOPE | ELLIPSIS
  ;
