// The connection to the program: messages over a WebSocket, large data by fetch. Joins again when the program comes back.
import type { Message } from "./messages";

export interface Blob {
  meta: any;
  f32(name: string): Float32Array<ArrayBuffer>;
  u32(name: string): Uint32Array<ArrayBuffer>;
  u16(name: string): Uint16Array<ArrayBuffer>;
  u8(name: string): Uint8Array<ArrayBuffer>;
}

const kTypes = { f32: Float32Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array } as const;

// The other side is src/serve/blob.h.
export function readBlob(buffer: ArrayBuffer): Blob {
  const view = new DataView(buffer);
  if (buffer.byteLength < 8 || view.getUint32(0, true) !== 0x31425657) throw new Error("the program sent unknown data");
  const length = view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  const array = (name: string, type: keyof typeof kTypes): any => {
    const entry = header.arrays[name];
    if (!entry || entry.type !== type) throw new Error(`the program sent no array '${name}'`);
    return new kTypes[type](buffer, 8 + length + entry.offset, entry.count);
  };
  return {
    meta: header.meta,
    f32: (name) => array(name, "f32"),
    u32: (name) => array(name, "u32"),
    u16: (name) => array(name, "u16"),
    u8: (name) => array(name, "u8"),
  };
}

export class Link {
  onMessage: (message: Message) => void = () => {};
  onBinary: (data: ArrayBuffer) => void = () => {};
  onOpen: () => void = () => {};
  onLost: () => void = () => {};
  received = 0; // bytes
  private socket?: WebSocket;

  open(): void {
    const address = new URL("live", location.href);
    address.protocol = "ws:";
    address.search = "";
    address.hash = "";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => this.onOpen();
    socket.onmessage = (event) => {
      if (typeof event.data === "string") {
        this.received += event.data.length;
        this.onMessage(JSON.parse(event.data));
      } else {
        this.received += event.data.byteLength;
        this.onBinary(event.data);
      }
    };
    socket.onclose = () => {
      this.onLost();
      setTimeout(() => this.open(), 1500);
    };
    this.socket = socket;
  }

  send(kind: string, fields: object = {}): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ kind, ...fields }));
  }

  async fetch(name: string): Promise<Blob | undefined> {
    const answer = await fetch(`data/${name}`);
    if (!answer.ok) return undefined;
    const buffer = await answer.arrayBuffer();
    this.received += buffer.byteLength;
    return readBlob(buffer);
  }
}
