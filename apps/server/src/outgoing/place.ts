import { isIP } from 'node:net'
import type { ProbedTarget } from '../features/checks/probe.ts'

/** For what has no port of its own. */
const usualPorts = { dns: 53, ping: 0 } as const

export interface Place {
  readonly host: string
  readonly port: number
  /** Both, as proofs name them. */
  readonly name: string
}

/** The host and the port that a check looks at. */
export function placeOf(target: ProbedTarget): Place {
  if (target.kind !== 'http') {
    return toPlace(target.host, 'port' in target ? target.port : usualPorts[target.kind])
  }
  const { hostname, port, protocol } = new URL(target.url)
  return toPlace(hostname, port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))
}

function toPlace(written: string, port: number): Place {
  const host = written.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return { host, port, name: `${isIP(host) === 6 ? `[${host}]` : host}:${port}` }
}
