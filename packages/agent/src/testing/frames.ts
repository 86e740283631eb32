/** The types of frames. [F1] */
export const types = {
  open: 1,
  opened: 2,
  data: 3,
  credit: 4,
  end: 5,
  reset: 6,
  ping: 7,
  pong: 8,
  away: 9,
  assignment: 10,
  result: 11,
} as const

export function frame(type: number, id: number, payload: Buffer | string = ''): Buffer {
  const bytes = Buffer.from(payload)
  const head = Buffer.alloc(8)
  head.writeUInt8(type, 0)
  head.writeUInt16BE(bytes.length, 2)
  head.writeUInt32BE(id, 4)
  return Buffer.concat([head, bytes])
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
