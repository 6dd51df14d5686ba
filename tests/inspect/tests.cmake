# The server's tests come along where the component is built; what needs a POSIX client stays there.
set(_http_tests "")
set(_http_link "")
if(TARGET ploy_inspect_http)
  set(_http_tests test_http.c test_http_answer.c test_http_attach.c test_http_connection.c test_http_flood.c test_http_parse.c test_http_websocket.c)
  set(_http_link ploy_inspect_http)
endif()
# The decoder is libpng's own.
set(_png_tests "")
set(_png_link "")
if(TARGET ploy_inspect_png)
  set(_png_tests test_png.c)
  set(_png_link ploy_inspect_png PNG::PNG)
endif()

ploy_tests(inspect
  FILES
    test_canvas.c
    test_debugger.c
    test_inspector.c
    test_inspector_attach.c
    test_inspector_compare.c
    test_inspector_drive.c
    test_inspector_edit.c
    test_inspector_journal.c
    test_inspector_loads.c
    test_inspector_scan.c
    test_inspector_watch.c
    test_json_sink.c
    test_legend.c
    test_recorder.c
    test_recorder_why.c
    test_recording.c
    test_svg_sink.c
    test_text_sink.c
    test_trace_sinks.c
    test_words_sink.c
    ${_http_tests}
    ${_png_tests}
  LINK ${_http_link} ${_png_link} ploy_inspect ploy_labs
  THREADS
  NOT_WINDOWS test_http.c test_http_attach.c test_http_connection.c test_http_flood.c)
