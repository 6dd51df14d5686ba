# cmake -D FOLDER=studio/dist -D OUT=assets.c -P PloyAssets.cmake
#
# Packs the files of a folder into a C file that defines ploy_studio_assets() of ploy/inspect/http.h, so that a
# program carries its page with it. "/" answers with index.html.
function(asset_type file out)
  get_filename_component(extension "${file}" LAST_EXT)
  set(types
    .html "text/html; charset=utf-8" .js "text/javascript; charset=utf-8" .mjs "text/javascript; charset=utf-8"
    .css "text/css; charset=utf-8" .json "application/json" .map "application/json"
    .txt "text/plain; charset=utf-8" .svg "image/svg+xml" .png "image/png" .ico "image/x-icon"
    .gz "application/gzip" .woff2 "font/woff2" .wasm "application/wasm" .webmanifest "application/manifest+json")
  list(FIND types "${extension}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${file}: what type is a '${extension}' file? Add it to PloyAssets.cmake.")
  endif()
  math(EXPR at "${at} + 1")
  list(GET types ${at} type)
  set(${out} "${type}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE files RELATIVE "${FOLDER}" "${FOLDER}/*")
list(SORT files)
set(text "// Made by cmake/PloyAssets.cmake; not to be edited.\n#include \"ploy/inspect/http.h\"\n\n")
set(rows "")
set(number 0)
foreach(file IN LISTS files)
  asset_type("${file}" type)
  file(SIZE "${FOLDER}/${file}" size)
  set(name "assets_${number}")
  if(size EQUAL 0)
    string(APPEND text "static const unsigned char ${name}[1] = {0};\n")
  else()
    file(READ "${FOLDER}/${file}" hex HEX)
    # Twenty bytes a line, as hexadecimal numbers.
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(REPEAT "." 100 line)
    string(REGEX REPLACE "(${line})" "\\1\n" bytes "${bytes}")
    string(APPEND text "static const unsigned char ${name}[] = {\n${bytes}};\n")
  endif()
  string(APPEND rows "    {\"/${file}\", \"${type}\", ${name}, ${size}},\n")
  if(file STREQUAL "index.html")
    string(APPEND rows "    {\"/\", \"${type}\", ${name}, ${size}},\n")
  endif()
  math(EXPR number "${number} + 1")
endforeach()
string(APPEND text "\nstatic const ploy_asset assets_all[] = {\n${rows}    {NULL, NULL, NULL, 0},\n};\n\n"
  "const ploy_asset *ploy_studio_assets(void) {\n    return assets_all;\n}\n")
file(WRITE "${OUT}" "${text}")
