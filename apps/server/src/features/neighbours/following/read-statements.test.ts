import { expect, test } from 'vitest'
import { StatementRefused, type Statement } from '../statements.ts'
import { eventMaxBytes, readStatements } from './read-statements.ts'

async function* inParts(text: string, bytes: number) {
  const all = Buffer.from(text)
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes)
}

async function read(body: AsyncIterable<Buffer>, now = () => 0): Promise<Statement[]> {
  return await Array.fromAsync(readStatements(body, now))
}

const stream =
  'retry: 3000\n\n:\n\nid: 1\ndata: {"ä":1}\ndata: sig\ndata: []\n\ndata: b\ndata: c\ndata: ["€"]\n\ndata: cut'

test.each([1, 2, 3, 7, 1000])('statements come in parts of %i bytes', async (bytes) => {
  expect(await read(inParts(stream, bytes))).toEqual([
    { head: '{"ä":1}', signature: 'sig', body: '[]' },
    { head: 'b', signature: 'c', body: '["€"]' },
  ])
})

test('[F23] events of another form are refused', async () => {
  for (const text of ['data: a\n\n', 'data: a\ndata: b\ndata: c\ndata: d\n\n']) {
    await expect(read(inParts(text, 100))).rejects.toThrow(StatementRefused)
  }
})

test('[F23] a statement without end is refused', async () => {
  let sent = 0
  async function* endless() {
    for (;;) {
      sent += 65_536
      yield Buffer.alloc(65_536, 'x')
    }
  }
  await expect(read(endless())).rejects.toThrow(StatementRefused)
  expect(sent).toBeLessThan(eventMaxBytes + 131_073)
})

test('[F23] a statement that takes more than a minute is refused', async () => {
  let nowMs = 0
  const late = read(inParts('data: a\ndata: b\ndata: c\n\n', 10), () => (nowMs += 31_000))
  await expect(late).rejects.toThrow(StatementRefused)
  const inTime = read(inParts('data: a\ndata: b\ndata: c\n\n', 10), () => (nowMs += 19_000))
  expect(await inTime).toHaveLength(1)
})
