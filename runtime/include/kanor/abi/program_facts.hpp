// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// The facts about a whole program that kanorc finds when it links it, and the runtime needs when
/// it starts: a text in a section of fixed size. libkanor.a defines the symbol with the text
/// `unset` below; kanorc overwrites the section's bytes in the linked file. A program that was
/// linked without kanorc keeps the unset text: nothing is known of it.
///
/// The text is lines that end in '\n', then NULs up to the section's size. The first line is the
/// format's name and version; a reader skips lines that it does not know. Fields are separated by
/// tabs and hold no tabs or line ends.
///
///     kanor-program 1
///     plugins<TAB>DIRECTORY                        where the MPI transports are
///     mpi                                          an MPI program: one rank unless a launcher says more
///     private                                      an object has variables that are private to each rank
///     image                                        ranks that are threads need KANOR_IMAGE_SECTION
///     library<TAB>NAME<TAB>DIGEST                  a shared library that is part of the image, as it was
///     then obstacle<TAB>WHAT<TAB>LOCATION<TAB>REASON    why ranks cannot be threads; any number of these
///     more<TAB>COUNT                               so many further obstacles did not fit
///
/// WHAT names a variable or function, LOCATION is `path:line`, or an object or `archive(member)`;
/// REASON is a clause that follows "ranks cannot be threads: ": "'errors' in legacy.o ...".
///
/// For emitted code, the runtime and kanorc alone; plain preprocessor and C.

/// The section of an MPI program with a copy of it as a shared library, from which its ranks are loaded
/// (driver/link/image.hpp): a part of the program in memory, which nothing that removes unused sections or
/// symbols removes. Linkers put sections of this name behind all others, so that the program's own parts do
/// not get too far from each other.
#define KANOR_IMAGE_SECTION ".lrodata.kanor.image"

/// Sections of a shared library that kanor-mpicc has linked, for the images of programs: the objects that it
/// was linked from, made one, and their digest in decimal digits (driver/link/own_libraries.hpp).
#define KANOR_OBJECTS_SECTION ".kanor.objects"
#define KANOR_DIGEST_SECTION ".kanor.digest"

#define KANOR_PROGRAM_FACTS_SECTION ".kanor.program"
#define KANOR_PROGRAM_FACTS_BYTES 4096
#define KANOR_PROGRAM_FACTS_HEADER "kanor-program 1\n"
#define KANOR_PROGRAM_FACTS_UNSET "kanor-program 0\n"

/// The section of an object file in which kanorc records that it compiled a translation unit, and
/// facts that the link needs. The same kind of text: `kanor 1`, then lines
///     private                                      it has variables that are private to each rank
///     source<TAB>DIGEST<TAB>WORD...                how kanorc compiled it: of which text, kanorc's options
///     thread-end<TAB>NAME<TAB>LOCATION             a thread_local variable whose destructor may use
///                                                  other variables
///     obstacle<TAB>WHAT<TAB>LOCATION<TAB>REASON    as above
///     obstacle-if<TAB>WORDS<TAB>WHAT<TAB>LOCATION<TAB>REASON
///                                                  so if the object has a mutable variable whose linker name
///                                                  is made of these words: the variable's name behind those
///                                                  of its scopes, separated by spaces, a star in place of an
///                                                  outermost scope without a name
///     obstacle-known<TAB>WHAT<TAB>LOCATION<TAB>REASON
///                                                  of other objects in a library, as in the program's
///                                                  section
///     threads<TAB>FUNCTION                         an object in a library starts threads with it
///     uses<TAB>FUNCTION                            an object in a library uses it, one for signals
/// Each unit's text ends in a NUL. A shared library has the notes of its objects; kanorc adds facts
/// about other objects in it when it links it.
#define KANOR_NOTE_SECTION ".kanor.note"
#define KANOR_NOTE_HEADER "kanor 1\n"

#ifdef __cplusplus
/// The runtime reads it through `volatile`, because its bytes change after compilation.
extern "C" const volatile char kanor_program_facts[KANOR_PROGRAM_FACTS_BYTES];
#endif
