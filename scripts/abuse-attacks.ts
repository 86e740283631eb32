/**
 * Attacks that strangers could make over a server's sockets, each with a limited number of connections.
 * `abuse.ts` runs this beside a server as `node scripts/abuse-attacks.ts <attack> <port>`, until it kills
 * it.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** The strangers use this many loopback addresses. */
const addresses = 40
const host = 'Host: localhost\r\n'
const get = (path: string) => `GET ${path} HTTP/1.1\r\n${host}\r\n`

type Attack = (port: number) => Promise<void>

function open(port: number, stranger: number): Socket {
  const socket = connect({
    host: '127.0.0.1',
    port,
    localAddress: `127.0.1.${1 + (stranger % addresses)}`,
  })
  // The server is expected to refuse many of them.
  return socket.on('error', () => undefined)
}

/** Keeps this many strangers at it. Each comes back as soon as it is disconnected. */
async function crowd(size: number, visit: (stranger: number) => Promise<void>): Promise<void> {
  const stay = async (stranger: number) => {
    for (;;) {
      await visit(stranger)
      await wait(1)
    }
  }
  await Promise.all(Array.from({ length: size }, async (_, stranger) => stay(stranger)))
}

async function closed(socket: Socket): Promise<void> {
  await new Promise<void>((done) => socket.once('close', () => done()))
}

async function sendAndRead(port: number, stranger: number, text: string): Promise<void> {
  const socket = open(port, stranger).resume()
  socket.end(text)
  await closed(socket)
}

const login = (body: string, length = body.length) =>
  `POST /api/auth/password-login HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`

const attacks: Readonly<Record<string, Attack>> = {
  'slow bodies': (port) =>
    crowd(1000, async (stranger) => {
      const socket = open(port, stranger).resume()
      socket.write(login('{', 60_000))
      const drops = setInterval(() => socket.write(' '), 200)
      await closed(socket)
      clearInterval(drops)
    }),
  'slow headers': (port) =>
    crowd(1000, async (stranger) => {
      const socket = open(port, stranger).resume()
      socket.write('GET / HTTP/1.1\r\n')
      const drops = setInterval(() => socket.write('X-Drop: 1\r\n'), 200)
      await closed(socket)
      clearInterval(drops)
    }),
  'slow readers': (port) =>
    crowd(400, async (stranger) => {
      const socket = open(port, stranger).pause()
      socket.write(get('/api/devices'))
      await closed(socket)
    }),
  'slow readers of the live feed': (port) =>
    crowd(400, async (stranger) => {
      const socket = open(port, stranger).pause()
      socket.write(get('/api/devices/stream'))
      await closed(socket)
    }),
  '10,000 idle sockets': (port) =>
    crowd(10_000, async (stranger) => {
      await wait(stranger / 10)
      await closed(open(port, stranger).resume())
    }),
  'huge headers': (port) =>
    crowd(20, (stranger) =>
      sendAndRead(
        port,
        stranger,
        `GET / HTTP/1.1\r\n${`X: ${'x'.repeat(8000)}\r\n`.repeat(8)}\r\n`,
      ),
    ),
  pipelining: (port) =>
    crowd(20, (stranger) => sendAndRead(port, stranger, get('/api/me').repeat(1000))),
  connections: (port) =>
    crowd(100, async (stranger) => {
      const socket = open(port, stranger).resume()
      socket.once('connect', () => socket.destroy())
      await closed(socket)
    }),
  'sign-ins': (port) =>
    crowd(100, (stranger) =>
      sendAndRead(
        port,
        stranger,
        login(JSON.stringify({ username: `stranger-${Math.random()}`, password: 'not this one' })),
      ),
    ),
  'bad tokens': (port) =>
    crowd(50, (stranger) =>
      sendAndRead(
        port,
        stranger,
        `POST /api/devices/heartbeat-token HTTP/1.1\r\n${host}Authorization: Bearer apd_${'x'.repeat(43)}\r\n\r\n`,
      ),
    ),
}

export const attackNames = Object.keys(attacks)

if (import.meta.main) {
  const [name = '', port] = process.argv.slice(2)
  // Sockets that nobody reads do not keep a process alive.
  setInterval(() => undefined, 1000)
  await attacks[name]?.(Number(port))
}
