// Yuka's side of `move.seek`: the same agents, targets and steps as bench/bench_move.c.
// Lines in: "pass" takes 20 steps and answers nanoseconds per agent and step of the fastest one (a
// whole pass is so long here that on a busy machine none would go undisturbed). "place" answers
// where the agents are, on average.
import { next, serve, YUKA } from './yuka.mjs';

const AGENTS = 10000;
const STEPS = 20;
const SCENE_M = 200;
const DT = 1 / 60;

// Yuka's ground is x and z; our x is its x, our y its z.
const manager = new YUKA.EntityManager();
for (let i = 0; i < AGENTS; i++) {
  const vehicle = new YUKA.Vehicle();
  const [x, y, targetX, targetY] = [0, 0, 0, 0].map(() => next() * SCENE_M - SCENE_M / 2);
  vehicle.position.set(x, 0, y);
  vehicle.maxSpeed = 5;
  vehicle.maxForce = 100;
  vehicle.steering.add(new YUKA.SeekBehavior(new YUKA.Vector3(targetX, 0, targetY)));
  manager.add(vehicle);
}

const pass = () => {
  let best = Infinity;
  for (let i = 0; i < STEPS; i++) {
    const begin = process.hrtime.bigint();
    manager.update(DT);
    best = Math.min(best, Number(process.hrtime.bigint() - begin) / AGENTS);
  }
  return best;
};

const place = () => {
  let sum = 0;
  const forward = new YUKA.Vector3();
  for (const vehicle of manager.entities) {
    vehicle.getDirection(forward);
    sum += Math.abs(vehicle.position.x) + Math.abs(vehicle.position.z);
    sum += Math.abs(Math.atan2(forward.z, forward.x));
  }
  return sum / AGENTS;
};

serve({ pass, place });
