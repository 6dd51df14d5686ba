// Reads the string literals of C sources, for the checks of words and of messages.

/**
 * Every string literal of a C source, adjacent ones joined, with its line, the function that it is an argument of
 * (innermost; '' outside of calls) and the index of that argument. Literals in comments, #include lines and
 * character constants are skipped. Escapes are kept as they are written.
 */
export function literals(text) {
  const found = [];
  const calls = []; // {name, argument} of the open brackets
  let at = 0;
  let line = 1;
  let name = ''; // identifier just before, a possible function
  const skipTo = (end) => {
    for (; at < end; at += 1) if (text[at] === '\n') line += 1;
  };
  const endOf = (mark, from) => {
    const end = text.indexOf(mark, from);
    return end < 0 ? text.length : end + mark.length;
  };
  while (at < text.length) {
    const c = text[at];
    const word = /^[A-Za-z_]\w*/.exec(text.slice(at, at + 80));
    if (text.startsWith('//', at)) skipTo(endOf('\n', at) - 1 || text.length);
    else if (text.startsWith('/*', at)) skipTo(endOf('*/', at + 2));
    else if (c === '#' && /^#\s*include/.test(text.slice(at, at + 20))) skipTo(endOf('\n', at) - 1);
    else if (c === "'") skipTo(at + (/^'(\\.|[^'\\])[^']*'/.exec(text.slice(at, at + 12))?.[0].length ?? 1));
    else if (c === '"') {
      const first = line;
      let value = '';
      for (;;) {
        const one = /^"((?:\\.|[^"\\])*)"/s.exec(text.slice(at));
        if (one === null) return found; // not C after all
        value += one[1];
        skipTo(at + one[0].length);
        const gap = /^\s*(?=")/.exec(text.slice(at, at + 400));
        if (gap === null) break;
        skipTo(at + gap[0].length);
      }
      const call = calls.at(-1) ?? { name: '', argument: 0 };
      found.push({ line: first, text: value, call: call.name, argument: call.argument });
      name = '';
    } else if (word !== null) {
      name = word[0];
      at += name.length;
    } else {
      if (c === '\n') line += 1;
      if ('([{'.includes(c)) calls.push({ name: c === '(' ? name : '', argument: 0 });
      else if (')]}'.includes(c)) calls.pop();
      else if (c === ',' && calls.length > 0) calls.at(-1).argument += 1;
      if (!/\s/.test(c)) name = '';
      at += 1;
    }
  }
  return found;
}
