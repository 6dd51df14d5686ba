// Long checks of the board games, only with PLOY_SOAK in the environment:
//
//     PLOY_SOAK=2 node tests/soak/board.mjs PROGRAM NAME
//
// Names are the keys of `checks` below. A match against an engine that is not installed is skipped with the name of its
// Debian package. Matches are limited by nodes or playouts, so the machine's load does not matter.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [program, name] = process.argv.slice(2);
const GAMES = { match: 100, ladder: 200, clock: 200 };

function json(...words) {
  const run = spawnSync(program, [...words, "--json"], { encoding: "utf8", maxBuffer: 1 << 26 });
  if (run.status !== 0) throw new Error(`ploy ${words.join(" ")}: ${run.stderr}`);
  return JSON.parse(run.stdout);
}

// A score in percent with its error, and whether it reaches the bar.
function match(bar, games, game, a, b, ...options) {
  const r = json("arena", game, a, b, "--games", String(games), ...options);
  const score = 100 * r.score;
  const right = score >= bar && r.void <= games / 20;
  console.log(`${right ? "ok  " : "FAIL"} ${game}: ${a} against ${b}: ${score.toFixed(1)} % +- ${(100 * r.error95).toFixed(1)}, ` +
    `${r.wins} won, ${r.draws} drawn, ${r.losses} lost, ${r.void} void (at least ${bar} %)`);
  return right;
}

function engine(packageName, command) {
  const path = [`/usr/games/${command}`, `/usr/bin/${command}`].find(existsSync);
  if (path === undefined) {
    console.log(`skipped: ${command} is not installed (Debian package ${packageName})`);
    process.exit(0);
  }
  return path;
}

function against(packageName, command, bar, game, side, opponent, ...options) {
  return match(bar, GAMES.match, game, side, opponent(engine(packageName, command)), ...options);
}

function ladder(game, top) {
  let right = true;
  for (let level = 2; level <= top; level++) right = match(60, GAMES.ladder, game, `level:${level}`, `level:${level - 1}`) && right;
  return right;
}

function endings(game, set, key, wanted) {
  const r = json("board", game, "endings", "build", set, "--check");
  const right = r[key] === wanted && r.faults === 0;
  console.log(`${right ? "ok  " : "FAIL"} ${game} endings ${set}: ${key} ${r[key]} (${wanted}), ${r.faults} faults`);
  return right;
}

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(0);
}

function outsideData() {
  if (process.env.PLOY_DATA === undefined) skip("needs PLOY_DATA, the folder of the outside data");
  return join(process.env.PLOY_DATA, "chess");
}

function suite(file, wanted, nodes, ...options) {
  const r = json("board", "chess", "suite", join(outsideData(), file), "--nodes", String(nodes), ...options);
  const least = wanted ?? r.total;
  const right = r.solved >= least;
  console.log(`${right ? "ok  " : "FAIL"} ${file}: ${r.solved} of ${r.total} at ${nodes} nodes (at least ${least})`);
  return right;
}

function inFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), "ploy-board-"));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// Games in which a clock of one second and 10 ms a move runs, by the engine's own account of time.
function clock() {
  return inFolder((folder) => {
    const pgn = join(folder, "games.pgn"), side = `uci:${program} board chess --uci`;
    const r = json("arena", "chess", side, side, "--games", String(GAMES.clock), "--clock", "1+0.01", "--pgn", pgn);
    const ends = [...readFileSync(pgn, "utf8").matchAll(/\[Termination "(.*)"\]/g)].map((found) => found[1]);
    const late = ends.filter((end) => end.includes("out of time")).length;
    const right = ends.length === GAMES.clock && late === 0 && r.void === 0;
    console.log(`${right ? "ok  " : "FAIL"} chess at 1 s + 10 ms: ${late} of ${ends.length} games lost on time, ${r.void} void`);
    return right;
  });
}

// xboard, on a virtual screen, plays two games of the program against itself.
function xboard() {
  const path = engine("xboard", "xboard"), screen = engine("xvfb", "xvfb-run");
  return inFolder((folder) => {
    const pgn = join(folder, "games.pgn"), ours = `${program} board chess --xboard`;
    const run = spawnSync(screen, ["-a", path, "-fcp", ours, "-scp", ours, "-matchGames", "2", "-searchDepth", "4", "-saveGameFile", pgn,
      "-popupExitMessage", "false", "-popupMoveErrors", "false", "-noGUI"], { encoding: "utf8", timeout: 600000 });
    const games = existsSync(pgn) ? [...readFileSync(pgn, "utf8").matchAll(/\[Result "(.*)"\]/g)].map((found) => found[1]) : [];
    const right = games.length === 2 && games.every((result) => ["1-0", "0-1", "1/2-1/2"].includes(result));
    console.log(`${right ? "ok  " : "FAIL"} xboard: results ${games.join(", ")}${right ? "" : `; ${run.error ?? ""} ${run.stderr}`}`);
    return right;
  });
}

// What the search learns from itself, against plain UCT with ten times its playouts. Printed; half an hour is the budget
// for the target of 65 %.
function connect4Curve() {
  for (const games of [250, 500, 1000, 2000, 4000]) {
    const r = json("board", "connect4", "learn", "search", "--games", String(games), "--seed", "1", "--test", "40");
    console.log(`connect4, ${games} games: ${(100 * r.against_random).toFixed(1)} % against random moves, ` +
      `${(100 * r.against_uct).toFixed(1)} % against UCT with ten times the playouts`);
  }
  return true;
}

// The command in the first line of the weights writes the same file again.
function weights(game) {
  return inFolder((folder) => {
    const source = readFileSync(new URL(`../../src/board/${game}_weights.h`, import.meta.url), "utf8");
    const words = source.split("\n", 1)[0].replace("// Written by: ploy ", "").split(" ");
    const file = join(folder, "weights.h");
    json(...words, "-o", file);
    const right = readFileSync(file, "utf8") === source;
    console.log(`${right ? "ok  " : "FAIL"} ploy ${words.join(" ")}: ${right ? "the same" : "other"} weights`);
    return right;
  });
}

const checks = {
  gnuchess: () => against("gnuchess", "gnuchess", 65, "chess", "search:nodes=100000", (path) => `xboard:${path} -x|depth=6`),
  stockfish: () => against("stockfish", "stockfish", 70, "chess", "search:nodes=50000",
    (path) => `uci:${path}|nodes=50000|UCI_LimitStrength=true|UCI_Elo=1800`),
  gnugo: () => against("gnugo", "gnugo", 65, "go", "mcts:playouts=10000", (path) => `gtp:${path} --mode gtp --level 10 --chinese-rules --capture-all-dead`,
    "--set", "size=9", "--set", "komi=7.5"),
  rhino: () => against("grhino", "gtp-rhino", 75, "othello", "search:nodes=100000", (path) => `gtp:${path} --level=3 --book=0`),
  ladder_connect4: () => ladder("connect4", 7),
  ladder_othello: () => ladder("othello", 10),
  ladder_chess: () => ladder("chess", 10),
  wac: () => suite("epd/wac.epd", 280, 1000000),
  mates: () => [1, 2, 3].map((moves) => suite(`mate/mate_in_${moves}.epd`, null, 5000000, "--mate")).every(Boolean),
  clock,
  xboard,
  connect4_curve: connect4Curve,
  weights_chess: () => weights("chess"),
  weights_othello: () => weights("othello"),
  // Both sides to move are counted, and each set has its mirror image.
  endings: () => [endings("chess", "KBNK", "longest_moves", 33), endings("draughts", "4", "positions", 2 * 7092774)].every(Boolean),
};

if (checks[name] === undefined) {
  console.error(`usage: board.mjs PROGRAM ${Object.keys(checks).join("|")}`);
  process.exit(2);
}
if (process.env.PLOY_SOAK === undefined) {
  console.log("skipped: needs PLOY_SOAK");
  process.exit(0);
}
process.exit(checks[name]() ? 0 : 1);
