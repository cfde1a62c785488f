// As much of a WebSocket client (RFC 6455) as a bot needs, with nothing but Node itself.
//
// You need not read this to write a bot. From Node 22 on there is a WebSocket built in, and `ws` is a package for it.
"use strict";

const { createHash, randomBytes } = require("crypto");

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const [CONTINUED, TEXT, CLOSE, PING, PONG] = [0, 1, 8, 9, 10];

/** Opens ws://… or wss://…, and answers every text with what `answer` makes of it; undefined is no answer. */
function connect(address, answer) {
  const url = new URL(address.replace("ws", "http"));
  const key = randomBytes(16).toString("base64");
  const headers = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": key,
  };
  const request = require(url.protocol === "https:" ? "https" : "http").request(url, { headers });
  request.on("response", (response) => fail(`${address} says: ${response.statusCode} ${response.statusMessage}`));
  request.on("error", (error) => fail(`${address}: ${error.message}`));
  request.on("upgrade", (response, socket, first) => {
    const accept = createHash("sha1").update(key + GUID).digest("base64");
    if (response.headers["sec-websocket-accept"] !== accept) fail(`${address} speaks no WebSocket`);
    socket.setNoDelay(true);
    talk(socket, first, answer);
  });
  request.end();
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Puts frames together from whatever arrives, and texts from frames. */
function talk(socket, first, answer) {
  let held = Buffer.alloc(0);
  let parts = [];
  const take = (chunk) => {
    held = Buffer.concat([held, chunk]);
    for (let frame = cutFrame(held); frame; frame = cutFrame(held)) {
      held = held.subarray(frame.end);
      if (frame.kind === PING) socket.write(frameOf(PONG, frame.payload));
      if (frame.kind === CLOSE) socket.end(frameOf(CLOSE, frame.payload));
      if (frame.kind !== TEXT && frame.kind !== CONTINUED) continue;
      parts.push(frame.payload);
      if (!frame.final) continue;
      const said = answer(Buffer.concat(parts).toString());
      parts = [];
      if (said !== undefined) socket.write(frameOf(TEXT, Buffer.from(said)));
    }
  };
  socket.on("data", take);
  socket.on("error", (error) => fail(`the connection broke: ${error.message}`));
  take(first);
}

/** The first whole frame of a buffer, if there is one. */
function cutFrame(held) {
  if (held.length < 2) return undefined;
  const short = held[1] & 127;
  const start = { 126: 4, 127: 10 }[short] ?? 2;
  if (held.length < start) return undefined;
  const size = { 126: () => held.readUInt16BE(2), 127: () => Number(held.readBigUInt64BE(2)) }[short]?.() ?? short;
  const end = start + size;
  if (held.length < end) return undefined;
  return { final: held[0] > 127, kind: held[0] & 15, payload: held.subarray(start, end), end };
}

/** A whole message in one frame; clients mask what they send. */
function frameOf(kind, payload) {
  const mask = randomBytes(4);
  const size = payload.length;
  const head = size < 126 ? [128 | kind, 128 | size] : [128 | kind, 254, size >> 8, size & 255];
  return Buffer.concat([Buffer.from(head), mask, payload.map((byte, at) => byte ^ mask[at % 4])]);
}

module.exports = { connect };
