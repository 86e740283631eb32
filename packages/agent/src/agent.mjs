#!/usr/bin/env node
/**
 * The Astropelago agent. It runs beside a service or a folder at somebody's home, keeps one outgoing connection to an
 * Astropelago server, and passes an island's visitors on to that service. It opens no port on the router and installs
 * nothing: it is this file and Node.js 18 or newer.
 *
 *   node agent.mjs --server https://astropelago.example --to http://localhost:8080
 *
 * docs/relay.md describes the protocol; [A1] and so on are its rules. The syntax is that of 2019, so that an older
 * Node gets as far as the message that asks for a newer one.
 */
import childProcess from 'node:child_process'
import crypto from 'node:crypto'
import dns from 'node:dns'
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { Duplex } from 'node:stream'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import util from 'node:util'

const version = '0.1.0'

const usage = `The Astropelago agent ${version}

  node agent.mjs --server URL --to URL       carries visitors to a service, such as http://localhost:8080
  node agent.mjs --server URL --folder PATH  serves a folder

  --server URL        the Astropelago server
  --to URL            the service at home, http or https, or its port on this machine, such as 8080
  --folder PATH       a folder to serve instead
  --list              list a folder's files if it has no index.html
  --tcp HOST:PORT     the service behind the island's own port, such as localhost:25565
  --token-file PATH   the token, in a file that only you can read (~/.config/astropelago/relay-token)
  --lend              look at others' addresses for them, whose owners then see your IP address
  --lend-per-hour N   how many looks an hour at most (120)
  --check-lan RANGE   what your own checks may look at in your network, such as 192.168.1.0/24:80,443,ping
  --island NAME       carry only this island of the device, by its slug or id
  --host-header NAME  the Host header for the service, instead of the island's
  --check             check for half a minute whether it would work, and exit
  --version, --help
`

// ---------------------------------------------------------------------------------------------------------------
// Limits and times

const headBytes = 8
const frameBytes = 16_384
const noBytes = Buffer.alloc(0)
const maxStreams = 2048
/** What the server may send before a stream is open, a window's first and largest size, and all windows together. */
const earlyBytes = 16 * 1024
const firstWindowBytes = 64 * 1024
const windowMaxBytes = 512 * 1024
const sessionWindowBytes = 16 * 2 ** 20
const creditMaxBytes = 2 ** 31
/** A window grows if half of it is used within this time. */
const largeBytes = 4096
const fastMs = 500
/** Payloads up to this length are copied behind their heads, which is quicker than another buffer to write. */
const copiedBytes = 2048
/** Small pieces that wait for the service share blocks of this size. */
const blockBytes = 4096
/** DATA waits while this much is on its way to the server. */
const outMaxBytes = 64 * 1024
/** A server that does not read even answers is ended at this. */
const unreadMaxBytes = 2 ** 20
const bodyMaxBytes = 64 * 1024
/** Above the 64 KiB of a visitor's headers, for what the server adds. */
const folderHeadersMaxBytes = 128 * 1024
const dialMs = 15_000
/** A connection on which nothing arrives for this long is ended. The server pings every 5 s. */
const silenceMs = 16_000
/** How long open streams may take on a connection that the server is about to close. */
const takeOverMs = 60_000
const stopMs = 5000
const retryFirstMs = 250
const retryMaxMs = 30_000
/** After a connection that lasted this long, retries start with short delays again. */
const steadyMs = 60_000
const retryAfterMaxMs = 300_000
/** Retry delay of a device that carries no island yet. */
const islandMs = 60_000
const dayMs = 86_400_000
const serviceConnectMs = 10_000
/** How long --check waits for an answer to a PING, and watches a connection. */
const echoMs = 5000
const watchMs = 20_000

/** Looks at others' addresses: in an hour, in an hour at one of them, at once, and how much of an answer is read. */
const lendPerHour = 120
const targetPerHour = 60
const looksAtOnce = 8
/** With --check-lan, whose checks of a home may all wait for a machine that is off. */
const ownLooksAtOnce = 64
const answerMaxBytes = 256 * 1024
const lookMaxMs = 60_000
const hourMs = 3_600_000
/** How long the networks of this machine count as known. */
const networksMs = 10_000

/** Stands for ping among ports. */
export const pingPort = 0

/** Exit code for errors that a retry does not fix. The systemd units do not restart the agent after it. */
const exitForGood = 2

// ---------------------------------------------------------------------------------------------------------------
// Messages for the person who runs it
/** @param {string} text */
function say(text) {
  // Some of the text comes from others, so drop control characters, which a terminal would obey.
  const plain = text.replace(/[\p{Cc}\p{Cf}]/gu, ' ')
  process.stdout.write(`${new Date().toISOString().slice(0, 19)}Z ${plain}\n`)
}

/** @param {string} text @returns {never} */
function endForGood(text) {
  say(text)
  process.exit(exitForGood)
}

/** Explanations of error codes. */
const meanings = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ECONNRESET', 'the connection was cut'],
  ['EPIPE', 'the connection was cut'],
  ['ETIMEDOUT', 'no answer in time'],
  ['ENOTFOUND', "this name can't be found"],
  ['EAI_AGAIN', "names can't be looked up: is there a network?"],
  ['EHOSTUNREACH', 'it is unreachable: is there a network?'],
  ['ENETUNREACH', 'it is unreachable: is there a network?'],
  ['ENOENT', 'it is not there'],
  ['ENOTDIR', 'it is not a folder'],
  ['EACCES', "this user can't read it"],
  ['EPERM', "this user can't read it"],
  ['CERT_HAS_EXPIRED', "its certificate has expired, or this machine's clock is wrong"],
  ['CERT_NOT_YET_VALID', "its certificate is not valid yet, or this machine's clock is wrong"],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed'],
])

/** @param {unknown} error */
function reasonOf(error) {
  const code = codeOf(error)
  const meaning = meanings.get(code)
  if (meaning !== undefined) return `${meaning} (${code})`
  return error instanceof Error && error.message !== '' ? error.message : code
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

// ---------------------------------------------------------------------------------------------------------------
// Options
/** @typedef {ReturnType<typeof readOptions>} Options */

function readOptions() {
  const values = parseOptions()
  if (values.help) return told(usage)
  if (values.version) return told(`${version}\n`)
  const { server, to, folder, tcp, island, 'host-header': hostHeader } = values
  if (server === undefined) return misused('--server is missing.')
  const isLending = values.lend === true
  if (to === undefined && folder === undefined && tcp === undefined && !isLending) {
    return misused('Say what to carry: --to, --folder or --tcp.')
  }
  const perHour = values['lend-per-hour']
  const lan = values['check-lan'] || []
  if (!isLending && (perHour !== undefined || lan.length > 0)) {
    return misused('--lend-per-hour and --check-lan need --lend.')
  }
  if (perHour !== undefined && !/^[1-9]\d{0,4}$/.test(perHour)) {
    return misused(`--lend-per-hour is a number of looks such as 120, not ${perHour}.`)
  }
  if (to !== undefined && folder !== undefined) {
    return misused('Either --to or --folder, not both.')
  }
  if (island !== undefined && !/^[a-z0-9-]{1,64}$/i.test(island)) {
    return misused(`--island is the last part of an island's address, or its id, not ${island}.`)
  }
  if (hostHeader !== undefined && !/^[\w.:[\]-]+$/.test(hostHeader)) {
    return misused(`--host-header is a host's name, not ${hostHeader}.`)
  }
  return {
    server: readUrl('--server', server),
    to: to === undefined ? undefined : readUrl('--to', isPort(to) ? `http://localhost:${to}` : to),
    folder: folder === undefined ? undefined : path.resolve(folder),
    isListing: values.list === true,
    tcp: tcp === undefined ? undefined : readHostAndPort(tcp),
    tokenFile: path.resolve(
      values['token-file'] || `${os.homedir()}/.config/astropelago/relay-token`,
    ),
    island,
    hostHeader,
    isCheck: values.check === true,
    isLending,
    perHour: Number(perHour || lendPerHour),
    lan: lan.map(readLan),
  }
}

function parseOptions() {
  const text = /** @type {const} */ ({ type: 'string' })
  const flag = /** @type {const} */ ({ type: 'boolean' })
  const service = { to: text, folder: text, list: flag, tcp: text, 'host-header': text }
  const connection = { server: text, 'token-file': text, island: text }
  const ranges = /** @type {const} */ ({ type: 'string', multiple: true })
  const lending = { lend: flag, 'lend-per-hour': text, 'check-lan': ranges }
  const instead = { check: flag, version: flag, help: flag }
  try {
    return util.parseArgs({ options: { ...service, ...connection, ...lending, ...instead } }).values
  } catch (error) {
    return misused(reasonOf(error))
  }
}

/** @param {string} text @returns {never} */
function told(text) {
  process.stdout.write(text)
  process.exit(0)
}

/** @param {string} text @returns {never} */
function misused(text) {
  process.stderr.write(`${text}\nnode agent.mjs --help lists the options.\n`)
  process.exit(exitForGood)
}

/** @param {string} option @param {string} text */
function readUrl(option, text) {
  const isBare = /^https?:\/\/[^/?#@\\\s]+\/?$/i.test(text)
  const url = isBare ? urlOf(text) : undefined
  return (
    url ||
    misused(`${option} is an address such as http://localhost:8080, and no path: not ${text}.`)
  )
}

/** @param {string} text */
function urlOf(text) {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** @param {string} text */
function readHostAndPort(text) {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) || []
  if (host === '' || !isPort(port)) {
    return misused(`--tcp is a host and a port such as localhost:25565, not ${text}.`)
  }
  return { host: withoutBrackets(host), port: Number(port) }
}

/** @param {string} text @returns {Lan} */
function readLan(text) {
  const [, address = '', prefix = '', ports = ''] =
    /^(.+)\/(\d{1,3}):([\d,ping]+)$/.exec(text) || []
  const family = net.isIP(withoutBrackets(address))
  const isRange = family > 0 && Number(prefix) <= (family === 4 ? 32 : 128)
  if (!isRange || !ports.split(',').every((port) => port === 'ping' || isPort(port))) {
    return misused(
      `--check-lan is a range and its ports, or ping, such as 192.168.1.0/24:80,443,ping: not ${text}.`,
    )
  }
  const networks = new Networks([[withoutBrackets(address), Number(prefix)]])
  return {
    networks,
    ports: ports.split(',').map((port) => (port === 'ping' ? pingPort : Number(port))),
  }
}

/** @param {string} text */
function isPort(text) {
  return /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 2 ** 16
}

/**
 * Tries all addresses of a name. By default, Node 18 tries only the first of localhost's. Node's 250 ms for each
 * address are too short for a small, busy machine, and on 18.13 they limit the last address too.
 */
const anyAddress = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1500 }

/**
 * The client for a URL, with an HTTP agent (`fresh`) that opens a new connection for each request.
 * @param {URL} url
 */
function clientFor({ protocol, hostname }) {
  const client = protocol === 'https:' ? https : http
  // On this machine a certificate proves nothing, and most are self-signed.
  const kind = { ...anyAddress, noDelay: true, rejectUnauthorized: !isLoopback(hostname) }
  return { client, kind, fresh: new client.Agent({ ...kind, keepAlive: false }) }
}

/** @param {URL} url */
function portOf(url) {
  return Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
}

/** @param {string} host */
function withoutBrackets(host) {
  return host.replace(/^\[(.*)\]$/, '$1')
}

/** @param {string} hostname */
function isLoopback(hostname) {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(hostname)
}

/** The hash of this file, before somebody replaces it. */
const ownHash = crypto
  .createHash('sha256')
  .update(fs.readFileSync(fileURLToPath(import.meta.url)))
  .digest('hex')

// ---------------------------------------------------------------------------------------------------------------
// The token and the agent's id

/** @param {string} file @returns {{ readonly token: string } | { readonly trouble: string }} */
function readToken(file) {
  try {
    const { mode, uid } = fs.statSync(file)
    // A file from a service manager may belong to root. Windows has neither owner ids nor modes.
    if (process.getuid !== undefined && uid !== process.getuid() && uid !== 0) {
      return { trouble: `The token's file belongs to another user: ${file}` }
    }
    if (process.getuid !== undefined && (mode & 0o077) !== 0) {
      const mend = `Keep it to yourself with: chmod 600 ${file}`
      return { trouble: `Others can read the token's file. ${mend}` }
    }
    const token = fs.readFileSync(file, 'utf8').trim()
    if (/^[\x21-\x7e]{1,200}$/.test(token)) return { token }
    return { trouble: `This file holds no token: ${file}` }
  } catch (error) {
    return { trouble: `The token's file can't be read: ${file}: ${reasonOf(error)}` }
  }
}

/**
 * The id by which the server recognizes this agent after a crash. Its file is next to the token, one for each island
 * that --island names, because two agents on one machine may carry two islands, and one for lending. [A6]
 * @param {Options} options @param {boolean} isLender
 */
function readAgentId({ tokenFile, island }, isLender) {
  const carried = island === undefined ? '' : `-${island.toLowerCase()}`
  const file = `${tokenFile}-agent-id${isLender ? '_lend' : carried}`
  try {
    const id = fs.readFileSync(file, 'utf8').trim()
    if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) return id
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') say(`${file} can't be read: ${reasonOf(error)}`)
  }
  const id = crypto.randomUUID()
  try {
    fs.writeFileSync(file, `${id}\n`, { mode: 0o600 })
  } catch (error) {
    say(`${file} can't be written, so the server won't know this agent again: ${reasonOf(error)}`)
  }
  return id
}

// ---------------------------------------------------------------------------------------------------------------
// Dialling

const protocols = { upgrade: 'astropelago-relay/2', webSocket: 'astropelago-relay.2' }

/** Answers of proxies that pass no upgrades except WebSockets. */
const blockedStatuses = new Set([200, 400, 404, 405, 426, 501])

/**
 * The result of a dial: a connection, a refusal by the server that is final, or a failure to retry after a delay.
 * @typedef {{
 *   readonly kind: 'open', readonly socket: net.Socket, readonly head: Buffer, readonly isWebSocket: boolean,
 *   readonly carried: string, readonly hash: string,
 * } | { readonly kind: 'refused', readonly why: string } | {
 *   readonly kind: 'failed', readonly why: string, readonly retryAfterMs: number, readonly isBlocked: boolean,
 * }} Dialled
 * @typedef {Extract<Dialled, { kind: 'open' }>} Link
 */

/** The method that worked last. */
let isWebSocketFirst = false

/**
 * [A2] Tries one method, then the other.
 * @param {Options} options @param {string} token @param {string} agentId @param {number} [perHour] to lend
 */
async function dial(options, token, agentId, perHour) {
  const first = await dialBy(isWebSocketFirst, options, token, agentId, perHour)
  if (first.kind !== 'failed' || !first.isBlocked) return first
  const second = await dialBy(!isWebSocketFirst, options, token, agentId, perHour)
  if (second.kind === 'open') isWebSocketFirst = !isWebSocketFirst
  return second
}

/**
 * @param {boolean} isWebSocket
 * @param {Options} options
 * @param {string} token
 * @param {string} agentId
 * @param {number} [perHour]
 * @returns {Promise<Dialled>}
 */
function dialBy(isWebSocket, { server, island, to, hostHeader, isCheck }, token, agentId, perHour) {
  const key = crypto.randomBytes(16).toString('base64')
  const webSocketHeaders = {
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': key,
    'sec-websocket-protocol': protocols.webSocket,
  }
  return new Promise((resolve) => {
    const { client, fresh: agent } = clientFor(server)
    const request = client.request(new URL('/api/relay/connect', server), {
      agent,
      headers: {
        connection: 'Upgrade',
        ...(isWebSocket ? webSocketHeaders : { upgrade: protocols.upgrade }),
        authorization: `Bearer ${token}`,
        'astropelago-agent': agentId,
        'astropelago-agent-version': version,
        ...(perHour === undefined
          ? {
              ...(island === undefined ? {} : { 'astropelago-island': island }),
              ...(to === undefined ? {} : { 'astropelago-agent-service': to.origin }),
              ...(hostHeader === undefined ? {} : { 'astropelago-agent-host': hostHeader }),
            }
          : { 'astropelago-agent-lends': String(perHour) }),
        ...(isCheck ? { 'astropelago-agent-check': '1' } : {}),
      },
    })
    /** @param {string} why */
    const failed = (why, isBlocked = false, retryAfterMs = 0) =>
      resolve({ kind: 'failed', why, isBlocked, retryAfterMs })
    const limit = setTimeout(() => request.destroy(tooLate()), dialMs)
    request.on('close', () => clearTimeout(limit))
    request.on('error', (error) => failed(reasonOf(error)))
    request.on('upgrade', (response, socket, head) => {
      clearTimeout(limit)
      // An error without a listener would end the process.
      socket.on('error', () => undefined)
      const { headers } = response
      const isAgreed = isWebSocket
        ? headers['sec-websocket-accept'] === acceptOf(key) &&
          headers['sec-websocket-protocol'] === protocols.webSocket
        : headers.upgrade === protocols.upgrade
      if (!isAgreed) {
        socket.destroy()
        return failed('the server answers with another protocol', true)
      }
      // [L1] An older server would take this for an agent that carries islands.
      if (perHour !== undefined && headers['astropelago-agent-lends'] === undefined) {
        socket.destroy()
        return failed('this server asks nobody to look at addresses', false, hourMs)
      }
      socket.setNoDelay(true)
      const carried = String(headers['astropelago-island'] || '')
      const hash = String(headers['astropelago-agent-hash'] || '')
      return resolve({ kind: 'open', socket, head, isWebSocket, carried, hash })
    })
    request.on('response', (response) => {
      const status = response.statusCode || 0
      readText(response, (text) => {
        const said = saidIn(text)
        const retryAfterMs = readRetryAfter(response.headers['retry-after'])
        // Not from the server, but from a proxy or a captive portal.
        if (said === undefined) {
          const why = `a proxy or portal answers instead of the server (${status})`
          return failed(why, blockedStatuses.has(status), retryAfterMs)
        }
        // An island may be assigned to this device later, or again.
        if (said.code === 'no_relayed_island') return failed(said.sentence, false, islandMs)
        if (status === 401 || status === 403) {
          return resolve({ kind: 'refused', why: said.sentence })
        }
        // The server asks for an upgrade if a proxy removed the header.
        if (said.code !== 'upgrade_required') return failed(said.sentence, false, retryAfterMs)
        const why = `this server needs another version of this agent: the newest is at ${server.origin}/agent.mjs`
        return failed(why, true, retryAfterMs)
      })
    })
    request.end()
  })
}

/** @param {http.IncomingMessage} response @param {(text: string) => void} take */
function readText(response, take) {
  let text = ''
  response.setEncoding('utf8')
  response.on('data', (part) => {
    text += part
    if (text.length > bodyMaxBytes) response.destroy()
  })
  response.on('error', () => undefined)
  response.on('close', () => take(text))
}

/**
 * The code and the sentence of an API error; undefined for any other text.
 * @param {string} text
 */
function saidIn(text) {
  try {
    const { code, error } = JSON.parse(text)
    return typeof code === 'string' ? { code, sentence: String(error) } : undefined
  } catch {
    return undefined
  }
}

/** @param {string | undefined} text */
function readRetryAfter(text) {
  if (text === undefined) return 0
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Math.min(Math.max(ms || 0, 0), retryAfterMaxMs)
}

/** @param {string} key */
function acceptOf(key) {
  return crypto
    .createHash('sha1')
    .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
}

// ---------------------------------------------------------------------------------------------------------------
// WebSocket framing (RFC 6455), for proxies that pass nothing else

const opcodes = { continuation: 0, binary: 2, close: 8, ping: 9, pong: 10 }

/**
 * Makes a function that takes a connection's bytes, and passes on what is in its messages, as it arrives.
 * @param {net.Socket} socket @param {(part: Buffer) => void} take
 */
function messageReader(socket, take) {
  /** @type {Buffer} */
  let rest = noBytes
  /** Bytes of the current data frame that are still to come. */
  let payloadLeft = 0
  return (/** @type {Buffer} */ chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      if (payloadLeft > 0) {
        if (rest.length === 0) return undefined
        const part = rest.subarray(0, payloadLeft)
        rest = rest.subarray(part.length)
        payloadLeft -= part.length
        take(part)
        continue
      }
      const header = readMessageHeader(rest)
      if (header === undefined) return undefined
      const { opcode, start, length } = header
      if (opcode === opcodes.continuation || opcode === opcodes.binary) {
        payloadLeft = length
        rest = rest.subarray(start)
        continue
      }
      if (rest.length < start + length) return undefined
      const payload = rest.subarray(start, start + length)
      rest = rest.subarray(start + length)
      if (opcode === opcodes.ping) socket.write(message(opcodes.pong, payload))
      if (opcode === opcodes.close) socket.end(message(opcodes.close, payload))
    }
  }
}

/**
 * Reads the header at the start of these bytes; undefined if it is incomplete.
 * @param {Buffer} bytes @throws {Broken}
 */
function readMessageHeader(bytes) {
  if (bytes.length < 2) return undefined
  const [first = 0, second = 0] = bytes
  const opcode = first & 0x0f
  const short = second & 0x7f
  const isUnknown = !Object.values(opcodes).includes(opcode)
  const isLongControl = opcode >= opcodes.close && (short > 125 || (first & 0x80) === 0)
  if ((first & 0x70) !== 0 || (second & 0x80) !== 0 || isUnknown || isLongControl) {
    throw new Broken('a WebSocket frame that is none')
  }
  if (short < 126) return { opcode, start: 2, length: short }
  const start = short === 126 ? 4 : 10
  if (bytes.length < start) return undefined
  if (short === 126) return { opcode, start, length: bytes.readUInt16BE(2) }
  return { opcode, start, length: bytes.readUInt32BE(2) * 2 ** 32 + bytes.readUInt32BE(6) }
}

/** @param {number} opcode @param {Buffer} payload */
function message(opcode, payload) {
  const { length } = payload
  // The mask and the payload begin at a multiple of four bytes, so that whole words are masked.
  const whole = Buffer.allocUnsafeSlow(16 + Math.ceil(length / 4) * 4)
  const start = length < 126 ? 10 : length < 2 ** 16 ? 8 : 2
  whole[start] = 0x80 | opcode
  whole[start + 1] = 0x80 | (start === 10 ? length : start === 8 ? 126 : 127)
  if (start === 8) whole.writeUInt16BE(length, 10)
  if (start === 2) whole.writeBigUInt64BE(BigInt(length), 4)
  crypto.randomFillSync(whole, 12, 4)
  whole.set(payload, 16)
  const words = new Int32Array(whole.buffer)
  const mask = Number(words[3])
  for (let at = 4; at < words.length; at += 1) words[at] = Number(words[at]) ^ mask
  return whole.subarray(start, 16 + length)
}

// ---------------------------------------------------------------------------------------------------------------
// Staying connected

/** @type {Set<Session>} */
const sessions = new Set()
let isEnding = false

/**
 * [A3] Dials, serves and dials again, until it is stopped or refused for good.
 * @param {Options} options @param {Services} services @param {Lender} [lender] instead of carrying islands
 */
async function stayConnected(options, services, lender) {
  const perHour = lender === undefined ? undefined : options.perHour
  let agentId = readAgentId(options, lender !== undefined)
  let failures = 0
  for (;;) {
    if (isEnding) return undefined
    const found = readToken(options.tokenFile)
    if ('trouble' in found) return endForGood(found.trouble)
    say(`connecting to ${options.server.origin}`)
    const dialled = await dial(options, found.token, agentId, perHour)
    if (dialled.kind === 'refused') return endForGood(`refused: ${dialled.why}`)
    let retryAfterMs = 0
    if (dialled.kind === 'failed') {
      if (isEnding) return undefined
      say(`not connected: ${dialled.why}`)
      ;({ retryAfterMs } = dialled)
    } else {
      const startMs = Date.now()
      noteHash(dialled.hash, options.server)
      const end = await serveUntilEnd(dialled, services, lender)
      if (isEnding) return undefined
      if (Date.now() - startMs >= steadyMs) failures = 0
      if (end.isTakenOver) agentId = crypto.randomUUID()
      say(end.isTakenOver ? 'another agent runs with this token file: both go on' : end.text)
      // If the server asks for it, dial at once, but with a delay if that happens again and again.
      if (end.isAsked && failures === 0) {
        failures = 1
        continue
      }
    }
    const waitMs =
      retryAfterMs +
      Math.random() * Math.min(retryMaxMs, retryFirstMs * 2 ** Math.min(failures, 10))
    failures += 1
    say(`trying again in ${(waitMs / 1000).toFixed(1)} s`)
    await pause(waitMs)
  }
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

let newerSaidMs = -dayMs

/** [A8] @param {string} hash @param {URL} server */
function noteHash(hash, server) {
  if (hash === '' || hash === ownHash || Date.now() - newerSaidMs < dayMs) return
  newerSaidMs = Date.now()
  say(`this server has a newer version of this agent: ${server.origin}/agent.mjs`)
}

/**
 * Serves the streams of one connection until it is lost or the server asks for a new one.
 * @param {Link} link @param {Services} services @param {Lender} [lender]
 * @returns {Promise<{ readonly text: string, readonly isAsked: boolean, readonly isTakenOver: boolean }>}
 */
function serveUntilEnd(link, services, lender) {
  const { carried } = link
  return new Promise((resolve) => {
    let isHeard = false
    /** @param {number} type @param {Buffer} payload */
    const hear = (type, payload) => {
      const as = carried === '' ? '' : ` as ${carried}`
      if (!isHeard) {
        say(`connected${lender === undefined ? as : ' to look at addresses for others'}`)
      }
      isHeard = true
      if (type === types.assignment) {
        if (lender === undefined) throw new Broken('an assignment, but this agent does not lend')
        void lender.answer(payload, session)
      }
      if (type !== types.away) return
      session.leave()
      const isTakenOver = payload.toString() === 'taken over'
      resolve({ text: 'the server asks this agent to reconnect', isAsked: true, isTakenOver })
    }
    const session = new Session(link, services, hear, (why) => {
      sessions.delete(session)
      resolve({ text: `connection lost: ${why}`, isAsked: false, isTakenOver: false })
    })
    sessions.add(session)
  })
}

/** [A7] Takes no more streams, lets open ones end, and exits. */
function stop() {
  if (isEnding) process.exit(0)
  isEnding = true
  say('stopping')
  setTimeout(() => process.exit(0), stopMs)
  const left = [...sessions].map((session) => {
    const closed = new Promise((resolve) => session.socket.once('close', resolve))
    session.send(types.away, 0)
    session.leave()
    return closed
  })
  void Promise.all(left).then(() => process.exit(0))
}

// ---------------------------------------------------------------------------------------------------------------
// Sessions: frames from and to the server

/** [F1] */
const types = {
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
}

/** The shortest and the longest payload of each type. The server sends neither OPENED nor RESULT. */
const lengths = /** @type {const} */ ([
  undefined,
  [4, frameBytes],
  undefined,
  [1, frameBytes],
  [4, 4],
  [0, 0],
  [0, 32],
  [8, 8],
  [8, 8],
  [0, frameBytes],
  [2, frameBytes],
])

/** [F5] What the server did against the protocol. */
class Broken extends Error {}

/**
 * A connection to the server.
 * @typedef {{ http?: Service | Folder, tcp?: Service }} Services
 */
class Session {
  /**
   * @param {Link} link
   * @param {Services} services
   * @param {(type: number, payload: Buffer) => void} hear gets the frames on stream 0
   * @param {(why: string) => void} onClose
   */
  constructor({ socket, head, isWebSocket }, services, hear, onClose) {
    this.socket = socket
    this.isWebSocket = isWebSocket
    this.services = services
    this.hear = hear
    this.why = ''
    /** @type {Map<number, Stream>} */
    this.streams = new Map()
    this.lastId = 0
    /** All windows of its streams together. */
    this.windowBytes = 0
    this.isLeaving = false
    /** The start of a frame whose rest is still to come. @type {Buffer} */
    this.rest = noBytes
    /** Bytes of the current DATA frame that are still to come, and their stream. */
    this.dataLeft = 0
    /** @type {Stream | undefined} */
    this.receiver = undefined
    /** What goes out at the end of this turn of the event loop. @type {Buffer[]} */
    this.out = []
    this.outBytes = 0
    this.isBlocked = false
    /** Streams that have something to send, in the order of their turns. @type {Set<Stream>} */
    this.turns = new Set()
    this.flushLater = () => this.flush()

    const read = (/** @type {Buffer} */ chunk) => this.read(chunk)
    const take = isWebSocket ? messageReader(socket, read) : read
    const stopWatching = watchSilence(socket, () =>
      this.lose(`the server was silent for ${silenceMs / 1000} s`),
    )
    if (head.length > 0) socket.unshift(head)
    socket.on('data', (/** @type {Buffer} */ chunk) => {
      try {
        take(chunk)
      } catch (error) {
        if (!(error instanceof Broken)) throw error
        this.lose(`the server broke the protocol: ${error.message}`)
      }
    })
    // In the next turn of the event loop, so that a stream with much to send leaves the others theirs.
    const goOn = () => {
      this.isBlocked = false
      this.takeTurns()
    }
    socket.on('drain', () => setImmediate(goOn))
    socket.on('error', (error) => (this.why = this.why || reasonOf(error)))
    socket.on('close', () => {
      stopWatching()
      for (const stream of this.streams.values()) stream.cut()
      onClose(this.why || 'the connection was cut')
    })
  }

  /** @param {string} why */
  lose(why) {
    this.why = this.why || why
    this.socket.destroy()
  }

  /** @param {Buffer} chunk @throws {Broken} */
  read(chunk) {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk])
    let at = 0
    for (;;) {
      if (this.dataLeft > 0) {
        if (at === bytes.length) break
        const part = bytes.subarray(at, at + this.dataLeft)
        at += part.length
        this.dataLeft -= part.length
        if (this.receiver !== undefined) this.receiver.passDown(part)
        continue
      }
      if (bytes.length - at < headBytes) break
      const type = Number(bytes[at])
      const length = bytes.readUInt16BE(at + 2)
      const id = bytes.readUInt32BE(at + 4)
      const [least = 1, most = 0] = lengths[type] || []
      if (bytes[at + 1] !== 0 || length < least || length > most) {
        throw new Broken(`a frame of type ${type} with ${length} bytes`)
      }
      if (type === types.data) {
        this.receiver = this.receiverOf(id, length)
        this.dataLeft = length
      } else {
        if (bytes.length - at < headBytes + length) break
        this.take(type, id, bytes.subarray(at + headBytes, at + headBytes + length))
        at += length
      }
      at += headBytes
    }
    this.rest = bytes.subarray(at)
  }

  /** @param {number} id @param {number} length @throws {Broken} */
  receiverOf(id, length) {
    const stream = this.streams.get(id)
    if (stream === undefined || stream.isHeardOut) throw new Broken('DATA on a stream that is over')
    if (stream.hasReset) return undefined
    if (length > stream.allowed) throw new Broken('DATA beyond the credit')
    return stream
  }

  /** @param {number} type @param {number} id @param {Buffer} payload @throws {Broken} */
  take(type, id, payload) {
    if (type >= types.ping !== (id === 0)) throw new Broken(`type ${type} on stream ${id}`)
    if (type === types.open) return this.open(id, payload)
    if (id === 0) {
      if (type === types.ping) this.send(types.pong, 0, payload)
      return this.hear(type, payload)
    }
    const stream = this.streams.get(id)
    if (id > this.lastId) throw new Broken('a frame on a stream that was never opened')
    if (type === types.end) {
      if (stream === undefined || stream.isHeardOut)
        throw new Broken('END on a stream that is over')
      return stream.takeEnd()
    }
    if (stream === undefined) return undefined
    return type === types.credit ? stream.takeCredit(payload.readUInt32BE(0)) : stream.takeReset()
  }

  /** @param {number} id @param {Buffer} payload @throws {Broken} */
  open(id, payload) {
    if (id !== this.lastId + 1) throw new Broken('OPEN out of order')
    if (this.streams.size >= maxStreams) throw new Broken('too many streams')
    this.lastId = id
    const stream = new Stream(this, id)
    this.streams.set(id, stream)
    stream.takeCredit(payload.readUInt32BE(0))
    const kind = payload.toString('latin1', 4)
    const { http: web, tcp } = this.services
    const service = kind === 'http' ? web : kind === 'tcp' ? tcp : undefined
    if (service === undefined) stream.fail(kind === 'tcp' ? 'no-tcp' : 'refused')
    else stream.connect(service)
  }

  /** @param {number} type @param {number} id @param {Buffer} [payload] */
  send(type, id, payload = noBytes) {
    const { length } = payload
    const isCopied = length <= copiedBytes
    const head = Buffer.allocUnsafe(isCopied ? headBytes + length : headBytes)
    head[0] = type
    head[1] = 0
    head.writeUInt16BE(length, 2)
    head.writeUInt32BE(id, 4)
    if (this.out.length === 0) setImmediate(this.flushLater)
    this.out.push(head)
    if (isCopied) head.set(payload, headBytes)
    else this.out.push(payload)
    this.outBytes += headBytes + length
    if (this.outBytes >= outMaxBytes) this.flush()
  }

  /** [F6] Whether the connection takes more DATA. */
  get hasRoom() {
    return !this.isBlocked && this.outBytes < outMaxBytes
  }

  flush() {
    const { socket, out, outBytes } = this
    if (out.length === 0 || !socket.writable) return undefined
    this.out = []
    this.outBytes = 0
    let hasRoom = true
    if (this.isWebSocket) {
      hasRoom = socket.write(message(opcodes.binary, Buffer.concat(out)))
    } else if (outBytes <= frameBytes) {
      hasRoom = socket.write(Buffer.concat(out, outBytes))
    } else {
      socket.cork()
      for (const part of out) hasRoom = socket.write(part)
      socket.uncork()
    }
    this.isBlocked = this.isBlocked || !hasRoom
    if (socket.writableLength > unreadMaxBytes) return this.lose('the server reads nothing')
    return undefined
  }

  /** Streams that wait for the connection send a frame each, in turns. */
  takeTurns() {
    for (const stream of this.turns) {
      if (!this.hasRoom) return
      this.turns.delete(stream)
      stream.sendFrame()
      if (stream.isReady()) this.turns.add(stream)
    }
  }

  /** Ends when no stream is left, or after a while. */
  leave() {
    this.isLeaving = true
    const limit = setTimeout(() => this.socket.destroy(), takeOverMs)
    this.socket.once('close', () => clearTimeout(limit))
    this.endIfLeft()
  }

  endIfLeft() {
    if (!this.isLeaving || this.streams.size > 0) return
    this.flush()
    if (this.isWebSocket) this.socket.write(message(opcodes.close, Buffer.from([0x03, 0xe8])))
    this.socket.end()
  }
}

/**
 * [A4] Uses the wall clock and not a monotonic one, so that it detects silence at once after the machine slept.
 * @param {net.Socket} socket @param {() => void} onSilence
 */
function watchSilence(socket, onSilence) {
  let seenBytes = socket.bytesRead
  let heardMs = Date.now()
  const timer = setInterval(() => {
    if (socket.bytesRead !== seenBytes) {
      seenBytes = socket.bytesRead
      heardMs = Date.now()
    } else if (Date.now() - heardMs >= silenceMs) {
      onSilence()
    }
  }, 1000)
  return () => clearInterval(timer)
}

// ---------------------------------------------------------------------------------------------------------------
// Streams: each is one connection to the service

/** @typedef {'' | 'refused' | 'timeout' | 'reset' | 'no-tcp'} Word [A16] */

class Stream {
  /** @param {Session} session @param {number} id */
  constructor(session, id) {
    this.session = session
    this.id = id
    /** @type {net.Socket | Duplex | undefined} */
    this.socket = undefined
    /** What the agent may still send, what the server may still send, and how much that is at most. [F3] */
    this.credit = 0
    this.allowed = earlyBytes
    this.window = earlyBytes
    session.windowBytes += earlyBytes
    this.creditedMs = 0
    /** Pieces that arrived since then. */
    this.pieces = 0
    /** What the service sent and the server has not got yet. @type {Buffer | undefined} */
    this.waiting = undefined
    this.isPaused = false
    /** Small pieces for the service, and how many bytes of the block they fill. @type {Buffer} */
    this.block = noBytes
    this.held = 0
    this.isOpened = false
    this.hasEnded = false
    this.hasReset = false
    /** Whether the server has sent END or RESET. */
    this.isHeardOut = false
    this.isServiceEnded = false
    /** The word of a RESET that follows END. @type {Word} */
    this.trouble = ''
  }

  /** @param {Service | Folder} service */
  connect(service) {
    const socket = service.connect()
    this.socket = socket
    const limit = setTimeout(() => socket.destroy(tooLate()), serviceConnectMs)
    socket.on('data', (chunk) => this.passUp(chunk))
    socket.on('end', () => {
      this.isServiceEnded = true
      if (this.waiting === undefined) this.sendEnd()
    })
    socket.on('error', (error) => {
      if (!this.isOpened && !this.hasReset)
        service.note(false, `can't be reached: ${reasonOf(error)}`)
      this.fail(this.isOpened ? 'reset' : troubleOf(error))
    })
    socket.on('close', () => {
      clearTimeout(limit)
      if (!this.isServiceEnded) this.fail('reset')
    })
    socket.once(service.readyEvent, () => {
      clearTimeout(limit)
      service.note(true, 'answers again')
      this.isOpened = true
      this.session.send(types.opened, this.id, uint32(this.widen(firstWindowBytes - earlyBytes)))
    })
    this.passedOn = (/** @type {unknown} */ error) => {
      if (error) return
      this.passHeld()
      this.giveCredit()
    }
  }

  /**
   * Widens the window, if the session's windows together stay small enough.
   * @param {number} by @returns {number} the additional credit
   */
  widen(by) {
    const { session } = this
    if (session.windowBytes + by > sessionWindowBytes) return 0
    session.windowBytes += by
    this.window += by
    this.allowed += by
    return by
  }

  /** Passes bytes from the server to the service. @param {Buffer} part */
  passDown(part) {
    const { socket } = this
    if (this.hasReset || socket === undefined) return
    this.allowed -= part.length
    this.pieces += 1
    if (socket.writableLength === 0) {
      socket.write(this.isOpened ? part : alone(part), this.passedOn)
      return
    }
    // Bytes may come one by one, and each write that waits costs 200 more.
    if (this.held + part.length > this.block.length) this.passHeld()
    if (part.length > copiedBytes) {
      socket.write(alone(part), this.passedOn)
      return
    }
    if (this.block.length === 0) this.block = Buffer.allocUnsafeSlow(blockBytes)
    part.copy(this.block, this.held)
    this.held += part.length
  }

  /** Passes the small pieces on that were held back. */
  passHeld() {
    const { socket, block, held } = this
    this.block = noBytes
    this.held = 0
    if (held > 0 && socket !== undefined) socket.write(block.subarray(0, held), this.passedOn)
  }

  /** [F3] Gives credit for what the service's socket has taken, in halves of a window. */
  giveCredit() {
    const { socket, window, allowed } = this
    if (this.isHeardOut || this.hasReset || socket === undefined) return
    const due = window - allowed - socket.writableLength - this.held
    if (due < window / 2) return
    this.allowed += due
    // A window that is used this fast would make the server wait on a long way. Many small pieces need no more.
    const nowMs = Date.now()
    const isFast = nowMs - this.creditedMs < fastMs && due >= this.pieces * largeBytes
    this.creditedMs = nowMs
    this.pieces = 0
    const more = isFast && window < windowMaxBytes ? this.widen(window) : 0
    this.session.send(types.credit, this.id, uint32(due + more))
  }

  /** Passes bytes from the service to the server. @param {Buffer} chunk */
  passUp(chunk) {
    const { socket } = this
    if (this.hasReset || socket === undefined) return
    this.waiting = this.waiting === undefined ? chunk : Buffer.concat([this.waiting, chunk])
    this.pump()
    if (this.waiting === undefined || this.isPaused) return
    this.waiting = alone(this.waiting)
    this.isPaused = true
    socket.pause()
  }

  isReady() {
    return this.waiting !== undefined && this.credit > 0
  }

  pump() {
    while (this.isReady() && this.session.hasRoom) this.sendFrame()
    if (this.isReady()) this.session.turns.add(this)
  }

  sendFrame() {
    const { waiting = noBytes, socket } = this
    const length = Math.min(waiting.length, frameBytes, this.credit)
    this.session.send(types.data, this.id, waiting.subarray(0, length))
    this.credit -= length
    this.waiting = length < waiting.length ? waiting.subarray(length) : undefined
    if (this.waiting !== undefined) return
    if (this.isServiceEnded) return this.sendEnd()
    if (!this.isPaused || socket === undefined) return
    this.isPaused = false
    socket.resume()
  }

  /** @param {number} more @throws {Broken} */
  takeCredit(more) {
    if (this.hasReset) return
    this.credit += more
    if (this.credit > creditMaxBytes) throw new Broken('more credit than there can be')
    this.pump()
  }

  takeEnd() {
    this.isHeardOut = true
    if (this.socket !== undefined && !this.hasReset) {
      this.passHeld()
      this.socket.end()
    }
    this.endIfOver()
  }

  takeReset() {
    this.isHeardOut = true
    if (!this.hasEnded && !this.hasReset) return this.reset('')
    this.cut()
    return this.endIfOver()
  }

  sendEnd() {
    if (this.hasReset || this.hasEnded) return
    this.hasEnded = true
    this.session.send(types.end, this.id)
    if (this.trouble === '' || this.isHeardOut) this.endIfOver()
    else this.reset(this.trouble)
  }

  /** Gives the stream up, but after what the service sent before its own end. @param {Word} word */
  fail(word) {
    this.trouble = word
    if (this.hasReset || (this.hasEnded && this.isHeardOut)) return
    if (!this.isServiceEnded || this.hasEnded) this.reset(word)
  }

  /** @param {Word} word */
  reset(word) {
    this.hasReset = true
    this.session.send(types.reset, this.id, Buffer.from(word))
    this.cut()
    this.endIfOver()
  }

  /** [A15] Cuts the connection to the service, which must not take that for its end. */
  cut() {
    const { socket } = this
    this.hasReset = true
    this.waiting = undefined
    this.block = noBytes
    this.held = 0
    this.session.turns.delete(this)
    if (socket === undefined || socket.destroyed) return
    const canReset = socket instanceof net.Socket && !(socket instanceof tls.TLSSocket)
    if (canReset && !socket.connecting && socket.resetAndDestroy) socket.resetAndDestroy()
    else socket.destroy()
  }

  /** [F4] */
  endIfOver() {
    const { session, socket } = this
    if (!this.isHeardOut || !(this.hasEnded || this.hasReset)) return
    session.streams.delete(this.id)
    session.windowBytes -= this.window
    // The last bytes may still be on their way to the service.
    if (socket instanceof net.Socket) socket.setTimeout(stopMs, () => socket.destroy())
    session.endIfLeft()
  }
}

/** @param {number} value */
function uint32(value) {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A copy of bytes that have to wait, if they would keep much more memory in use. @param {Buffer} part */
function alone(part) {
  return part.length * 2 < part.buffer.byteLength ? Buffer.from(part) : part
}

/** @param {unknown} error @returns {Word} */
function troubleOf(error) {
  const code = codeOf(error)
  if (code === 'ETIMEDOUT') return 'timeout'
  return /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EACCES)$/.test(code)
    ? 'refused'
    : 'reset'
}

function tooLate() {
  return Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })
}

/** The service behind --to or --tcp. [A10] [A18] */
class Service {
  /** @param {string} name @param {{ host: string, port: number }} target @param {boolean} [isTls] */
  constructor(name, { host, port }, isTls = false) {
    this.name = name
    this.isTls = isTls
    this.readyEvent = isTls ? 'secureConnect' : 'connect'
    /** @type {boolean | undefined} */
    this.isAnswering = undefined
    /** The last TLS session, which makes the next handshake short. @type {Buffer | undefined} */
    this.session = undefined
    this.how = { ...anyAddress, host, port, allowHalfOpen: true, noDelay: true }
    this.tls = {
      servername: net.isIP(host) ? undefined : host,
      ALPNProtocols: ['http/1.1'],
      // On this machine a certificate proves nothing, and most are self-signed.
      rejectUnauthorized: !isLoopback(host),
    }
  }

  /** @returns {net.Socket} */
  connect() {
    if (!this.isTls) return net.connect(this.how)
    const socket = tls.connect({ ...this.how, ...this.tls, session: this.session })
    const { servername } = this.tls
    // If several addresses are tried, Node 18.13 forgets the name. The handshake begins after this.
    socket.prependOnceListener('connect', () => {
      if (servername !== undefined)
        Reflect.apply(Reflect.get(socket, 'setServername'), socket, [servername])
    })
    socket.on('session', (session) => (this.session = session))
    return socket.setNoDelay(true)
  }

  /**
   * Logs each change of state, and nothing if the service has always answered.
   * @param {boolean} isAnswering @param {string} how
   */
  note(isAnswering, how) {
    if (this.isAnswering === isAnswering) return
    if (this.isAnswering !== undefined || !isAnswering) say(`${this.name} ${how}`)
    this.isAnswering = isAnswering
  }
}

// ---------------------------------------------------------------------------------------------------------------
// A folder

/**
 * Both ends of a connection within this process. Node 18 has no `duplexPair`.
 * @returns {readonly [Duplex, Duplex]}
 */
function connectedPair() {
  /** The writes that an end has not read yet. @type {Map<Duplex, () => void>} */
  const unread = new Map()
  /** @param {() => Duplex} other @returns {Duplex} */
  const makeEnd = (other) =>
    new Duplex({
      read() {
        const done = unread.get(this)
        unread.delete(this)
        if (done !== undefined) done()
      },
      write(chunk, _, done) {
        if (other().push(chunk)) done()
        else unread.set(other(), done)
      },
      final(done) {
        other().push(null)
        done()
      },
      destroy(error, done) {
        if (!this.writableFinished || !this.readableEnded) other().destroy()
        done(error)
      },
    })
  const near = makeEnd(() => far)
  const far = makeEnd(() => near)
  return [near, far]
}

/** By kind: the types, each with its file extensions if they differ from its name. */
const typeTable = `
application gzip=gz json=json,map manifest+json=webmanifest pdf wasm xml zip
audio aac flac mp4=m4a mpeg=mp3 ogg=oga,ogg,opus wav
font otf ttf woff woff2
image avif bmp gif jpeg=jpeg,jpg png svg+xml=svg webp x-icon=ico
text calendar=ics css csv html=htm,html javascript=js,mjs markdown=md plain=txt vtt
video mp4=m4v,mp4 ogg=ogv quicktime=mov webm`

/** @type {Map<string, string>} */
const mediaTypes = new Map()
for (const line of typeTable.trim().split('\n')) {
  const [kind = '', ...known] = line.split(' ')
  for (const [name = '', endings = name] of known.map((entry) => entry.split('='))) {
    const isText = kind === 'text' || /json$|xml$/.test(name)
    const type = `${kind}/${name}${isText ? '; charset=utf-8' : ''}`
    for (const ending of endings.split(',')) mediaTypes.set(`.${ending}`, type)
  }
}

/** The folder behind --folder. [A19] */
class Folder {
  /** @param {string} folder @param {Pick<Options, 'isListing' | 'tokenFile'>} options */
  constructor(folder, { isListing, tokenFile }) {
    this.folder = folder
    this.isListing = isListing
    this.tokenFile = tokenFile
    this.readyEvent = 'connect'
    this.server = http.createServer({ maxHeaderSize: folderHeadersMaxBytes })
    this.server.on('request', (request, response) => void this.pass(request, response))
  }

  connect() {
    const [near, far] = connectedPair()
    this.server.emit('connection', far)
    setImmediate(() => near.destroyed || near.emit('connect'))
    return near
  }

  /** A folder always answers. */
  note() {
    return undefined
  }

  /** @param {Request} request @param {Response} response */
  async pass(request, response) {
    try {
      await this.answer(request, response)
    } catch (error) {
      if (response.headersSent) return void response.destroy()
      say(`${request.url} can't be read: ${reasonOf(error)}`)
      sendText(response, 500, 'This can’t be read right now.')
    }
    return undefined
  }

  /** @param {Request} request @param {Response} response */
  async answer(request, response) {
    const { method, url = '' } = request
    if (method !== 'GET' && method !== 'HEAD') {
      return sendText(response, 405, 'Files here can only be read.', { allow: 'GET, HEAD' })
    }
    const [, asked = '', query = ''] = /^([^?]*)(.*)$/s.exec(url) || []
    const names = namesIn(asked)
    const found = names && (await this.find(names))
    if (names === undefined || found === undefined) return sendNotFound(response)
    const isFolderAsked = asked.endsWith('/')
    if (found.isFile)
      return isFolderAsked ? sendNotFound(response) : sendFile(request, response, found.file)
    if (!isFolderAsked) {
      return sendText(response, 301, 'It is at another address.', { location: `${asked}/${query}` })
    }
    const index = await this.find([...names, 'index.html'])
    if (index !== undefined && index.isFile) return sendFile(request, response, index.file)
    if (!this.isListing) return sendNotFound(response)
    return sendText(response, 200, await this.list(names, found.file), {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    })
  }

  /**
   * Finds a file or folder that is inside the served one after links are resolved, with no hidden name on the path.
   * @param {readonly string[]} names
   * @param {Map<string, Set<string>>} [listings] a cache of folders' entries, for several lookups
   */
  async find(names, listings = new Map()) {
    try {
      const root = await fs.promises.realpath(this.folder)
      const file = await fs.promises.realpath(path.join(root, ...names))
      const inside = path.relative(root, file)
      const way = inside.split(path.sep)
      if (path.isAbsolute(inside) || way.some((name) => name.startsWith('.'))) return undefined
      if (!(await areOwnNames(root, way, listings))) return undefined
      const stats = await fs.promises.stat(file, { bigint: true })
      if (await this.isAgents(file, stats)) return undefined
      return stats.isFile() || stats.isDirectory() ? { file, isFile: stats.isFile() } : undefined
    } catch (error) {
      // Missing, a file on the path, a loop of links, a name too long, or not readable by this user.
      if (/^(ENOENT|ENOTDIR|ELOOP|ENAMETOOLONG|EACCES|EPERM)$/.test(codeOf(error))) return undefined
      throw error
    }
  }

  /**
   * Whether it is the token, the id next to it or another agent's token, so that serving a whole home folder serves
   * none of them. Compares the inode and, ignoring case, the name, because FUSE has an inode for each spelling.
   * @param {string} file @param {fs.BigIntStats} stats
   */
  async isAgents(file, { dev, ino }) {
    const own = await fs.promises.realpath(this.tokenFile).catch(() => this.tokenFile)
    const token = await fs.promises.stat(own, { bigint: true }).catch(() => undefined)
    // Some Windows shares have no inode numbers.
    if (token !== undefined && ino > 0 && token.ino === ino && token.dev === dev) return true
    const lower = file.toLowerCase()
    return [own, this.tokenFile]
      .map((one) => one.toLowerCase())
      .some(
        (one) =>
          lower === one ||
          lower.startsWith(`${one}-agent-id`) ||
          (path.dirname(lower) === path.dirname(one) && /relay-token($|-agent-id)/.test(lower)),
      )
  }

  /** @param {readonly string[]} names @param {string} file */
  async list(names, file) {
    const rows = []
    const held = await fs.promises.readdir(file)
    const listings = new Map([[file, new Set(held)]])
    held.sort()
    for (const name of held) {
      const isServed = namesIn(`/${encodeURIComponent(name)}`) !== undefined
      const entry = isServed ? await this.find([...names, name], listings) : undefined
      const mark = entry !== undefined && !entry.isFile ? '/' : ''
      if (entry !== undefined) {
        rows.push(
          `<li><a href="./${encodeURIComponent(name)}${mark}">${escapeHtml(name)}${mark}</a></li>`,
        )
      }
    }
    const title = escapeHtml(`/${names.map((name) => `${name}/`).join('')}`)
    const up = names.length === 0 ? '' : '<li><a href="../">../</a></li>'
    return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>body{font:1rem/1.6 system-ui;color-scheme:light dark;margin:2rem}</style></head>
<body><h1>${title}</h1><ul>${up}${rows.join('\n')}</ul></body></html>
`
  }
}

/** Not hidden, not `..`, without slashes or NUL. On Windows also no drive letters or file streams. */
const plainName = path.sep === '/' ? /^[^./\\\0][^/\\\0]*$/ : /^[^./\\\0:][^/\\\0:]*$/

/**
 * Names that some file systems take for another name without `realpath` showing it. FAT also finds `.env` as `ENV~1`,
 * and others ignore invisible characters.
 */
const otherName = /[~\p{Default_Ignorable_Code_Point}]/u

/**
 * Whether each name on a path is one that its folder lists.
 * @param {string} root @param {readonly string[]} way @param {Map<string, Set<string>>} listings
 */
async function areOwnNames(root, way, listings) {
  for (const [at, name] of way.entries()) {
    if (!otherName.test(name)) continue
    const folder = path.join(root, ...way.slice(0, at))
    const held = listings.get(folder) || new Set(await fs.promises.readdir(folder))
    listings.set(folder, held)
    if (!held.has(name)) return false
  }
  return true
}

/**
 * The names in a path; undefined if one of them is never served.
 * @param {string} asked @returns {string[] | undefined}
 */
function namesIn(asked) {
  if (!asked.startsWith('/')) return undefined
  let names
  try {
    names = asked.slice(1).split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
  if (names[names.length - 1] === '') names.pop()
  return names.every((name) => plainName.test(name)) ? names : undefined
}

/** @param {string} text */
function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** @typedef {http.IncomingMessage} Request */
/** @typedef {http.ServerResponse} Response */

/** @param {Response} response */
function sendNotFound(response) {
  sendText(response, 404, 'Not found')
}

/**
 * @param {Response} response
 * @param {number} status
 * @param {string} text
 * @param {http.OutgoingHttpHeaders} [more]
 */
function sendText(response, status, text, more) {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-content-type-options': 'nosniff',
    ...more,
  })
  // Node itself leaves the body out for HEAD.
  response.end(text)
}

/** @param {Request} request @param {Response} response @param {string} file */
async function sendFile(request, response, file) {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants
  const handle = await fs.promises.open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  let isReading = false
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) return sendNotFound(response)
    const { size, mtime } = stats
    const etag = `"${size.toString(16)}-${Math.floor(stats.mtimeMs * 1000).toString(16)}"`
    const about = {
      etag,
      'last-modified': mtime.toUTCString(),
      'cache-control': 'no-cache',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
    }
    if (isUnchanged(request.headers, etag, mtime)) return response.writeHead(304, about).end()
    const range = rangeIn(request, size, etag, mtime)
    if (range === 'none') {
      return sendText(response, 416, 'No such range', { 'content-range': `bytes */${size}` })
    }
    const { start, end } = range === undefined ? { start: 0, end: size - 1 } : range
    const length = end - start + 1
    response.writeHead(range === undefined ? 200 : 206, {
      ...about,
      'content-type':
        mediaTypes.get(path.extname(file).toLowerCase()) || 'application/octet-stream',
      'content-length': length,
      ...(range === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
    })
    if (request.method === 'HEAD' || length === 0) return response.end()
    isReading = !response.destroyed
    return isReading && sendBytes(response, handle.createReadStream({ start, end }), length)
  } finally {
    if (!isReading) await handle.close()
  }
}

/**
 * Sends exactly `length` bytes or cuts the connection, because the file may change meanwhile.
 * @param {Response} response @param {fs.ReadStream} bytes @param {number} length
 */
function sendBytes(response, bytes, length) {
  bytes.pipe(response, { end: false })
  bytes.on('error', () => response.destroy())
  bytes.on('end', () => {
    if (bytes.bytesRead === length) response.end()
    else response.destroy()
  })
  response.once('close', () => bytes.destroy())
}

/** @param {http.IncomingHttpHeaders} headers @param {string} etag @param {Date} mtime */
function isUnchanged(headers, etag, mtime) {
  const known = headers['if-none-match']
  if (known === undefined) return isNotNewer(mtime, headers['if-modified-since'])
  const names = new Set(known.split(',').map((name) => name.trim().replace(/^W\//, '')))
  return names.has(etag) || names.has('*')
}

/** @param {Date} mtime @param {string | undefined} date an HTTP date, which has a resolution of one second */
function isNotNewer(mtime, date) {
  return date !== undefined && Math.floor(mtime.getTime() / 1000) * 1000 <= Date.parse(date)
}

/**
 * The requested range. For several ranges, the whole file is a valid answer too (RFC 9110, 14.2).
 * @param {Request} request @param {number} size @param {string} etag @param {Date} mtime
 * @returns {{ readonly start: number, readonly end: number } | 'none' | undefined}
 */
function rangeIn({ method, headers }, size, etag, mtime) {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers['range'] || '') || []
  const condition = headers['if-range']
  const isMet = condition === undefined || condition === etag || condition === mtime.toUTCString()
  if (method !== 'GET' || !isMet || `${first}${last}` === '') return undefined
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && first !== '' && Number(last) < start) return undefined
  return start <= end ? { start, end } : 'none'
}

// ---------------------------------------------------------------------------------------------------------------
// Lending: looks at addresses for others. Nothing here trusts the server with what this machine can reach.

/** @typedef {readonly [address: string, prefix: number]} Network */
/** @typedef {{ readonly networks: Networks, readonly ports: readonly number[] }} Lan */

/** A BlockList would find IPv4 addresses, in their mapped form, in networks of IPv6 such as ::/48. */
export class Networks {
  /** @param {readonly Network[]} networks */
  constructor(networks) {
    this.ipv4 = new net.BlockList()
    this.ipv6 = new net.BlockList()
    for (const [address, prefix] of networks) {
      const family = net.isIP(address) === 4 ? 'ipv4' : 'ipv6'
      this[family].addSubnet(address, prefix, family)
    }
  }

  /** @param {string} address */
  has(address) {
    const family = net.isIP(address) === 4 ? 'ipv4' : 'ipv6'
    return this[family].check(address, family)
  }
}

/** @returns {{ readonly special4: Networks, readonly global6: Networks, readonly special6: Networks }} */
function makeKnownNetworks() {
  return {
    // https://www.iana.org/assignments/iana-ipv4-special-registry
    special4: new Networks([
      ['0.0.0.0', 8],
      ['10.0.0.0', 8],
      // Shared by the customers of one provider (CGNAT).
      ['100.64.0.0', 10],
      ['127.0.0.0', 8],
      ['169.254.0.0', 16],
      ['172.16.0.0', 12],
      ['192.0.0.0', 24],
      ['192.0.2.0', 24],
      ['192.88.99.0', 24],
      ['192.168.0.0', 16],
      ['198.18.0.0', 15],
      ['198.51.100.0', 24],
      ['203.0.113.0', 24],
      ['224.0.0.0', 3],
    ]),
    // Outside are NAT64 and mapped forms, which contain an IPv4 address of any kind.
    global6: new Networks([['2000::', 3]]),
    // https://www.iana.org/assignments/iana-ipv6-special-registry: Teredo is in the first, 6to4 is 2002::/16.
    special6: new Networks([
      ['2001::', 23],
      ['2001:db8::', 32],
      ['2002::', 16],
      ['3fff::', 20],
    ]),
  }
}

/**
 * Undefined until they are needed: a Node that is too old has no BlockList, and has to say so first.
 * @type {ReturnType<typeof makeKnownNetworks> | undefined}
 */
let knownNetworks

/** [L3] @param {string} address */
export function isPublicAddress(address) {
  if (knownNetworks === undefined) knownNetworks = makeKnownNetworks()
  const { special4, global6, special6 } = knownNetworks
  const family = net.isIP(address)
  if (family !== 6) return family === 4 && !special4.has(address)
  const isGlobal = !address.includes('%') && global6.has(address)
  return isGlobal && !special6.has(address)
}

/** Routes to more than this are the way to the internet, and not to a network of one's own. */
const wideBits = 8

/**
 * [L4] The networks of a machine: of its interfaces, routes and gateways, and the /48 of each IPv6 address.
 * @param {{
 *   readonly interfaces: readonly { readonly address: string, readonly cidr: string | null }[],
 *   readonly route: string, readonly route6: string, readonly seen: readonly string[],
 * }} machine its routes as in /proc/net, and its addresses as the server sees them
 */
export function ownNetworks({ interfaces, route, route6, seen }) {
  /** @type {Network[]} */
  const networks = []
  for (const address of [...seen, ...interfaces.map((one) => one.address)]) {
    const plain = address.replace(/%.*$/, '')
    if (net.isIP(plain) === 4) networks.push([plain, 32])
    if (net.isIP(plain) === 6) networks.push([plain, 48])
  }
  for (const { cidr } of interfaces) {
    const [address = '', prefix = ''] = (cidr || '').replace(/%[^/]*/, '').split('/')
    if (net.isIP(address) > 0) networks.push([address, Number(prefix)])
  }
  for (const line of route.split('\n').slice(1)) {
    const [, destination = '', gateway = '', , , , , mask = ''] = line.split('\t')
    if (mask === '') continue
    const prefix = parseInt(mask, 16).toString(2).replace(/0/g, '').length
    if (prefix >= wideBits) networks.push([address4(destination), prefix])
    networks.push([address4(gateway), 32])
  }
  for (const line of route6.split('\n')) {
    const [destination = '', prefix = '', , , gateway = ''] = line.trim().split(/\s+/)
    if (gateway === '') continue
    if (parseInt(prefix, 16) >= wideBits) {
      networks.push([address6(destination), parseInt(prefix, 16)])
    }
    networks.push([address6(gateway), 128])
  }
  return new Networks(networks)
}

/** @param {string} hex as in /proc/net/route, the last byte first */
function address4(hex) {
  return [...Buffer.from(hex.replace(/(..)(..)(..)(..)/, '$4$3$2$1'), 'hex')].join('.')
}

/** @param {string} hex */
function address6(hex) {
  return (hex.match(/.{4}/g) || []).join(':')
}

/** @param {readonly string[]} seen @throws if it can't know them */
function networksOfMachine(seen) {
  const interfaces = Object.values(os.networkInterfaces()).flatMap((own) => own || [])
  const isLinux = process.platform === 'linux'
  const route = isLinux ? fs.readFileSync('/proc/net/route', 'utf8') : ''
  // Without IPv6 there is no such file.
  const file6 = '/proc/net/ipv6_route'
  const route6 = isLinux && fs.existsSync(file6) ? fs.readFileSync(file6, 'utf8') : ''
  return ownNetworks({ interfaces, route, route6, seen })
}

/** Names that only mean something inside of a network. */
const insideName =
  /^[^.]+$|(^|\.)(localhost|local|lan|home|internal|intranet|private|corp|home\.arpa)$/i

/**
 * [L2] What the server asks for.
 * @typedef {{
 *   readonly nonce: string, readonly timeoutMs: number, readonly ownAddresses: readonly string[],
 *   readonly ports: readonly number[], readonly isOwn: boolean,
 *   readonly target: {
 *     readonly kind: 'http' | 'tcp' | 'certificate' | 'dns' | 'ping', readonly url: URL | undefined,
 *     readonly host: string, readonly port: number, readonly statuses: string, readonly text: string | null,
 *     readonly followsRedirects: boolean, readonly days: number, readonly record: string, readonly value: string | null,
 *   },
 * }} Assignment
 * @typedef {{ readonly outcome: 'up' | 'down' | 'refused', readonly tookMs: number | null, readonly why: string }} Outcome
 */

/** @param {Buffer} payload @returns {Assignment | undefined} */
export function readAssignment(payload) {
  try {
    const { nonce, target, timeoutMs, ownAddresses, ports, isOwn } = JSON.parse(payload.toString())
    const { kind } = target
    const url = kind === 'http' ? new URL(target.url) : undefined
    if (url !== undefined && !/^https?:$/.test(url.protocol)) return undefined
    const isPing = kind === 'ping'
    if (!/^(http|tcp|certificate|dns|ping)$/.test(kind)) return undefined
    if (!/^[\w-]{8,64}$/.test(nonce)) return undefined
    const host = url === undefined ? String(target.host) : url.hostname
    const port = isPing ? pingPort : url === undefined ? Number(target.port) : portOf(url)
    if (kind === 'tcp' && port === pingPort) return undefined
    return {
      nonce,
      timeoutMs: Math.min(Number(timeoutMs) || 0, lookMaxMs),
      ownAddresses: ownAddresses.map(String),
      // Only --check-lan allows ping.
      ports: isPing ? [] : ports.map(Number),
      isOwn: isOwn === true,
      target: {
        kind,
        url,
        host: withoutBrackets(host).replace(/\.$/, ''),
        port,
        statuses: String(target.statuses || '200-299'),
        text: typeof target.text === 'string' ? target.text : null,
        followsRedirects: target.followsRedirects === true,
        days: Number(target.days) || 0,
        record: String(target.record || 'A'),
        value: typeof target.value === 'string' ? target.value : null,
      },
    }
  } catch {
    return undefined
  }
}

/** [L5] [L6] @param {Assignment} assignment @param {readonly Lan[]} lan */
export function mayUsePort({ target: { port }, ports, isOwn }, lan) {
  if (port === 25) return false
  return (
    [80, 443, ...ports].includes(port) || (isOwn && lan.some((one) => one.ports.includes(port)))
  )
}

/**
 * [L3] [L4] [L6] Whether it looks at this address.
 * @param {string} address @param {Assignment} assignment @param {readonly Lan[]} lan @param {Networks} own
 */
export function mayReach(address, assignment, lan, own) {
  const { target, ports } = assignment
  const { port } = target
  if (isNamed(address, assignment, lan)) return true
  return [80, 443, ...ports].includes(port) && isPublicAddress(address) && !own.has(address)
}

/** [L6] @param {string} address @param {Assignment} assignment @param {readonly Lan[]} lan */
function isNamed(address, { target: { port }, isOwn }, lan) {
  return isOwn && lan.some((one) => one.ports.includes(port) && one.networks.has(address))
}

/** @param {string} why @returns {Outcome} */
const refusal = (why) => ({ outcome: 'refused', tookMs: null, why })

export class Lender {
  /** @param {{ readonly perHour: number, readonly lan: readonly Lan[] }} options @param {() => number} [clock] */
  constructor({ perHour, lan }, clock = Date.now) {
    this.perHour = perHour
    this.lan = lan
    this.clock = clock
    this.running = 0
    /** When it looked, and at what, in the last hour. @type {{ readonly atMs: number, readonly place: string }[]} */
    this.looks = []
    this.ownMs = -Infinity
    this.ownOf = ''
    this.own = new Networks([])
  }

  /** @param {Buffer} payload @param {Session} session */
  async answer(payload, session) {
    const result = await this.take(payload)
    if (result === undefined || session.socket.destroyed) return
    session.send(types.result, 0, Buffer.from(JSON.stringify(result)))
  }

  /** @param {Buffer} payload @returns {Promise<({ readonly nonce: string } & Outcome) | undefined>} */
  async take(payload) {
    const assignment = readAssignment(payload)
    if (assignment === undefined) return undefined
    const { nonce } = assignment
    const isOwn = assignment.isOwn && this.lan.length > 0
    const atOnce = isOwn ? ownLooksAtOnce : looksAtOnce
    if (this.running >= atOnce) return { nonce, ...refusal('busy') }
    this.running += 1
    try {
      return { nonce, ...(await this.look(assignment)) }
    } catch (error) {
      return { nonce, ...refusal(codeOf(error).slice(0, 100)) }
    } finally {
      this.running -= 1
    }
  }

  /** @param {Assignment} assignment @returns {Promise<Outcome>} */
  async look(assignment) {
    const { target, timeoutMs } = assignment
    const { kind, host, port } = target
    const isInside = net.isIP(host) === 0 && insideName.test(host)
    if (isInside && !(assignment.isOwn && this.lan.length > 0)) return refusal('name')
    if (kind !== 'dns' && !mayUsePort(assignment, this.lan)) return refusal('port')
    const mayBeNamed = assignment.isOwn && this.lan.some((one) => one.ports.includes(port))
    const place = `${host} ${port}`
    if (!mayBeNamed && !this.counts(place)) return refusal('limit')
    const endMs = monotonicMs() + timeoutMs
    if (kind === 'dns') return lookUp(target, timeoutMs)
    /** @type {readonly string[]} */
    let addresses = [host]
    if (net.isIP(host) === 0) {
      try {
        const found = await inTime(
          dns.promises.lookup(host, { all: true, verbatim: true }),
          timeoutMs,
        )
        addresses = found.map(({ address }) => address)
      } catch (error) {
        // Without a network, this machine knows nothing about others.
        return codeOf(error) === 'EAI_AGAIN' ? refusal('network') : failure(error)
      }
    }
    const own = this.networks(assignment.ownAddresses)
    if (!addresses.every((address) => mayReach(address, assignment, this.lan, own))) {
      return refusal('address')
    }
    const areNamed = addresses.every((address) => isNamed(address, assignment, this.lan))
    if (mayBeNamed && !areNamed && !this.counts(place)) return refusal('limit')
    if (kind === 'ping') return ping(addresses[0] || '', Math.max(endMs - monotonicMs(), 1))
    return probe(target, addresses, Math.max(endMs - monotonicMs(), 1))
  }

  /** @param {readonly string[]} seen */
  networks(seen) {
    const of = seen.join()
    if (of !== this.ownOf || this.clock() - this.ownMs >= networksMs) {
      this.own = networksOfMachine(seen)
      this.ownMs = this.clock()
      this.ownOf = of
    }
    return this.own
  }

  /** [L7] Whether there is room for one more look in this hour. It counts if so. @param {string} place */
  counts(place) {
    const nowMs = this.clock()
    this.looks = this.looks.filter(({ atMs }) => nowMs - atMs < hourMs)
    const here = this.looks.filter((look) => look.place === place).length
    if (this.looks.length >= this.perHour || here >= targetPerHour) return false
    this.looks.push({ atMs: nowMs, place })
    return true
  }
}

function monotonicMs() {
  return Number(process.hrtime.bigint() / BigInt(1e6))
}

/** @template T @param {Promise<T>} promise @param {number} ms @returns {Promise<T>} */
function inTime(promise, ms) {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(tooLate()), ms)
    void promise.then(resolve, reject).finally(() => clearTimeout(limit))
  })
}

/** @param {unknown} error @returns {Outcome} */
function failure(error) {
  const why = codeOf(error).slice(0, 100)
  // This machine has no IPv6, or no IPv4.
  if (/^(ENETUNREACH|EADDRNOTAVAIL)$/.test(why)) return refusal('network')
  return { outcome: 'down', tookMs: null, why }
}

/**
 * By the system's program, since Node has no raw sockets. @param {string} address @param {number} timeoutMs
 * @returns {Promise<Outcome>}
 */
export function ping(address, timeoutMs) {
  if (net.isIP(address) === 0) return Promise.resolve(refusal('address'))
  const isWindows = process.platform === 'win32'
  const isBsd = /bsd|darwin/.test(process.platform)
  // Linux takes seconds, and all others milliseconds.
  const wait = process.platform === 'linux' ? Math.ceil(timeoutMs / 1000) : timeoutMs
  const once = isWindows ? ['-n', '1', '-w'] : ['-n', '-c', '1', '-W']
  const args = [...once, String(wait), address]
  const startMs = monotonicMs()
  return new Promise((resolve) => {
    const limit = /** @type {const} */ ({ timeout: timeoutMs, killSignal: 'SIGKILL' })
    childProcess.execFile('ping', args, limit, (error, answer) => {
      const tookMs = monotonicMs() - startMs
      // Windows exits with 0 if a router says that it can't reach the address.
      const isUp = error === null && (!isWindows || /\d ?ms/.test(answer))
      if (isUp) return resolve({ outcome: 'up', tookMs, why: '' })
      // BSD and macOS exit with 2 if nothing answers. Anything else is the program's own trouble.
      const isSilent = error === null || error.killed || error.code === (isBsd ? 2 : 1)
      return resolve(isSilent ? failure(tooLate()) : refusal('ping'))
    })
  })
}

/** @param {string} value of a DNS record */
function bareValue(value) {
  return value.replace(/\.$/, '').toLowerCase()
}

/** @param {Assignment['target']} target @param {number} timeoutMs @returns {Promise<Outcome>} */
async function lookUp({ host, record, value }, timeoutMs) {
  if (!/^(A|AAAA|CNAME|MX|NS|TXT)$/.test(record)) return refusal('record')
  const startMs = monotonicMs()
  try {
    const found = await inTime(dns.promises.resolve(host, record), timeoutMs)
    const values = (Array.isArray(found) ? found : []).map((/** @type {unknown} */ one) => {
      if (Array.isArray(one)) return one.join('')
      const isMail = typeof one === 'object' && one !== null && 'exchange' in one
      return String(isMail ? one.exchange : one)
    })
    const isFound = value === null || values.some((one) => bareValue(one) === bareValue(value))
    const tookMs = monotonicMs() - startMs
    return isFound ? { outcome: 'up', tookMs, why: '' } : { outcome: 'down', tookMs, why: 'value' }
  } catch (error) {
    // Whether this machine's own name server works says nothing about others.
    return /^(ENOTFOUND|ENODATA)$/.test(codeOf(error)) ? failure(error) : refusal('network')
  }
}

/**
 * [L8] Dials the addresses that were judged, whatever the name means by now.
 * @param {Assignment['target']} target @param {readonly string[]} addresses @param {number} timeoutMs
 * @returns {Promise<Outcome>}
 */
export function probe(target, addresses, timeoutMs) {
  const { kind, host, port, url, days } = target
  const known = addresses.map((address) => ({ address, family: net.isIP(address) }))
  /** @type {net.LookupFunction} */
  const lookup = (_, { all }, callback) => {
    const [{ address, family } = { address: '', family: 0 }] = known
    if (all) callback(null, known)
    else callback(null, address, family)
  }
  const how = { ...anyAddress, host, port, lookup }
  const startMs = monotonicMs()
  return new Promise((resolve) => {
    /** @type {{ destroy: (error?: Error) => unknown }} */
    let running = { destroy: () => undefined }
    /** @param {Outcome} outcome */
    const end = (outcome) => {
      clearTimeout(limit)
      resolve(outcome)
      running.destroy()
    }
    const limit = setTimeout(() => end(failure(tooLate())), timeoutMs)
    /** @param {string} [why] why it is not well */
    const answered = (why = '') =>
      end({ outcome: why === '' ? 'up' : 'down', tookMs: monotonicMs() - startMs, why })
    /** @param {unknown} error */
    const failed = (error) => end(failure(error))
    if (url !== undefined) {
      const clean = new URL(url.pathname + url.search, url.origin)
      const request = (clean.protocol === 'https:' ? https : http).get(clean, {
        ...anyAddress,
        lookup,
        agent: false,
        maxHeaderSize: 32 * 1024,
        headers: { 'user-agent': 'Astropelago', accept: '*/*', 'accept-encoding': 'identity' },
      })
      running = request
      request.on('error', failed)
      request.on('response', (response) => judgeAnswer(response, target, answered))
    } else if (kind === 'tcp') {
      const socket = net.connect(how)
      running = socket
      socket.on('error', failed)
      socket.on('connect', () => answered())
    } else {
      const servername = net.isIP(host) === 0 ? host : undefined
      const socket = tls.connect({ ...how, servername })
      running = socket
      socket.on('error', failed)
      socket.on('secureConnect', () => {
        const leftMs = Date.parse(socket.getPeerCertificate().valid_to) - Date.now()
        answered(leftMs >= days * dayMs ? '' : 'ends soon')
      })
    }
  })
}

/**
 * @param {http.IncomingMessage} response @param {Assignment['target']} target
 * @param {(why?: string) => void} answered
 */
function judgeAnswer(response, { statuses, text, followsRedirects }, answered) {
  const status = response.statusCode || 0
  // A redirect is an answer, and it leads to what nobody has proven.
  if (followsRedirects && [301, 302, 303, 307, 308].includes(status)) return answered()
  const isWanted = statuses.split(',').some((range) => {
    const [least = 0, most = least] = range.split('-').map(Number)
    return status >= least && status <= most
  })
  if (!isWanted) return answered(`status ${status}`)
  if (text === null) return answered()
  let bytes = noBytes
  /** @returns {void} */
  const judge = () => answered(bytes.toString().includes(text) ? '' : 'text')
  response.on('data', (/** @type {Buffer} */ part) => {
    bytes = Buffer.concat([bytes, part]).subarray(0, answerMaxBytes)
    if (bytes.length >= answerMaxBytes || bytes.includes(text)) judge()
  })
  response.on('end', judge)
  return response.on('error', judge)
}

// ---------------------------------------------------------------------------------------------------------------
// --check, and the start

/**
 * Reports for each requirement whether it is met.
 * @param {Options} options
 */
async function check(options) {
  const { server, to, folder, isListing, tcp, tokenFile, island, hostHeader } = options
  let isAllWell = true
  /** @param {string} name @param {string | undefined} trouble */
  const tell = (name, trouble) => {
    say(trouble === undefined ? `works: ${name}` : `FAILS: ${name}: ${trouble}`)
    isAllWell = isAllWell && trouble === undefined
  }
  const found = readToken(tokenFile)
  const token = 'trouble' in found ? undefined : found.token
  if ('trouble' in found) tell('the token', found.trouble)
  else tell(`the token in ${tokenFile}`, undefined)
  if (process.getuid === undefined)
    say('on Windows, this does not check who else can read that file')
  const about = await ask(new URL('/api/relay/agent', server))
  const isServer = about.status === 200 && about.text.includes('"sha256"')
  const strange = isServer
    ? undefined
    : `it is not an Astropelago server with a relay (${about.status})`
  tell(`the server ${server.origin}`, about.trouble || strange)
  if (isServer && token !== undefined) {
    // Without an upgrade, the server answers whether it would accept one.
    const headers = {
      authorization: `Bearer ${token}`,
      ...(island === undefined ? {} : { 'astropelago-island': island }),
    }
    const answer = await ask(new URL('/api/relay/connect', server), headers)
    const { status, carried } = answer
    const said = saidIn(answer.text)
    const isLetIn = said !== undefined && said.code === 'upgrade_required'
    tell(
      `connecting with this token${carried === '' ? '' : `, for the visitors of ${carried}`}`,
      isLetIn ? undefined : said ? said.sentence : `the server answers ${status}`,
    )
    if (isLetIn) await checkLink(options, token, tell)
  }
  if (isServer && !about.text.includes(ownHash)) {
    say(`the server has another version of this agent: ${server.origin}/agent.mjs`)
  }
  if (to !== undefined) {
    const as = hostHeader === undefined ? '' : `, as ${hostHeader}`
    const { status, trouble } = await ask(to, hostHeader === undefined ? {} : { host: hostHeader })
    const answered = trouble === undefined ? `, which answers ${status}` : ''
    tell(`the service ${to.origin}${as}${answered}`, trouble)
  }
  if (folder !== undefined) {
    tell(`the folder ${folder}${isListing ? ', with lists of its files' : ''}`, troubleIn(folder))
  }
  if (tcp !== undefined) tell(`TCP at ${tcp.host}:${tcp.port}`, await troubleAt(tcp))
  return isAllWell
}

/** For a proxy in front of the server, where its operator finds the setting. */
const settings = {
  upgrade:
    'In nginx, set proxy_http_version 1.1, proxy_set_header Upgrade $http_upgrade and proxy_set_header Connection "upgrade" for /api/relay/connect. Caddy passes upgrades by itself. Cloudflare passes WebSockets alone, if they are on under Network.',
  buffer:
    'In nginx, set proxy_buffering off and proxy_request_buffering off for /api/relay/connect. Caddy and Cloudflare pass on at once what has been upgraded: look for another proxy or a virus scanner in between.',
  timeout:
    'In nginx, set proxy_read_timeout and proxy_send_timeout to at least 60s for /api/relay/connect. In Caddy, remove stream_timeout, and set stream_close_delay if it happens when Caddy reloads. Cloudflare ends only what is idle for 100 s.',
}

/**
 * Opens a connection that carries nothing, and watches what a proxy in front of the server does to it.
 * @param {Options} options @param {string} token @param {(name: string, trouble: string | undefined) => void} tell
 * @returns {Promise<void>}
 */
async function checkLink(options, token, tell) {
  const name = 'the connection that carries visitors'
  const link = await dial(options, token, crypto.randomUUID())
  if (link.kind !== 'open') {
    const isBlocked = link.kind === 'failed' && link.isBlocked
    return tell(name, isBlocked ? `${link.why}. ${settings.upgrade}` : link.why)
  }
  if (link.isWebSocket) {
    say(
      `a proxy in front of the server passes only WebSockets, which works too. ${settings.upgrade}`,
    )
  }
  const startMs = Date.now()
  const openS = () => Math.round(Math.min(Date.now() - startMs, watchMs) / 1000)
  const mark = crypto.randomBytes(8)
  let seconds = 0
  const progress = setInterval(() => {
    seconds += echoMs / 1000
    // Both timers may be due at once. The verdict says the rest.
    if (seconds * 1000 >= watchMs) return
    process.stderr.write(`the connection has been open for ${seconds} s\n`)
  }, echoMs)
  const held = `Something in front of the server holds back small pieces of data. ${settings.buffer}`
  const trouble = await new Promise((resolve) => {
    const late = setTimeout(() => resolve(held), echoMs)
    const hear = (/** @type {number} */ type, /** @type {Buffer} */ payload) => {
      if (type === types.pong && payload.equals(mark)) clearTimeout(late)
      // A server that stops ends the check, too.
      if (type === types.away) resolve(undefined)
    }
    const session = new Session(link, {}, hear, (why) => {
      const lost = `The connection was lost after ${openS()} s: ${why}. ${settings.timeout}`
      resolve(why.includes('silent') ? held : lost)
    })
    session.send(types.ping, 0, mark)
    setTimeout(() => resolve(undefined), watchMs)
  })
  clearInterval(progress)
  link.socket.destroy()
  return tell(trouble === undefined ? `${name}, which stayed open for ${openS()} s` : name, trouble)
}

/**
 * @param {URL} url @param {Record<string, string>} [headers]
 * @returns {Promise<{
 *   readonly status: number, readonly text: string, readonly carried: string, readonly trouble?: string,
 * }>}
 */
function ask(url, headers = {}) {
  return new Promise((resolve) => {
    const { client, fresh: agent } = clientFor(url)
    const request = client.get(url, { agent, headers })
    const limit = setTimeout(() => request.destroy(tooLate()), serviceConnectMs)
    request.on('close', () => clearTimeout(limit))
    request.on('error', (error) =>
      resolve({ status: 0, text: '', carried: '', trouble: reasonOf(error) }),
    )
    request.on('response', (response) => {
      const carried = String(response.headers['astropelago-island'] || '')
      readText(response, (text) => resolve({ status: response.statusCode || 0, text, carried }))
    })
  })
}

/** @param {string} folder */
function troubleIn(folder) {
  try {
    fs.readdirSync(folder)
    return undefined
  } catch (error) {
    return reasonOf(error)
  }
}

/** @param {NonNullable<Options['tcp']>} target @returns {Promise<string | undefined>} */
function troubleAt(target) {
  return new Promise((resolve) => {
    const socket = net.connect({ ...target, ...anyAddress, timeout: serviceConnectMs })
    socket.on('timeout', () => socket.destroy(tooLate()))
    socket.on('error', (error) => resolve(reasonOf(error)))
    socket.on('connect', () => socket.destroy())
    socket.on('close', () => resolve(undefined))
  })
}

async function main() {
  if (Number(process.versions.node.split('.')[0]) < 18 || util.parseArgs === undefined) {
    process.stderr.write(
      `This needs Node.js 18 or newer, but this is ${process.version}. On Debian 12, Ubuntu 24.04, Raspberry Pi OS 12 and newer: sudo apt install nodejs\n`,
    )
    process.exit(exitForGood)
  }
  // If the reader of the log goes away, visitors stay.
  process.stdout.on('error', () => undefined)
  const options = readOptions()
  const { server, to, folder, tcp } = options
  if (options.isCheck) process.exit((await check(options)) ? 0 : 1)
  if (server.protocol === 'http:' && !isLoopback(server.hostname)) {
    say(
      `not encrypted: anybody between here and ${server.origin} can read the token and the visitors' traffic`,
    )
  }
  const isTls = to !== undefined && to.protocol === 'https:'
  const services = {
    http:
      folder === undefined
        ? to &&
          new Service(to.origin, { host: withoutBrackets(to.hostname), port: portOf(to) }, isTls)
        : new Folder(folder, options),
    tcp: tcp && new Service(`TCP at ${tcp.host}:${tcp.port}`, tcp),
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  const carries = services.http !== undefined || services.tcp !== undefined
  await Promise.all([
    carries ? stayConnected(options, services) : undefined,
    options.isLending ? stayConnected(options, {}, new Lender(options)) : undefined,
  ])
}

// A test imports this file, for its rules.
const [, program = ''] = process.argv
if (program !== '' && fs.realpathSync(program) === fileURLToPath(import.meta.url)) void main()
