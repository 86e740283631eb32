import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { ProbedTarget, ProbeResult } from '../../features/checks/probe.ts'
import { bareHost, lookupIn } from '../judge-addresses.ts'
import { failed, type Attempt } from './attempt.ts'

type ConnectedTarget = Extract<ProbedTarget, { kind: 'tcp' | 'certificate' }>

/** No check of anybody’s may look like an attempt to send mail. */
const mailPort = 25
const dayMs = 86_400_000

/** Why a host and port are never dialled; undefined if they are. */
export function refusalOfConnection(
  { host, port }: ConnectedTarget,
  { refusalOfHost }: Attempt['judge'],
): string | undefined {
  if (port === mailPort) return 'Port 25 is never dialled from here: it belongs to mail servers.'
  return refusalOfHost(bareHost(host))
}

export async function probeConnection(
  target: ConnectedTarget,
  attempt: Attempt,
): Promise<ProbeResult> {
  const refusal = refusalOfConnection(target, attempt.judge)
  if (refusal !== undefined) return failed(refusal)
  const host = bareHost(target.host)
  const addresses = await attempt.judge.addressesOf(host, attempt.timeoutMs)
  if (typeof addresses === 'string') return failed(addresses)
  const { port } = target
  const { ca, signal } = attempt
  const where = { host, port, lookup: lookupIn(addresses) }
  if (target.kind === 'tcp') {
    await whenOpen(connect(where), { event: 'connect', signal })
    return { isUp: true, tookMs: attempt.tookMs() }
  }
  const socket = connectTls({
    ...where,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
  })
  // An untrusted one is an error instead.
  let endMs = Number.NaN
  await whenOpen(socket, {
    event: 'secureConnect',
    signal,
    look: () => {
      endMs = Date.parse(socket.getPeerCertificate().valid_to)
    },
  })
  const tookMs = attempt.tookMs()
  const daysLeft = Math.floor((endMs - attempt.nowMs) / dayMs)
  if (daysLeft >= target.days) return { isUp: true, tookMs }
  const days = daysLeft === 1 ? 'day' : 'days'
  return failed(`Its certificate is valid for only ${daysLeft} more ${days}.`, tookMs)
}

interface WhenOpenOptions {
  readonly event: 'connect' | 'secureConnect'
  readonly signal: AbortSignal
  /** Called once it is open, right before it closes. */
  readonly look?: () => void
}

/** Resolves once a connection was open, and closes it in any case. @throws why it failed */
export function whenOpen(
  socket: Socket,
  { event, signal, look = () => undefined }: WhenOpenOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => socket.destroy()
    signal.addEventListener('abort', stop)
    socket.on('error', reject)
    socket.on('close', () => {
      signal.removeEventListener('abort', stop)
      reject(new Error('closed before it was open'))
    })
    socket.once(event, () => {
      look()
      resolve()
      socket.destroy()
    })
    if (signal.aborted) stop()
  })
}
