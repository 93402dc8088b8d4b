// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/** The tokens of C++ that a block can hold, and nothing of Kanor's own: which `where`, `in`, `let`,
 *  `<<` or `:` belongs to the language depends on what stands before it, so compiler/syntax/words.cpp
 *  gives those tokens the types listed in `tokens` below before the parser sees them.
 *
 *  The characters are the file's bytes after line splices were joined. Every byte of a multi-byte
 *  UTF-8 character arrives as DEL (U+007F), so that the lexer's tables stay within ASCII.
 */
lexer grammar KanorLexer;

options { superClass = LexerBase; }

tokens {
  COMMUNICATE, MACRO,                        // the word after `@`; the other spelling's name
  MODIFIERS_OPEN, MODIFIERS_CLOSE, MODIFIERS_COMMA,
  BODY_OPEN, BODY_CLOSE,                     // the block's own brackets
  SEPARATOR, LAST_SEPARATOR,                 // `;` between statements; the one that nothing follows
  ARROW, FOLD, OPERATION,                    // `<<=`; the two `<<` of a reduction; `+`, `min`, ... alone between them
  WHERE, LET, IN, NAME,
  SET_OPEN, SET_CLOSE, INTERVAL,             // `{`, `}` and the `...` with an operand on both sides
  SECTION_OPEN, SECTION_CLOSE, SECTION_COLON,
  SCOPE_IN_SECTION,                          // the `::` of `A[0::2]`
  DIRECTIVE, UNTERMINATED
}

@lexer::postinclude {
#include "syntax/lexer_base.hpp"
}

BLANK: [ \t\u000B\u000C\r]+ -> channel(HIDDEN);
NEWLINE: '\n' { starts_line(); } -> channel(HIDDEN);
LINE_COMMENT: '//' ~[\n]* -> channel(HIDDEN);
COMMENT: OpenComment '*'+ '/' -> channel(HIDDEN);
OPEN_COMMENT: OpenComment '*'* -> type(UNTERMINATED);
fragment OpenComment: '/*' (~'*' | '*'+ ~[*/])*;

RAW_STRING: ('u8' | [uUL])? 'R"' { take_raw_string(UNTERMINATED); };
STRING: Prefix? '"' StringCharacter* '"' Identifier?;
CHARACTER: Prefix? '\'' CharacterCharacter* '\'' Identifier?;
OPEN_LITERAL: Prefix? ('"' StringCharacter* | '\'' CharacterCharacter*) '\\'? -> type(UNTERMINATED);
fragment Prefix: 'u8' | [uUL];
fragment StringCharacter: ~["\\\n] | '\\' ~[\n];
fragment CharacterCharacter: ~['\\\n] | '\\' ~[\n];

// C++'s pp-number, except that it ends before a `...`: `{0...i}` is an interval.
NUMBER: '.'? [0-9] NumberRest* NumberDots? { end_before_ellipsis(); };
fragment NumberRest: NumberDots? ([eEpP] [+-] | '\'' [0-9A-Za-z_] | [0-9A-Za-z_$\u007F] | UniversalName);
fragment NumberDots: '.' | '..';

AMPERSAND: '&' | 'bitand';
PIPE: '|' | 'bitor';
CARET: '^' | 'xor';
AND: '&&' | 'and';
OR: '||' | 'or';
OPERATOR_WORD: ('not' | 'compl' | 'not_eq' | 'and_eq' | 'or_eq' | 'xor_eq') -> type(OPERATOR);

IDENTIFIER: Identifier;
fragment Identifier: ([A-Za-z_$\u007F] | UniversalName) ([A-Za-z_$0-9\u007F] | UniversalName)*;
fragment UniversalName
  : '\\u' Hex Hex Hex Hex
  | '\\U' Hex Hex Hex Hex Hex Hex Hex Hex
  | '\\u{' Hex+ '}'
  | '\\N{' [A-Z0-9 -]+ '}'
  ;
fragment Hex: [0-9a-fA-F];

HASH: ('#' | '%:') { take_directive(DIRECTIVE); };
HASH_HASH: ('##' | '%:%:') -> type(HASH);

LPAREN: '(';
RPAREN: ')';
LBRACKET: '[' | '<:' { split_less_scope(OPERATOR); };
RBRACKET: ']' | ':>';
LBRACE: '{' | '<%';
RBRACE: '}' | '%>';
AT: '@';
COMMA: ',';
SEMICOLON: ';';
COLON: ':';
SCOPE: '::';
QUESTION: '?';
ELLIPSIS: '...';
SHIFT: '<<';
SHIFT_ASSIGN: '<<=';
EQUALS: '=';
PLUS: '+';
STAR: '*';
INCREMENT: '++' | '--';
OPERATOR
  : '-' | '/' | '%' | '~' | '!' | '<' | '>' | '.' | '==' | '!=' | '<=' | '>=' | '<=>' | '->' | '->*' | '.*' | '>>'
  | '>>=' | '+=' | '-=' | '*=' | '/=' | '%=' | '&=' | '|=' | '^='
  ;
UNKNOWN: .;
