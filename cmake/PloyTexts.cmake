# cmake -D FOLDER=games/raven -D FILES=maps/a.txt|b.json -D NAME=raven -D OUT=texts.c -P PloyTexts.cmake
#
# Packs text files into a C file that defines NAME_files(), so that a program carries its levels and tables
# with it: name relative to the folder, bytes, size. The list ends with a name of NULL.
set(text "// Made by cmake/PloyTexts.cmake; not to be edited.\n#include \"${HEADER}\"\n\n")
set(rows "")
string(REPLACE "|" ";" FILES "${FILES}")
set(number 0)
foreach(file IN LISTS FILES)
  file(SIZE "${FOLDER}/${file}" size)
  file(READ "${FOLDER}/${file}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REPEAT "." 100 line)
  string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
  string(APPEND text "static const unsigned char ${NAME}_file_${number}[] = {\n${bytes}0x00};\n")
  string(APPEND rows "    {\"${file}\", ${NAME}_file_${number}, ${size}},\n")
  math(EXPR number "${number} + 1")
endforeach()
string(APPEND text "\nstatic const ${NAME}_file ${NAME}_file_list[] = {\n${rows}    {NULL, NULL, 0},\n};\n\n"
  "const ${NAME}_file *${NAME}_files(void) {\n    return ${NAME}_file_list;\n}\n")
file(WRITE "${OUT}" "${text}")
