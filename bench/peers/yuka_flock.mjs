// Yuka's side of `move.flock/4000`: the same agents as bench/bench_move_flock.c, about 20 neighbours
// each, separation, alignment and cohesion. Lines in: "pass" answers nanoseconds per agent and step,
// of the fastest of 10, 20 and 40 cells a side; "neighbours" how many an agent has on average.
import { next, serve, YUKA } from './yuka.mjs';

const AGENTS = 4000;
const STEPS = 3;
const RADIUS = 3;
const NEIGHBOURS = 20;
const SIDE = Math.sqrt((AGENTS * Math.PI * RADIUS * RADIUS) / NEIGHBOURS);
const DT = 1 / 60;

// Yuka's ground is x and z; our x is its x, our y its z.
const places = Array.from({ length: AGENTS }, () => [(next() - 0.5) * SIDE, (next() - 0.5) * SIDE]);

const flock = (cells) => {
  const manager = new YUKA.EntityManager();
  // Yuka 0.7.8 takes cell 0 for "none yet" and adds its entities again at every update. The first
  // column of cells is left empty, so that it is not punished for that.
  const column = SIDE / (cells - 1);
  manager.spatialIndex = new YUKA.CellSpacePartitioning(SIDE + column + 1, 2, SIDE + 1, cells, 1, cells);
  for (const [x, y] of places) {
    const vehicle = new YUKA.Vehicle();
    vehicle.position.set(x + 0.5 * column + 0.4, 0, y);
    vehicle.maxSpeed = 1e-3; // so that the scene stays the one that both sides begin with
    vehicle.updateNeighborhood = true;
    vehicle.neighborhoodRadius = RADIUS;
    vehicle.steering.add(new YUKA.SeparationBehavior());
    vehicle.steering.add(new YUKA.AlignmentBehavior());
    vehicle.steering.add(new YUKA.CohesionBehavior());
    manager.add(vehicle);
  }
  return manager;
};

const managers = [10, 20, 40].map(flock);

const pass = () => {
  let best = Infinity;
  for (const manager of managers) {
    for (let i = 0; i < STEPS; i++) {
      const begin = process.hrtime.bigint();
      manager.update(DT);
      best = Math.min(best, Number(process.hrtime.bigint() - begin) / AGENTS);
    }
  }
  return best;
};

const neighbours = () => {
  const counts = managers[0].entities.map((vehicle) => vehicle.neighbors.length);
  return counts.reduce((sum, count) => sum + count, 0) / AGENTS;
};

serve({ pass, neighbours });
