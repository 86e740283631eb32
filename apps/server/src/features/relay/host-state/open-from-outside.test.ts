import { createServer, type RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, listen, portOf } from '../../../test/listen.ts'
import { failureOf, openFromOutside, outsideProof } from './open-from-outside.ts'

const slug = 'harbor-light'
const publicUrl = 'https://sky.example'

/** A server at the island's public address, and the requests it got. */
async function standThere(answer: RequestListener) {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url}`)
    answer(request, response)
  })
  await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `http://${slug}.localhost:${portOf(server)}/`, asked }
}

const prove: RequestListener = ({ url = '' }, response) => {
  response.end(outsideProof(publicUrl, slug, url.slice(-32)))
}

test('an island is open from outside if this server answers under its name', async () => {
  const { address, asked } = await standThere(prove)
  expect(await openFromOutside({ address, publicUrl, slug })).toBe('opened')
  expect(await openFromOutside({ address, publicUrl, slug })).toBe('opened')
  const { host } = new URL(address)
  const paths = asked.map((line = '') => line.replace(/[\da-f]{32}$/, 'nonce'))
  expect(paths).toEqual(Array(2).fill(`${host} /.astropelago/proof/nonce`))
  expect(new Set(asked).size).toBe(2)
})

test.each<readonly [string, RequestListener]>([
  ['a page of its own', (_, response) => response.end('Welcome to nginx!')],
  ['nothing there', (_, response) => response.writeHead(404).end()],
  ['the proof with another status', (asked, response) => prove(asked, response.writeHead(203))],
  [
    'another installation’s proof',
    ({ url = '' }, response) =>
      response.end(outsideProof('https://other.example', slug, url.slice(-32))),
  ],
  [
    'an answer without an end',
    (_, response) => {
      const more = (error?: Error | null) => {
        if (error == null) response.write('x'.repeat(1024), more)
      }
      more()
    },
  ],
  ['what is no HTTP', ({ socket }) => socket.end('SSH-2.0-OpenSSH\r\n')],
])('R50 an answer with %s is another server’s', async (_, answer) => {
  const { address } = await standThere(answer)
  expect(await openFromOutside({ address, publicUrl, slug })).toBe('another-server')
})

test('R50 a redirect is another server’s answer and is not followed', async () => {
  const elsewhere = await standThere(prove)
  const { address } = await standThere(({ url }, response) =>
    response.writeHead(302, { location: new URL(url ?? '', elsewhere.address).href }).end(),
  )
  expect(await openFromOutside({ address, publicUrl, slug })).toBe('another-server')
  expect(elsewhere.asked).toEqual([])
})

test('a server that does not answer is not waited for', async () => {
  for (const answer of [
    () => undefined,
    // An incomplete answer is no answer either.
    ((_, response) => response.writeHead(200).write('0')) satisfies RequestListener,
  ]) {
    const { address } = await standThere(answer)
    expect(await openFromOutside({ address, publicUrl, slug, timeoutMs: 50 })).toBe('no-answer')
  }
})

test('an address where nobody listens is unreachable', async () => {
  const address = `http://${slug}.localhost:${await freePort()}/`
  expect(await openFromOutside({ address, publicUrl, slug })).toBe('unreachable')
})

test('a port that speaks no TLS has no certificate', async () => {
  const { address } = await standThere(prove)
  const secure = address.replace('http:', 'https:')
  expect(await openFromOutside({ address: secure, publicUrl, slug })).toBe('certificate')
})

test.each([
  ['ENOTFOUND', 'no-name'],
  ['EAI_AGAIN', 'no-name'],
  ['CERT_HAS_EXPIRED', 'certificate'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
  ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', 'certificate'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ECONNRESET', 'unreachable'],
])('%s is reported as %s', (code, result) => {
  expect(failureOf(Object.assign(new Error('failed'), { code }))).toBe(result)
})
