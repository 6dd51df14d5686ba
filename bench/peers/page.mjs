// A page that watches a program, for `inspect.stream`: it connects to the server whose address it is
// given, looks at the first session as the studio does, and reads what comes.
// Lines in: "watch HOST PORT" answers 1 and connects; "bytes" answers how many came since it was
// asked last.
import { createInterface } from 'node:readline';
import { connect } from 'node:net';
import { randomBytes } from 'node:crypto';

let bytes = 0;

/** One text message as a masked frame. */
const frame = (text) => {
  const payload = Buffer.from(text);
  if (payload.length > 125) throw new Error('too long for a short frame');
  const mask = randomBytes(4);
  for (let i = 0; i < payload.length; i++) payload[i] ^= mask[i % 4];
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length]), mask, payload]);
};

const watch = (host, port) => {
  const socket = connect(Number(port), host, () => {
    socket.write(
      `GET /socket HTTP/1.1\r\nHost: ${host}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n` +
        'Sec-WebSocket-Protocol: ploy.inspector.1\r\n\r\n',
    );
  });
  let open = false;
  socket.on('data', (data) => {
    bytes += data.length;
    if (open || !data.includes('\r\n\r\n')) return;
    open = true;
    socket.write(frame('{"id":1,"do":"hello","protocol":1}'));
    socket.write(frame('{"id":2,"do":"watch","session":1,"agent":"1:1","describe":"agent"}'));
  });
  socket.on('error', () => process.exit(1));
};

console.log(`ready a page under node ${process.version}`);
createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, host, port] = line.split(' ');
  if (word === 'watch') {
    watch(host, port);
    console.log('1');
  } else {
    console.log(String(bytes));
    bytes = 0;
  }
});
