#!/usr/bin/env node
// Writes src/board/chess_tables.h: attack tables of the chess rules.
// Usage: node tools/chess-tables.mjs > src/board/chess_tables.h
const bit = (s) => 1n << BigInt(s);
const mask64 = (1n << 64n) - 1n;
const on = (f, r) => f >= 0 && f < 8 && r >= 0 && r < 8;
const leaps = (steps) =>
  Array.from({ length: 64 }, (_, s) =>
    steps.reduce((set, [df, dr]) => {
      const f = (s & 7) + df, r = (s >> 3) + dr;
      return on(f, r) ? set | bit(8 * r + f) : set;
    }, 0n));
const line = (df, dr) =>
  Array.from({ length: 64 }, (_, s) => {
    let set = 0n;
    for (const sign of [1, -1]) {
      for (let f = (s & 7) + sign * df, r = (s >> 3) + sign * dr; on(f, r); f += sign * df, r += sign * dr) set |= bit(8 * r + f);
    }
    return set;
  });
// Squares 0 to 7 that a slider at `at` reaches on a line with these squares occupied.
const slide = (at, occupied) => {
  let set = 0;
  for (const step of [1, -1]) {
    for (let i = at + step; i >= 0 && i < 8; i += step) {
      set |= 1 << i;
      if (occupied & (1 << i)) break;
    }
  }
  return set;
};
const fill = [], column = [];
for (let at = 0; at < 8; at++) {
  for (let inner = 0; inner < 64; inner++) {
    fill.push(BigInt(slide(at, inner << 1)) * 0x0101010101010101n);
  }
  const row = new Array(64).fill(0n);
  for (let inner = 0; inner < 64; inner++) {
    let occupied = 0n, reached = 0n;
    for (let r = 0; r < 8; r++) {
      if (((inner << 1) >> r) & 1) occupied |= bit(8 * r);
      if ((slide(at, inner << 1) >> r) & 1) reached |= bit(8 * r);
    }
    row[Number(((occupied * 0x0080402010080400n) & mask64) >> 58n)] = reached;
  }
  column.push(...row);
}
const print = (name, comment, values, dims) => {
  console.log(`\n// ${comment}`);
  console.log(`static const uint64_t ${name}${dims} = {`);
  const text = values.map((v) => `UINT64_C(0x${v.toString(16).padStart(16, "0")})`);
  if (dims === "[64]") {
    for (let i = 0; i < 64; i += 3) console.log(`    ${text.slice(i, i + 3).join(", ")},`);
  } else {
    for (let k = 0; k < 8; k++) {
      console.log("    {");
      for (let i = 0; i < 64; i += 3) console.log(`        ${text.slice(64 * k + i, 64 * k + Math.min(i + 3, 64)).join(", ")},`);
      console.log("    },");
    }
  }
  console.log("};");
};
console.log(`// Attack tables of the chess rules. Written by tools/chess-tables.mjs; do not edit.
// Square 0 is a1, 7 is h1, 63 is h8. Tables are constants, so nothing is initialised at run time.
// clang-format off
#pragma once

#include <stdint.h>`);
print("chess_knight", "Squares a knight attacks.", leaps([[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]]), "[64]");
print("chess_king", "Squares a king attacks.", leaps([[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]]), "[64]");
print("chess_diagonal", "The diagonal through a square that rises to the right, without the square.", line(1, 1), "[64]");
print("chess_antidiagonal", "The diagonal through a square that falls to the right, without the square.", line(1, -1), "[64]");
print("chess_fill", "[file][inner six squares occupied]: squares reached on a rank, repeated on every rank.", fill, "[8][64]");
print("chess_column", "[rank][inner six squares occupied, in the order of a product]: squares reached on the a-file.", column, "[8][64]");
