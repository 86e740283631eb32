import { isIPv6, type Socket } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { Clock } from '../clock.ts'

const windowMs = 60_000
const callsPerWindow = 600
const ipv6Subnet = 64

interface Calls {
  readonly isExempt: boolean
  count: number
}

interface EarlyCallsOptions {
  readonly clock: Clock
  /** Whether no limit applies to an address. */
  readonly isExempt: (address: string) => boolean
}

/**
 * How many calls each address had answered early in this minute. Who has used them up goes the ordinary
 * way, where calls are limited too.
 */
export class EarlyCalls {
  readonly #options: EarlyCallsOptions
  #byAddress = new Map<string, Calls>()
  #bySocket = new WeakMap<Socket, Calls>()
  #windowEndMs = 0

  constructor(options: EarlyCallsOptions) {
    this.#options = options
  }

  /** Counts a call; false when its address has no more of them. */
  take(socket: Socket): boolean {
    const nowMs = this.#options.clock()
    if (nowMs >= this.#windowEndMs) {
      this.#byAddress = new Map()
      this.#bySocket = new WeakMap()
      this.#windowEndMs = nowMs + windowMs
    }
    const calls = this.#bySocket.get(socket) ?? this.#callsOf(socket)
    calls.count += 1
    return calls.isExempt || calls.count <= callsPerWindow
  }

  #callsOf(socket: Socket): Calls {
    const ip = socket.remoteAddress ?? ''
    const address = isIPv6(ip) ? normalizeIP(ip, ipv6Subnet) : ip
    let calls = this.#byAddress.get(address)
    if (calls === undefined) {
      calls = { isExempt: ip !== '' && this.#options.isExempt(ip), count: 0 }
      this.#byAddress.set(address, calls)
    }
    this.#bySocket.set(socket, calls)
    return calls
  }
}
