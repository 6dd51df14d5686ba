// Clients without the token that flood a program, for `inspect.flood`: 15 sockets that ask for the whole description and
// for reasons as fast as they can, and read what comes.
// Lines in: "watch HOST PORT" answers 1 and connects; "bytes" answers how many came since it was asked last.
import { createInterface } from 'node:readline';
import { connect } from 'node:net';
import { randomBytes } from 'node:crypto';

const SOCKETS = 15;
const BATCH = 50;
let bytes = 0;

/** One text message as a masked frame. */
const frame = (text) => {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  for (let i = 0; i < payload.length; i++) payload[i] ^= mask[i % 4];
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length]), mask, payload]);
};

const flood = (host, port) => {
  const socket = connect(Number(port), host, () => {
    socket.write(
      `GET /socket HTTP/1.1\r\nHost: ${host}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n` +
        'Sec-WebSocket-Protocol: ploy.inspector.1\r\n\r\n',
    );
  });
  const batch = [];
  for (let i = 0; i < BATCH; i++) {
    batch.push(frame(`{"id":${10 + i},"do":"${i % 2 === 0 ? 'describe' : 'why'}","session":1}`));
  }
  const requests = Buffer.concat(batch);
  const more = () => {
    while (socket.writable && socket.write(requests));
    socket.once('drain', more);
  };
  let open = false;
  socket.on('data', (data) => {
    bytes += data.length;
    if (open || !data.includes('\r\n\r\n')) return;
    open = true;
    socket.write(frame('{"id":1,"do":"hello","protocol":1}'));
    more();
  });
  // Sent away: try again, as an attacker would.
  socket.on('error', () => {});
  socket.on('close', () => setTimeout(() => flood(host, port), 100));
};

console.log(`ready 15 sockets under node ${process.version}`);
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [word, host, port] = line.split(' ');
    if (word === 'watch') {
      for (let i = 0; i < SOCKETS; i++) flood(host, port);
      console.log('1');
    } else {
      console.log(String(bytes));
      bytes = 0;
    }
  })
  .on('close', () => process.exit(0));
