import { isIP } from 'node:net'
import type { ProbedTarget } from '../features/checks/probe.ts'

const dnsPort = 53

export interface Place {
  readonly host: string
  readonly port: number
  /** Both, as proofs name them. */
  readonly name: string
}

/** The host and the port that a check looks at. */
export function placeOf(target: ProbedTarget): Place {
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
