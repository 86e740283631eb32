import { expect, onTestFinished, test, vi } from 'vitest'
import { keepWritesAlive, sendWrite } from './send-write.ts'

/** A page whose `keepalive` requests may total 64 KiB. Responses arrive when `answerAll` is called. */
function setUp() {
  const sent: { body: string; keepalive: boolean }[] = []
  const answers: (() => void)[] = []
  let lastingBytes = 0
  vi.stubGlobal(
    'fetch',
    (_url: string, { body, keepalive }: { body: string; keepalive: boolean }) => {
      if (keepalive) lastingBytes += body.length
      if (keepalive && lastingBytes > 65_536)
        return Promise.reject(new TypeError('Failed to fetch'))
      sent.push({ body, keepalive })
      return new Promise((answer) =>
        answers.push(() => answer(new Response(null, { status: 204 }))),
      )
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const page = new EventTarget()
  keepWritesAlive(page)
  const answerAll = () => {
    for (const answer of answers) answer()
  }
  onTestFinished(answerAll)
  return { sent, page, answerAll }
}

const write = (body: string) => sendWrite('/_spark/kv/a', { method: 'POST', body })

test('many large writes at once are all stored', async () => {
  const { sent, answerAll } = setUp()
  const writes = Array.from({ length: 8 }, () => write('x'.repeat(19_000)))
  answerAll()
  for (const response of await Promise.all(writes)) expect(response.status).toBe(204)
  expect(sent.every(({ keepalive }) => !keepalive)).toBe(true)
})

test('a pending write is sent again with keepalive when the page is hidden, and a finished one is not', async () => {
  const { sent, page, answerAll } = setUp()
  const done = write('done')
  answerAll()
  await done
  void write('under way')
  page.dispatchEvent(new Event('pagehide'))
  void write('last words')
  expect(sent).toEqual([
    { body: 'done', keepalive: false },
    { body: 'under way', keepalive: false },
    { body: 'under way', keepalive: true },
    { body: 'last words', keepalive: true },
  ])
})

test('a restored page writes as before', () => {
  const { sent, page } = setUp()
  page.dispatchEvent(new Event('pagehide'))
  page.dispatchEvent(new Event('pageshow'))
  void write('again')
  expect(sent).toEqual([{ body: 'again', keepalive: false }])
})
