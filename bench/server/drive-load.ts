import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { median } from '../median.ts'

const connections = 64
/** Latencies are counted in steps of so much, the last one for all that took longer. */
const stepMs = 0.1
const steps = 100_000

export interface LoadOptions {
  readonly url: string
  /** A whole request, as it goes over the wire. */
  readonly nextRequest: () => string
  /** What each answer begins and ends with. */
  readonly answer: { readonly start: string; readonly end: string }
  readonly durationMs: number
}

export interface Load {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/**
 * Sends requests over 64 connections, on each the next when the last is answered. Not autocannon:
 * that makes every request before it starts, which a million tokens are too many for, and takes more
 * of the machine than the servers do, so that a ratio would say more of it than of them.
 */
export async function driveLoad(options: LoadOptions): Promise<Load> {
  const { url, nextRequest, answer, durationMs } = options
  const { hostname, port } = new URL(url)
  const latencies = new Uint32Array(steps + 1)
  let answered = 0
  let failure: unknown

  const open = () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    let sentMs = 0
    let received = ''
    const send = () => {
      sentMs = performance.now()
      socket.write(nextRequest(), 'latin1')
    }
    socket.setEncoding('latin1')
    socket.on('connect', send)
    socket.on('data', (chunk: string) => {
      received += chunk
      if (!received.endsWith(answer.end)) return
      if (!received.startsWith(answer.start)) failure ??= new Error(received)
      received = ''
      const step = Math.min(steps, Math.floor((performance.now() - sentMs) / stepMs))
      latencies[step] = (latencies[step] ?? 0) + 1
      answered += 1
      send()
    })
    socket.on('error', (error) => {
      failure ??= error
    })
    return socket
  }

  const startedMs = performance.now()
  const sockets = Array.from({ length: connections }, open)
  await wait(durationMs)
  const tookMs = performance.now() - startedMs
  const total = answered
  const counted = latencies.slice()
  for (const socket of sockets) socket.destroy()
  if (failure !== undefined) throw new Error('a request failed', { cause: failure })
  return {
    perSecond: (total * 1000) / tookMs,
    p50Ms: quantile(counted, total, 0.5),
    p99Ms: quantile(counted, total, 0.99),
  }
}

/** The median of some turns in each figure. */
export function medianLoad(loads: readonly Load[]): Load {
  return {
    perSecond: median(loads.map(({ perSecond }) => perSecond)),
    p50Ms: median(loads.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(loads.map(({ p99Ms }) => p99Ms)),
  }
}

function quantile(latencies: Uint32Array, total: number, share: number): number {
  let seen = 0
  const step = latencies.findIndex((count) => {
    seen += count
    return seen >= total * share
  })
  return (step + 1) * stepMs
}
