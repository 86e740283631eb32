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
import crypto from 'node:crypto'
import events from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import util from 'node:util'

const version = '0.1.0'

const usage = `The Astropelago agent ${version}

  node agent.mjs --server URL --to URL       carries visitors to a service, such as http://localhost:8080
  node agent.mjs --server URL --folder PATH  serves a folder

  --server URL        the Astropelago server
  --to URL            the service at home, http or https
  --folder PATH       a folder to serve instead
  --list              list a folder's files if it has no index.html
  --tcp HOST:PORT     the service behind the island's own port, such as localhost:25565
  --token-file PATH   the token, in a file that only you can read (~/.config/astropelago/relay-token)
  --island NAME       carry only this island of the device, by its slug or id
  --host-header NAME  the Host header for the service, instead of the island's
  --check             check whether it would work, and exit
  --version, --help
`

// ---------------------------------------------------------------------------------------------------------------
// Limits and times

const windowBytes = 2 ** 20
const sessionWindowBytes = 16 * 2 ** 20
const headersMaxBytes = 64 * 1024
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
/**
 * Delay before the next session if visitors filled one up within this time. The server accepts 120 connections of a
 * token a minute.
 */
const fullMs = 1000
const retryAfterMaxMs = 300_000
/** Retry delay of a device that carries no island yet. */
const islandMs = 60_000
const serviceConnectMs = 10_000
/** A little less than the server waits, so that it learns the reason. */
const serviceAnswerMs = 55_000
/** Shorter than the time for which services keep idle connections, so that few requests go out on a closing one. */
const serviceIdleMs = 4000
/** Interim responses (1xx) past this are dropped. */
const interimMax = 16

const { NGHTTP2_FLAG_END_STREAM, NGHTTP2_NO_ERROR } = http2.constants

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
  ['ERR_HTTP2_SESSION_ERROR', 'the other end ended the connection'],
  ['ERR_HTTP2_ERROR', 'the other end broke the protocol'],
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
  if (to === undefined && folder === undefined && tcp === undefined) {
    return misused('Say what to carry: --to, --folder or --tcp.')
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
    to: to === undefined ? undefined : readUrl('--to', to),
    folder: folder === undefined ? undefined : path.resolve(folder),
    isListing: values.list === true,
    tcp: tcp === undefined ? undefined : readHostAndPort(tcp),
    tokenFile: path.resolve(
      values['token-file'] || `${os.homedir()}/.config/astropelago/relay-token`,
    ),
    island,
    hostHeader,
    isCheck: values.check === true,
  }
}

function parseOptions() {
  const text = /** @type {const} */ ({ type: 'string' })
  const flag = /** @type {const} */ ({ type: 'boolean' })
  const service = { to: text, folder: text, list: flag, tcp: text, 'host-header': text }
  const connection = { server: text, 'token-file': text, island: text }
  const instead = { check: flag, version: flag, help: flag }
  try {
    return util.parseArgs({ options: { ...service, ...connection, ...instead } }).values
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
  if (host === '' || Number(port) > 65_535 || Number(port) === 0) {
    return misused(`--tcp is a host and a port such as localhost:25565, not ${text}.`)
  }
  return { host: withoutBrackets(host), port: Number(port) }
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

/** @param {string} host */
function withoutBrackets(host) {
  return host.replace(/^\[(.*)\]$/, '$1')
}

/** @param {string} hostname */
function isLoopback(hostname) {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(hostname)
}

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
 * that --island names, because two agents on one machine may carry two islands. [A6]
 * @param {Options} options
 */
function readAgentId({ tokenFile, island }) {
  const file = `${tokenFile}-agent-id${island === undefined ? '' : `-${island.toLowerCase()}`}`
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

const protocols = { upgrade: 'astropelago-relay/1', webSocket: 'astropelago-relay.1' }

/** Answers of proxies that pass no upgrades except WebSockets. */
const blockedStatuses = new Set([200, 400, 404, 405, 426, 501])

/**
 * The result of a dial: a connection, a refusal by the server that is final, or a failure to retry after a delay.
 * @typedef {{
 *   readonly kind: 'open', readonly wire: net.Socket, readonly socket: net.Socket, readonly carried: string,
 * } | { readonly kind: 'refused', readonly why: string } | {
 *   readonly kind: 'failed', readonly why: string, readonly retryAfterMs: number, readonly isBlocked: boolean,
 * }} Dialled
 */

/** The method that worked last. */
let isWebSocketFirst = false

/**
 * [A2] Tries one method, then the other.
 * @param {Options} options @param {string} token @param {string} agentId
 */
async function dial(options, token, agentId) {
  const first = await dialBy(isWebSocketFirst, options, token, agentId)
  if (first.kind !== 'failed' || !first.isBlocked) return first
  const second = await dialBy(!isWebSocketFirst, options, token, agentId)
  if (second.kind === 'open') isWebSocketFirst = !isWebSocketFirst
  return second
}

/**
 * @param {boolean} isWebSocket
 * @param {Options} options
 * @param {string} token
 * @param {string} agentId
 * @returns {Promise<Dialled>}
 */
function dialBy(isWebSocket, { server, island, to }, token, agentId) {
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
        ...(island === undefined ? {} : { 'astropelago-island': island }),
        // Shown to the host when the service does not answer.
        ...(to === undefined ? {} : { 'astropelago-agent-service': to.origin }),
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
      socket.once('close', () => failed('the connection was cut'))
      const { headers } = response
      const isAgreed = isWebSocket
        ? headers['sec-websocket-accept'] === acceptOf(key) &&
          headers['sec-websocket-protocol'] === protocols.webSocket
        : headers.upgrade === protocols.upgrade
      if (!isAgreed) {
        socket.destroy()
        return failed('the server answers with another protocol', true)
      }
      socket.setNoDelay(true)
      const carried = String(headers['astropelago-island'] || '')
      /** @param {net.Socket} wire */
      const opened = (wire) => resolve({ kind: 'open', wire, socket, carried })
      // HTTP/2 runs only on a plain socket. [A8]
      if (isWebSocket || server.protocol === 'https:') {
        return bridge(socket, (near, wire) => {
          if (isWebSocket) passFrames(socket, head, near)
          else passBytes(socket, head, near)
          opened(wire)
        })
      }
      if (head.length > 0) socket.unshift(head)
      return opened(socket)
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
    if (text.length > headersMaxBytes) response.destroy()
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

/**
 * Makes a connection from this machine to itself. HTTP/2 runs on one end (`wire`), and the other (`near`) exchanges
 * its bytes with the server. Directly on upgraded TLS or on a custom stream, HTTP/2 can fail assertions of Node's when
 * it is cut during a write, and that ends the process (see docs/relay.md).
 * @param {net.Socket} socket
 * @param {(near: net.Socket, wire: net.Socket) => void} take
 */
function bridge(socket, take) {
  const server = net.createServer()
  server.on('error', () => socket.destroy())
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const near = net.connect(port, '127.0.0.1')
    near.on('error', () => socket.destroy())
    near.on('close', () => socket.destroySoon())
    socket.on('close', () => near.destroy())
    void Promise.all([events.once(near, 'connect'), events.once(server, 'connection')]).then(
      ([, [wire]]) => {
        server.close()
        wire.on('error', () => undefined)
        // Another process on this machine connected first.
        if (wire.remotePort !== near.localPort) return near.destroy()
        wire.setNoDelay(true)
        near.setNoDelay(true)
        return take(near, wire)
      },
      () => server.close(),
    )
  })
}

/** @param {net.Socket} socket @param {Buffer} head @param {net.Socket} near */
function passBytes(socket, head, near) {
  near.write(head)
  socket.pipe(near).pipe(socket)
}

// ---------------------------------------------------------------------------------------------------------------
// WebSocket framing (RFC 6455), for proxies that pass nothing else

const frames = { continuation: 0, binary: 2, close: 8, ping: 9, pong: 10 }

/**
 * Passes bytes on as they arrive. Message boundaries have no meaning.
 * @param {net.Socket} socket @param {Buffer} head @param {net.Socket} near
 */
function passFrames(socket, head, near) {
  /** @type {Buffer} */
  let rest = Buffer.alloc(0)
  /** Bytes of the current data frame that are still to come. */
  let payloadLeft = 0

  /** @param {Buffer} chunk */
  const take = (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (;;) {
      if (payloadLeft > 0) {
        if (rest.length === 0) return undefined
        const part = rest.subarray(0, payloadLeft)
        rest = rest.subarray(part.length)
        payloadLeft -= part.length
        if (!near.write(part)) socket.pause()
        continue
      }
      const frame = readFrameHeader(rest)
      if (frame === undefined) return undefined
      if (frame === 'wrong') return socket.destroy()
      const { opcode, start, length } = frame
      if (opcode === frames.continuation || opcode === frames.binary) {
        payloadLeft = length
        rest = rest.subarray(start)
        continue
      }
      if (rest.length < start + length) return undefined
      const payload = rest.subarray(start, start + length)
      rest = rest.subarray(start + length)
      if (opcode === frames.ping) socket.write(webSocketFrame(frames.pong, payload))
      if (opcode === frames.close) near.end()
    }
  }
  socket.on('data', take)
  near.on('drain', () => socket.resume())
  near.on('data', (/** @type {Buffer} */ chunk) => {
    if (!socket.write(webSocketFrame(frames.binary, chunk))) near.pause()
  })
  socket.on('drain', () => near.resume())
  near.on('end', () => socket.write(webSocketFrame(frames.close, Buffer.from([0x03, 0xe8]))))
  if (head.length > 0) take(head)
}

/**
 * Reads the frame header at the start of these bytes; undefined if it is incomplete.
 * @param {Buffer} bytes
 */
function readFrameHeader(bytes) {
  if (bytes.length < 2) return undefined
  const [first = 0, second = 0] = bytes
  const opcode = first & 0x0f
  const isControl = opcode >= frames.close
  const short = second & 0x7f
  if ((first & 0x70) !== 0 || (second & 0x80) !== 0) return 'wrong'
  if (!Object.values(frames).includes(opcode)) return 'wrong'
  if (isControl && (short > 125 || (first & 0x80) === 0)) return 'wrong'
  if (short < 126) return { opcode, start: 2, length: short }
  const start = short === 126 ? 4 : 10
  if (bytes.length < start) return undefined
  if (short === 126) return { opcode, start, length: bytes.readUInt16BE(2) }
  const length = bytes.readUInt32BE(2) * 2 ** 32 + bytes.readUInt32BE(6)
  return length > Number.MAX_SAFE_INTEGER ? 'wrong' : { opcode, start, length }
}

/** @param {number} opcode @param {Buffer} payload */
function webSocketFrame(opcode, payload) {
  const { length } = payload
  const start = length < 126 ? 2 : length < 2 ** 16 ? 4 : 10
  const frame = Buffer.allocUnsafe(start + 4 + length)
  frame[0] = 0x80 | opcode
  frame[1] = 0x80 | (start === 2 ? length : start === 4 ? 126 : 127)
  if (start === 4) frame.writeUInt16BE(length, 2)
  if (start === 10) {
    frame.writeUInt32BE(Math.floor(length / 2 ** 32), 2)
    frame.writeUInt32BE(length % 2 ** 32, 6)
  }
  crypto.randomFillSync(frame, start, 4)
  const to = start + 4
  const mask = [...frame.subarray(start, to)]
  for (let at = 0; at < length; at += 1) frame[to + at] = Number(payload[at]) ^ Number(mask[at & 3])
  return frame
}

// ---------------------------------------------------------------------------------------------------------------
// Staying connected

/** Serves the requests of all connections. It listens nowhere, because the agent dials them. */
const relayServer = http2.createServer({
  // In MB: all windows together, and everything that waits to be sent.
  maxSessionMemory: 512,
  maxHeaderListPairs: 2000,
  // Visitors may cancel at any rate. Older versions of Node lack these settings, and [A9] is for them.
  streamResetBurst: 1_000_000,
  streamResetRate: 1_000_000,
  settings: {
    enableConnectProtocol: true,
    initialWindowSize: windowBytes,
    maxConcurrentStreams: 1000,
    maxHeaderListSize: headersMaxBytes,
  },
})

/** Each session, with the socket to the server below it. @type {Map<http2.ServerHttp2Session, net.Socket>} */
const sessions = new Map()
let isEnding = false

/**
 * [A3] Dials, serves and dials again, until it is stopped or refused for good.
 * @param {Options} options
 */
async function stayConnected(options) {
  let agentId = readAgentId(options)
  let failures = 0
  for (;;) {
    if (isEnding) return undefined
    const found = readToken(options.tokenFile)
    if ('trouble' in found) return endForGood(found.trouble)
    say(`connecting to ${options.server.origin}`)
    const dialled = await dial(options, found.token, agentId)
    if (dialled.kind === 'refused') return endForGood(`refused: ${dialled.why}`)
    let retryAfterMs = 0
    if (dialled.kind === 'failed') {
      if (isEnding) return undefined
      say(`not connected: ${dialled.why}`)
      ;({ retryAfterMs } = dialled)
    } else {
      const startMs = Date.now()
      const end = await serveUntilEnd(dialled)
      if (isEnding) return undefined
      if (Date.now() - startMs >= steadyMs) failures = 0
      if (end.isTakenOver) agentId = crypto.randomUUID()
      say(end.isTakenOver ? 'another agent runs with this token file: both go on' : end.text)
      // Visitors can fill up sessions again and again, and must not lock others out by that.
      if (end.isFull) {
        if (Date.now() - startMs < fullMs) await pause(fullMs)
        continue
      }
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

/**
 * @typedef {{
 *   readonly text: string, readonly isAsked: boolean, readonly isFull: boolean, readonly isTakenOver: boolean,
 * }} SessionEnd
 */

/**
 * Serves the requests of one connection until it is lost or the server asks for a new one.
 * @param {Extract<Dialled, { kind: 'open' }>} dialled
 * @returns {Promise<SessionEnd>}
 */
function serveUntilEnd({ wire, socket, carried }) {
  return new Promise((resolve) => {
    /** @type {http2.ServerHttp2Session | undefined} */
    let begun
    relayServer.once('session', (session) => {
      begun = session
      session.setLocalWindowSize(sessionWindowBytes)
      sessions.set(session, socket)
      let why = 'the connection was cut'
      const stopWatching = watchSilence(socket, () => {
        why = `the server was silent for ${silenceMs / 1000} s`
        wire.destroy()
      })
      // The server has this agent's settings now, and sends visitors.
      session.once('localSettings', () =>
        say(carried === '' ? 'connected' : `connected as ${carried}`),
      )
      session.on('error', (error) => {
        why = reasonOf(error)
      })
      session.once('goaway', (code, _, data) => {
        if (code !== NGHTTP2_NO_ERROR) return
        const reason = data === undefined ? '' : Buffer.from(data).toString()
        // Node closes the session when all open streams have ended. [A5]
        const isFull = reason === 'full'
        const limit = isFull ? undefined : setTimeout(() => session.destroy(), takeOverMs)
        session.once('close', () => clearTimeout(limit))
        const isTakenOver = reason === 'taken over'
        const text = 'the server asks this agent to reconnect'
        resolve({ text, isAsked: true, isFull, isTakenOver })
      })
      session.once('close', () => {
        stopWatching()
        sessions.delete(session)
        wire.destroy()
        const text = `connection lost: ${why}`
        resolve({ text, isAsked: false, isFull: false, isTakenOver: false })
      })
    })
    // Node hands a new session the bytes that arrived earlier one tick after making it, and throws if the session has
    // ended by then. This callback runs one tick before.
    process.nextTick(() => {
      if (begun !== undefined && begun.destroyed) wire.read()
    })
    relayServer.emit('connection', wire)
  })
}

/**
 * [A4] Uses the wall clock and not a monotonic one, so that it detects silence at once after the machine slept.
 * @param {net.Socket} socket @param {() => void} onSilence
 */
function watchSilence(socket, onSilence) {
  let seenBytes = socket.bytesRead
  let checkedMs = Date.now()
  let heardMs = checkedMs
  const timer = setInterval(() => {
    if (socket.bytesRead !== seenBytes) {
      seenBytes = socket.bytesRead
      // Not later, because the machine may have slept since.
      heardMs = checkedMs
    } else if (Date.now() - heardMs >= silenceMs) {
      onSilence()
    }
    checkedMs = Date.now()
  }, 1000)
  return () => clearInterval(timer)
}

/** Takes no more requests, lets open ones end, and exits. */
function stop() {
  if (isEnding) process.exit(0)
  isEnding = true
  say('stopping')
  setTimeout(() => process.exit(0), stopMs)
  const left = [...sessions].map(([session, socket]) => {
    session.close()
    return new Promise((resolve) => socket.once('close', resolve))
  })
  void Promise.all(left).then(() => process.exit(0))
}

// ---------------------------------------------------------------------------------------------------------------
// Requests for a service

/** @typedef {'refused' | 'timeout' | 'reset' | 'bad-answer' | 'no-tcp'} Trouble */
/** @typedef {http2.ServerHttp2Stream} Stream */
/** @typedef {http2.IncomingHttpHeaders} Headers */

/** [A16] Only this agent may send it. */
const troubleHeader = 'astropelago-relay-error'

/** Headers of a connection, not of the messages on it (RFC 9110, 7.6.1). */
const hopHeaders = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])

/** @param {unknown} error @returns {Trouble} */
function troubleOf(error) {
  const code = codeOf(error)
  if (code === 'ETIMEDOUT') return 'timeout'
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EACCES)$/.test(code))
    return 'refused'
  return code.startsWith('HPE_') ? 'bad-answer' : 'reset'
}

/**
 * [A14] Tells the server what went wrong, or cuts an answer that has begun, because half an answer must never look
 * whole. `close` would first end the body properly, so this destroys the stream.
 * @param {Stream} stream @param {Trouble} trouble
 */
function fail(stream, trouble) {
  if (stream.destroyed || stream.closed) return
  if (stream.headersSent) {
    stream.destroy(new Error('cut'))
    return
  }
  const status = trouble === 'timeout' ? 504 : 502
  stream.respond({ ':status': status, [troubleHeader]: trouble }, { endStream: true })
  leaveUnread(stream)
}

/** Emitted by a stream when its trailers are sent, which may be a turn after `wantTrailers`. */
const trailersSent = 'astropelago:trailers-sent'

/**
 * Stops reading the request once the answer is sent.
 * @param {Stream} stream @param {boolean} [endsInTrailers]
 */
function leaveUnread(stream, endsInTrailers = false) {
  if (stream.endAfterHeaders) return
  // Not in the same turn, where the reset would overtake the answer.
  const leave = () =>
    setImmediate(() => {
      if (!stream.readableEnded && !stream.destroyed) stream.close(NGHTTP2_NO_ERROR)
    })
  const isOut = endsInTrailers ? stream.sentTrailers !== undefined : stream.writableFinished
  if (isOut) leave()
  else stream.once(endsInTrailers ? trailersSent : 'finish', leave)
}

/** The service behind --to. */
class Service {
  /** @param {URL} url @param {string | undefined} hostHeader */
  constructor(url, hostHeader) {
    this.url = url
    this.hostHeader = hostHeader
    const { client, kind, fresh } = clientFor(url)
    this.client = client
    this.fresh = fresh
    this.kept = new client.Agent({ ...kind, keepAlive: true, timeout: serviceIdleMs })
    /** @type {boolean | undefined} */
    this.isAnswering = undefined
  }

  /**
   * Logs each change of state, and nothing if the service has always answered.
   * @param {boolean} isAnswering @param {string} how
   */
  note(isAnswering, how) {
    if (this.isAnswering === isAnswering) return
    if (this.isAnswering !== undefined || !isAnswering) say(`${this.url.origin} ${how}`)
    this.isAnswering = isAnswering
  }

  /** @param {Stream} stream @param {Headers} asked @param {number} flags */
  pass(stream, asked, flags) {
    const isWebSocket = asked[':method'] === 'CONNECT'
    const method = isWebSocket ? 'GET' : String(asked[':method'])
    const hasBody = !isWebSocket && (flags & NGHTTP2_FLAG_END_STREAM) === 0
    const isChunked = hasBody && asked['content-length'] === undefined
    const key = isWebSocket ? crypto.randomBytes(16).toString('base64') : ''
    const headers = this.headersFor(asked)
    // Over HTTP/2, a WebSocket has no key, and a body without a length is not chunked. [A11] [A17]
    if (isWebSocket) {
      headers.push('connection', 'Upgrade', 'upgrade', 'websocket', 'sec-websocket-key', key)
    }
    if (isChunked) headers.push('transfer-encoding', 'chunked')

    /** @param {http.Agent} agent */
    const attempt = (agent) => {
      const request = this.open({ agent, method, path: String(asked[':path']), headers })
      if (request === undefined) return sendText(stream, asked, 400, 'Bad request')
      /** @type {http.IncomingMessage | undefined} */
      let response
      const stopWaiting = watchProgress(request)
      const cut = () => request.destroy()
      stream.once('close', cut)
      request.on('information', (interim) => passInterim(stream, interim))
      request.on('response', (found) => {
        response = found
        stopWaiting()
        this.note(true, 'answers again')
        passAnswer(stream, asked, found, this.answerHeaders(found, asked))
      })
      request.on('upgrade', (found, socket, head) => {
        response = found
        stopWaiting()
        socket.on('error', () => undefined)
        const isAgreed = isWebSocket && found.headers['sec-websocket-accept'] === acceptOf(key)
        const answer = isAgreed && !stream.destroyed && this.answerHeaders(found, asked, 200)
        if (!answer || !isTaken(() => stream.respond(answer))) {
          socket.destroy()
          return fail(stream, 'bad-answer')
        }
        this.note(true, 'answers again')
        if (head.length > 0) stream.write(head)
        return joinBytes(stream, socket)
      })
      request.on('error', (error) => {
        // Once an answer has begun, the answer reports its own failure.
        if (response !== undefined || stream.destroyed) return undefined
        if (agent === this.kept && request.reusedSocket && codeOf(error) === 'ECONNRESET') {
          return attempt(this.fresh)
        }
        const trouble = troubleOf(error)
        if (trouble === 'refused') this.note(false, `can't be reached: ${reasonOf(error)}`)
        if (trouble === 'timeout') this.note(false, 'does not answer in time')
        return fail(stream, trouble)
      })
      request.on('close', () => {
        stopWaiting()
        stream.off('close', cut)
        if (hasBody && response !== undefined && response.complete) {
          leaveUnread(stream, hasTrailers(response))
        }
      })
      if (hasBody) return passBody(stream, request, isChunked)
      return request.end()
    }
    // A kept connection may close just as a request is sent on it, so only repeatable requests use one.
    const isRepeatable = !hasBody && !isWebSocket && /^(GET|HEAD|OPTIONS)$/.test(method)
    attempt(isRepeatable ? this.kept : this.fresh)
  }

  /**
   * @param {{ agent: http.Agent, method: string, path: string, headers: string[] }} how
   * @returns {http.ClientRequest | undefined} undefined if HTTP/1.1 can't carry the request
   */
  open({ agent, method, path: asked, headers }) {
    /** @type {http.ClientRequest} */
    let request
    try {
      request = this.client.request({
        agent,
        method,
        host: withoutBrackets(this.url.hostname),
        port: portOf(this.url),
        path: asked,
        headers,
        maxHeaderSize: headersMaxBytes,
      })
    } catch {
      return undefined
    }
    // The headers' size is the limit. Above a count, Node would silently drop the rest.
    request.maxHeadersCount = 0
    const limit = setTimeout(() => request.destroy(tooLate()), serviceConnectMs)
    const stopWaiting = () => clearTimeout(limit)
    request.once('close', stopWaiting)
    request.once('socket', (socket) => {
      // On a kept connection, listeners would pile up.
      if (!socket.connecting) return stopWaiting()
      return socket.once(this.url.protocol === 'https:' ? 'secureConnect' : 'connect', stopWaiting)
    })
    return request
  }

  /**
   * [A10] The visitor's headers as the service gets them, each name followed by its value.
   * @param {Headers} asked
   */
  headersFor(asked) {
    const list = ['host', this.hostHeader || String(asked[':authority'])]
    for (const name of Object.keys(asked)) {
      const isOurs = name.startsWith(':') || name === 'host' || hopHeaders.has(name)
      if (!isOurs) list.push(name, String(asked[name]))
    }
    return list
  }

  /**
   * [A12] The service's headers as the visitor gets them; undefined if they can't be passed on.
   * @param {http.IncomingMessage} response @param {Headers} asked @param {number} [status]
   */
  answerHeaders(response, asked, status = response.statusCode || 0) {
    if (status < 200 || status > 599) return undefined
    const headers = endToEnd(response.headers)
    const { location } = response.headers
    if (location !== undefined) headers['location'] = this.visitorsLocation(location, asked)
    // HTTP/1.1 ignores a length here, but HTTP/2 ends the stream if the body does not match it.
    if (status === 204 || response.statusCode === 101) delete headers['content-length']
    delete headers['sec-websocket-accept']
    headers[':status'] = status
    let bytes = 0
    for (const [name, values] of Object.entries(headers)) {
      for (const value of [values].flat()) bytes += name.length + String(value).length + 32
    }
    return bytes > headersMaxBytes ? undefined : headers
  }

  /**
   * [A13] Rewrites an address of the service itself to the island's.
   * @param {string} location @param {Headers} asked
   */
  visitorsLocation(location, asked) {
    const { url: own, hostHeader } = this
    const { ':scheme': scheme, ':authority': authority } = asked
    const url = urlOf(location.startsWith('//') ? own.protocol + location : location)
    if (url === undefined || !/^https?:$/.test(url.protocol)) return location
    // A service on another machine may name itself `localhost`, whatever name it was asked by.
    const isItsOwn = portOf(url) === portOf(own) && isLoopback(url.hostname)
    const isService =
      url.host === own.host ||
      isItsOwn ||
      (hostHeader !== undefined && [url.host, url.hostname].includes(hostHeader))
    // The service does not know about TLS, which ends at the server.
    const isPlain = url.protocol === 'http:' && scheme === 'https' && url.host === authority
    if (!isService && !isPlain) return location
    return `${scheme}://${authority}${url.pathname}${url.search}${url.hash}`
  }
}

function tooLate() {
  return Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })
}

/** @param {URL} url */
function portOf(url) {
  return url.port || (url.protocol === 'https:' ? '443' : '80')
}

/**
 * Ends a request if no answer comes and its body makes no progress either.
 * @param {http.ClientRequest} request
 */
function watchProgress(request) {
  let sentBytes = 0
  let movedMs = performance.now()
  const timer = setInterval(() => {
    const bytes = request.socket ? request.socket.bytesWritten : 0
    if (bytes !== sentBytes) movedMs = performance.now()
    else if (performance.now() - movedMs >= serviceAnswerMs) request.destroy(tooLate())
    sentBytes = bytes
  }, 1000)
  return () => clearInterval(timer)
}

/**
 * @param {Stream} stream
 * @param {{ readonly statusCode: number, readonly headers: http.IncomingHttpHeaders }} interim
 */
function passInterim(stream, { statusCode, headers }) {
  if (stream.destroyed || stream.headersSent || (stream.sentInfoHeaders || []).length >= interimMax)
    return
  isTaken(() => stream.additionalHeaders({ ...endToEnd(headers), ':status': statusCode }))
}

/** @param {Stream} stream @param {http.ClientRequest} request @param {boolean} isChunked */
function passBody(stream, request, isChunked) {
  /** @type {http.IncomingHttpHeaders} */
  let trailers = {}
  stream.on('trailers', (found) => {
    trailers = found
  })
  request.flushHeaders()
  stream.pipe(request, { end: false })
  stream.on('end', () => {
    // The stream also ends when the visitor leaves. Then the body must not look complete to the service.
    if (stream.aborted || stream.rstCode) return request.destroy()
    if (isChunked) request.addTrailers(endToEnd(trailers))
    return request.end()
  })
}

/**
 * @param {Stream} stream
 * @param {Headers} asked
 * @param {http.IncomingMessage} response
 * @param {http2.OutgoingHttpHeaders | undefined} headers undefined if the answer can't be passed on
 */
function passAnswer(stream, asked, response, headers) {
  response.on('error', () => undefined)
  if (stream.destroyed || stream.closed) return response.destroy()
  const hasNoBody =
    asked[':method'] === 'HEAD' || [204, 205, 304].includes(response.statusCode || 0)
  const waitForTrailers = !hasNoBody && hasTrailers(response)
  const isSent =
    headers !== undefined &&
    isTaken(() => stream.respond(headers, { endStream: hasNoBody, waitForTrailers }))
  if (!isSent) {
    fail(stream, 'bad-answer')
    return response.destroy()
  }
  const sendTrailers = () => {
    if (isTaken(() => stream.sendTrailers(endToEnd(response.trailers)))) stream.emit(trailersSent)
    else fail(stream, 'bad-answer')
  }
  // If the session is closing, Node 18.20 never sends trailers that it gets in the same turn.
  stream.on('wantTrailers', () => {
    const { session } = stream
    if (session !== undefined && !session.closed) sendTrailers()
    else setImmediate(sendTrailers)
  })
  if (hasNoBody) response.resume()
  else response.pipe(stream)
  return response.on('close', () => {
    if (!response.complete) fail(stream, 'reset')
  })
}

/**
 * Trailers are known only at the end, so expect them for any answer without a length.
 * @param {http.IncomingMessage} response
 */
function hasTrailers(response) {
  return response.headers['transfer-encoding'] !== undefined
}

/**
 * Whether Node accepts these headers for HTTP/2. It throws if it does not.
 * @param {() => void} send
 */
function isTaken(send) {
  try {
    send()
    return true
  } catch {
    return false
  }
}

/** @param {http.IncomingHttpHeaders} headers @returns {http2.OutgoingHttpHeaders} */
function endToEnd(headers) {
  const named = (headers.connection || '').toLowerCase().split(/[\s,]+/)
  /** @type {http2.OutgoingHttpHeaders} */
  const kept = {}
  for (const name of Object.keys(headers)) {
    const isOurs = hopHeaders.has(name) || name === 'te' || name.startsWith('astropelago-relay-')
    if (!isOurs && !named.includes(name)) kept[name] = headers[name]
  }
  return kept
}

// ---------------------------------------------------------------------------------------------------------------
// Plain bytes: WebSockets once they are open, and TCP

/** @param {Stream} stream @param {net.Socket} socket */
function joinBytes(stream, socket) {
  stream.pipe(socket)
  socket.pipe(stream)
  socket.on('close', () => {
    if (!socket.readableEnded) fail(stream, 'reset')
  })
  stream.on('close', () => {
    if (stream.rstCode !== NGHTTP2_NO_ERROR) return socket.destroy()
    // The visitor's last bytes may still be on their way to the service.
    socket.setTimeout(stopMs, () => socket.destroy())
    return socket.end()
  })
}

/**
 * [A18]
 * @param {Stream} stream @param {Options['tcp']} target
 */
function passTcp(stream, target) {
  if (target === undefined) return fail(stream, 'no-tcp')
  const socket = net.connect({ ...target, ...anyAddress, allowHalfOpen: true, noDelay: true })
  const limit = setTimeout(() => socket.destroy(tooLate()), serviceConnectMs)
  const leave = () => socket.destroy()
  stream.once('close', leave)
  socket.once('close', () => clearTimeout(limit))
  socket.on('error', (error) => fail(stream, troubleOf(error)))
  return socket.once('connect', () => {
    clearTimeout(limit)
    stream.off('close', leave)
    if (stream.destroyed || stream.closed) return leave()
    stream.respond({ ':status': 200 })
    return joinBytes(stream, socket)
  })
}

// ---------------------------------------------------------------------------------------------------------------
// A folder

/** By kind: the types, each with its file extensions if they differ from its name. */
const typeTable = `
application gzip=gz json=json,map manifest+json=webmanifest pdf wasm xml zip
audio aac flac mp4=m4a mpeg=mp3 ogg=oga,ogg,opus wav
font otf ttf woff woff2
image avif bmp gif jpeg=jpeg,jpg png svg+xml=svg webp x-icon=ico
text calendar=ics css csv html=htm,html javascript=js,mjs markdown=md plain=txt vtt
video mp4=m4v,mp4 ogg=ogv quicktime=mov webm`

/** @type {Map<string, string>} */
const types = new Map()
for (const line of typeTable.trim().split('\n')) {
  const [kind = '', ...known] = line.split(' ')
  for (const [name = '', endings = name] of known.map((entry) => entry.split('='))) {
    const isText = kind === 'text' || /json$|xml$/.test(name)
    const type = `${kind}/${name}${isText ? '; charset=utf-8' : ''}`
    for (const ending of endings.split(',')) types.set(`.${ending}`, type)
  }
}

/** The folder behind --folder. [A19] */
class Folder {
  /** @param {string} folder @param {Pick<Options, 'isListing' | 'tokenFile'>} options */
  constructor(folder, { isListing, tokenFile }) {
    this.folder = folder
    this.isListing = isListing
    this.tokenFile = tokenFile
  }

  /** @param {Stream} stream @param {Headers} headers */
  async pass(stream, headers) {
    try {
      await this.answer(stream, headers)
    } catch (error) {
      if (stream.destroyed) return
      if (stream.headersSent) return fail(stream, 'reset')
      say(`${headers[':path']} can't be read: ${reasonOf(error)}`)
      sendText(stream, headers, 500, 'This can’t be read right now.')
    }
    return undefined
  }

  /** @param {Stream} stream @param {Headers} headers */
  async answer(stream, headers) {
    if (headers[':method'] !== 'GET' && headers[':method'] !== 'HEAD') {
      return sendText(stream, headers, 405, 'Files here can only be read.', { allow: 'GET, HEAD' })
    }
    const [, asked = '', query = ''] = /^([^?]*)(.*)$/s.exec(String(headers[':path'])) || []
    const names = namesIn(asked)
    const found = names && (await this.find(names))
    if (names === undefined || found === undefined) return sendNotFound(stream, headers)
    const isFolderAsked = asked.endsWith('/')
    if (found.isFile)
      return isFolderAsked ? sendNotFound(stream, headers) : sendFile(stream, headers, found.file)
    if (!isFolderAsked) {
      return sendText(stream, headers, 301, 'It is at another address.', {
        location: `${asked}/${query}`,
      })
    }
    const index = await this.find([...names, 'index.html'])
    if (index !== undefined && index.isFile) return sendFile(stream, headers, index.file)
    if (!this.isListing) return sendNotFound(stream, headers)
    return sendText(stream, headers, 200, await this.list(names, found.file), {
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

/** @param {Stream} stream @param {Headers} headers */
function sendNotFound(stream, headers) {
  sendText(stream, headers, 404, 'Not found')
}

/**
 * @param {Stream} stream
 * @param {Headers} headers
 * @param {number} status
 * @param {string} text
 * @param {http2.OutgoingHttpHeaders} [more]
 */
function sendText(stream, headers, status, text, more) {
  if (stream.destroyed || stream.closed) return
  const body = Buffer.from(text)
  const endStream = headers[':method'] === 'HEAD'
  stream.respond(
    {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': body.length,
      'x-content-type-options': 'nosniff',
      ...more,
      ':status': status,
    },
    { endStream },
  )
  if (!endStream) stream.end(body)
  leaveUnread(stream)
}

/** @param {Stream} stream @param {Headers} headers @param {string} file */
async function sendFile(stream, headers, file) {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants
  const handle = await fs.promises.open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  let isReading = false
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) return sendNotFound(stream, headers)
    const { size, mtime } = stats
    const etag = `"${size.toString(16)}-${Math.floor(stats.mtimeMs * 1000).toString(16)}"`
    const about = {
      etag,
      'last-modified': mtime.toUTCString(),
      'cache-control': 'no-cache',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
    }
    if (stream.destroyed || stream.closed) return undefined
    if (isUnchanged(headers, etag, mtime)) {
      return stream.respond({ ...about, ':status': 304 }, { endStream: true })
    }
    const range = rangeIn(headers, size, etag, mtime)
    if (range === 'none') {
      return sendText(stream, headers, 416, 'No such range', { 'content-range': `bytes */${size}` })
    }
    const { start, end } = range === undefined ? { start: 0, end: size - 1 } : range
    const length = end - start + 1
    const endStream = headers[':method'] === 'HEAD' || length === 0
    stream.respond(
      {
        ...about,
        'content-type': types.get(path.extname(file).toLowerCase()) || 'application/octet-stream',
        'content-length': length,
        ...(range === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
        ':status': range === undefined ? 200 : 206,
      },
      { endStream },
    )
    leaveUnread(stream)
    if (endStream) return undefined
    isReading = true
    return sendBytes(stream, handle.createReadStream({ start, end }), length)
  } finally {
    if (!isReading) await handle.close()
  }
}

/**
 * Sends exactly `length` bytes or cuts the stream, because the file may change meanwhile.
 * @param {Stream} stream @param {fs.ReadStream} bytes @param {number} length
 */
function sendBytes(stream, bytes, length) {
  bytes.pipe(stream, { end: false })
  bytes.on('error', () => fail(stream, 'reset'))
  bytes.on('end', () => {
    if (bytes.bytesRead === length) stream.end()
    else fail(stream, 'reset')
  })
  stream.once('close', () => bytes.destroy())
}

/** @param {Headers} headers @param {string} etag @param {Date} mtime */
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
 * @param {Headers} headers @param {number} size @param {string} etag @param {Date} mtime
 * @returns {{ readonly start: number, readonly end: number } | 'none' | undefined}
 */
function rangeIn(headers, size, etag, mtime) {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers['range'] || '') || []
  const condition = headers['if-range']
  const isMet = condition === undefined || condition === etag || condition === mtime.toUTCString()
  if (headers[':method'] !== 'GET' || !isMet || `${first}${last}` === '') return undefined
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && first !== '' && Number(last) < start) return undefined
  return start <= end ? { start, end } : 'none'
}

// ---------------------------------------------------------------------------------------------------------------
// --check, and the start

/**
 * Reports for each requirement whether it is met.
 * @param {Options} options
 */
async function check({ server, to, folder, isListing, tcp, tokenFile, island, hostHeader }) {
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
  }
  const file = fs.readFileSync(fileURLToPath(import.meta.url))
  if (isServer && !about.text.includes(crypto.createHash('sha256').update(file).digest('hex'))) {
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
  const service = to === undefined ? undefined : new Service(to, options.hostHeader)
  const files = folder === undefined ? undefined : new Folder(folder, options)
  relayServer.on('stream', (/** @type {Stream} */ stream, asked, flags) => {
    // `close` follows every error and is enough.
    stream.on('error', () => undefined)
    const isConnect = asked[':method'] === 'CONNECT'
    if (isConnect && asked[':protocol'] === undefined) passTcp(stream, tcp)
    else if (service !== undefined) service.pass(stream, asked, flags)
    else if (files === undefined) fail(stream, 'refused')
    else if (isConnect) sendText(stream, asked, 404, 'Not found')
    else void files.pass(stream, asked)
  })
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  await stayConnected(options)
}

void main()
