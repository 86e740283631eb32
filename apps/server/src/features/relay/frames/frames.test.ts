import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  creditFrame,
  frame,
  FrameError,
  FrameReader,
  frameTypes,
  openingFrame,
  payloadMaxBytes,
  readOpening,
} from './frames.ts'

type Seen = readonly [type: number, stream: number, payload: string]

/** Reads chunks, and joins parts of DATA that follow one another on a stream. */
function readAll(chunks: readonly Buffer[]): { readonly seen: Seen[]; readonly parts: number } {
  const seen: Seen[] = []
  let parts = 0
  const reader = new FrameReader(
    (stream, part) => {
      parts += 1
      const [type, last, before] = seen.at(-1) ?? []
      const isMore = type === frameTypes.data && last === stream
      if (isMore) seen.pop()
      seen.push([frameTypes.data, stream, (isMore ? (before ?? '') : '') + part.toString('latin1')])
    },
    (type, stream, payload) => seen.push([type, stream, payload.toString('latin1')]),
  )
  for (const chunk of chunks) reader.read(chunk)
  return { seen, parts }
}

const head = (type: number, second: number, length: number, stream: number) =>
  Buffer.from([type, second, length >> 8, length & 255, 0, 0, 0, stream])

const read = (bytes: Buffer) => () => void readAll([bytes])

type SentFrame = readonly [(typeof frameTypes)[keyof typeof frameTypes], number, string]

const frames: readonly SentFrame[] = [
  [frameTypes.open, 1, '\0\0\0\x05http'],
  [frameTypes.data, 1, 'x'.repeat(payloadMaxBytes)],
  [frameTypes.credit, 4_294_967_295, '\xff\xff\xff\xff'],
  [frameTypes.end, 1, ''],
  [frameTypes.reset, 2, 'refused'],
  [frameTypes.reset, 3, ''],
  [frameTypes.data, 3, 'y'],
  [frameTypes.ping, 0, '12345678'],
  [frameTypes.away, 0, 'taken over'],
]
const bytesOf = (all: readonly SentFrame[]) =>
  Buffer.concat(
    all.map(([type, stream, payload]) => frame(type, stream, Buffer.from(payload, 'latin1'))),
  )

test('[F1] a frame is a head of 8 bytes and a payload', () => {
  expect(frame(frameTypes.end, 258)).toEqual(Buffer.from([5, 0, 0, 0, 0, 0, 1, 2]))
  expect(creditFrame(1, 65_536)).toEqual(Buffer.from([4, 0, 0, 4, 0, 0, 0, 1, 0, 1, 0, 0]))
  const opening = openingFrame(frameTypes.opened, 7, { credit: 3, text: 'tü' })
  expect(opening).toEqual(Buffer.from([2, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 3, 116, 195, 188]))
  expect(readOpening(opening.subarray(8))).toEqual({ credit: 3, text: 'tü' })
})

test('[F1] frames are read whole from chunks of any size', () => {
  const bytes = bytesOf(frames)
  expect(readAll([bytes])).toEqual({ seen: frames, parts: 2 })
  expect(readAll(Array.from(bytes, (byte) => Buffer.from([byte]))).seen).toEqual(frames)
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 40 }), (cuts) => {
      const ends = [...cuts, bytes.length].toSorted((one, other) => one - other)
      const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
      expect(readAll(chunks).seen).toEqual(frames)
    }),
  )
})

test('[F1] DATA is passed on in parts as it arrives', () => {
  const bytes = frame(frameTypes.data, 1, Buffer.from('abcdef'))
  expect(readAll([bytes.subarray(0, 10)])).toEqual({ seen: [[3, 1, 'ab']], parts: 1 })
  const chunks = [bytes.subarray(0, 10), bytes.subarray(10)]
  expect(readAll(chunks)).toEqual({ seen: [[3, 1, 'abcdef']], parts: 2 })
})

test.each([0, 12, 255])('[F5] the type %i is refused', (type) => {
  expect(read(head(type, 0, 8, 0))).toThrow(FrameError)
  expect(read(head(type, 0, 8, 1))).toThrow(FrameError)
})

test.each(Object.entries(frameTypes))('[F5] %s with a second byte is refused', (_, type) => {
  const isOfStream = type < frameTypes.ping
  for (const second of [1, 255]) {
    expect(read(head(type, second, 8, isOfStream ? 1 : 0))).toThrow(FrameError)
  }
})

test.each([
  ['open', 4, 1028],
  ['opened', 4, 1028],
  ['data', 1, 16_384],
  ['credit', 4, 4],
  ['end', 0, 0],
  ['reset', 0, 32],
  ['ping', 8, 8],
  ['pong', 8, 8],
  ['away', 0, 1024],
] as const)('[F5] the payload of %s has %i to %i bytes', (name, least, most) => {
  const type = frameTypes[name]
  const stream = type < frameTypes.ping ? 1 : 0
  for (const length of [least, most]) expect(read(head(type, 0, length, stream))).not.toThrow()
  for (const length of [least - 1, most + 1, 65_535].filter((one) => one >= 0)) {
    expect(read(head(type, 0, length, stream))).toThrow(FrameError)
  }
  // The stream is 0 for the session itself, and only then.
  expect(read(head(type, 0, least, 1 - stream))).toThrow(FrameError)
})

test('[F5] a wrong frame is refused wherever its head is split', () => {
  const bytes = Buffer.concat([bytesOf(frames), head(3, 0, 1, 0)])
  for (let cut = 1; cut <= 8; cut += 1) {
    const at = bytes.length - cut
    expect(() => readAll([bytes.subarray(0, at), bytes.subarray(at)])).toThrow(FrameError)
  }
})
