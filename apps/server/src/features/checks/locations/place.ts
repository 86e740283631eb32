import { isIP } from 'node:net'
import type { CheckRecord } from '../checks-store.ts'
import type { ProbedTarget } from '../probe.ts'

const dnsPort = 53

export interface Place {
  readonly host: string
  readonly port: number
  /** Both, as proofs name them. */
  readonly name: string
}

/** A target that others may look at. */
export type SharedTarget = Exclude<ProbedTarget, { kind: 'ping' }>

/** What others may look at; undefined if nobody but the owner's device looks, or nobody at all. */
export function sharedTarget({
  target,
  device,
}: Pick<CheckRecord, 'target' | 'device'>): SharedTarget | undefined {
  return device !== null || target.kind === 'push' || target.kind === 'ping' ? undefined : target
}

/** The host and the port that a check looks at. */
export function placeOf(target: SharedTarget): Place {
  if (target.kind !== 'http') {
    return toPlace(target.host, target.kind === 'dns' ? dnsPort : target.port)
  }
  const { hostname, port, protocol } = new URL(target.url)
  return toPlace(hostname, port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))
}

function toPlace(written: string, port: number): Place {
  const host = written.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return { host, port, name: `${isIP(host) === 6 ? `[${host}]` : host}:${port}` }
}
