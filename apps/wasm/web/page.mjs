// Draws the scene on a canvas, sixty steps a second however often frames are shown.
import { load } from './ploy.mjs';
import { DT, HEIGHT, makeScene, tileOf, WIDTH } from './scene.mjs';

const canvas = document.querySelector('canvas');
const status = document.querySelector('[role=status]');
const context = canvas.getContext('2d');

try {
  const answer = await fetch('ploy.wasm');
  if (!answer.ok) throw new Error(`ploy.wasm: ${answer.status} ${answer.statusText}`);
  const ploy = await load(await answer.arrayBuffer(), {
    write: (fd, text) => console.log(text),
    random: (bytes) => crypto.getRandomValues(bytes),
  });
  run(makeScene(ploy), ploy.version);
} catch (error) {
  status.textContent = `The scene cannot be shown: ${error.message}`;
}

function run(scene, version) {
  const pointOf = (event) => {
    const box = canvas.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * WIDTH, ((event.clientY - box.top) / box.height) * HEIGHT];
  };
  canvas.addEventListener('pointermove', (event) => scene.point(pointOf(event)));
  canvas.addEventListener('pointerleave', () => scene.point(null));
  canvas.addEventListener('click', (event) => scene.toggle(pointOf(event)));
  let last = performance.now();
  let due = 0;
  const frame = (now) => {
    due = Math.min(due + (now - last) / 1000, 0.25); // a tab that was hidden does not catch up
    last = now;
    for (; due >= DT; due -= DT) scene.step();
    draw(scene);
    const path = scene.path === null ? 'no path' : `path of ${scene.path.length} tiles`;
    status.textContent = `ploy ${version}: ${scene.flock.count} agents, tick ${scene.tick}, ${path}`;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function draw(scene) {
  const scale = canvas.width / WIDTH;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = '#f6f5f1';
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.fillStyle = '#5b6470';
  for (const cell of scene.walls) context.fillRect(cell % WIDTH, Math.floor(cell / WIDTH), 1, 1);
  context.lineWidth = 0.25;
  context.lineJoin = context.lineCap = 'round';
  if (scene.path !== null) {
    context.strokeStyle = '#c2410c';
    context.beginPath();
    for (const [x, y] of scene.path) context.lineTo(x + 0.5, y + 0.5);
    context.stroke();
  }
  const [x, y] = tileOf(scene.from);
  context.fillStyle = '#c2410c';
  context.beginPath();
  context.arc(x + 0.5, y + 0.5, 0.45, 0, 2 * Math.PI);
  context.fill();
  const numbers = scene.flock.numbers();
  context.fillStyle = '#1d4ed8';
  for (let i = 0; i < numbers.length; i += 3) {
    const ahead = [Math.cos(numbers[i + 2]), Math.sin(numbers[i + 2])];
    context.beginPath();
    context.moveTo(numbers[i] + 0.4 * ahead[0], numbers[i + 1] + 0.4 * ahead[1]);
    context.lineTo(numbers[i] - 0.2 * ahead[0] - 0.2 * ahead[1], numbers[i + 1] - 0.2 * ahead[1] + 0.2 * ahead[0]);
    context.lineTo(numbers[i] - 0.2 * ahead[0] + 0.2 * ahead[1], numbers[i + 1] - 0.2 * ahead[1] - 0.2 * ahead[0]);
    context.fill();
  }
}
