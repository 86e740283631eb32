import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

interface Measured {
  readonly port: string
  readonly tokens: readonly string[]
  readonly everyMs: number
  readonly forMs: number
}

export interface HeartbeatTimes {
  readonly p50Ms: number
  readonly p99Ms: number
  /** Heartbeats that were not accepted. */
  readonly lost: number
}

/** Devices that report one after the other, with measured response times. */
export class HonestDevices {
  /** The devices have their own address, as they would outside a single machine. */
  readonly #agent = new Agent({ keepAlive: true, localAddress: '127.0.0.2', maxSockets: 50 })

  /** Measures from the time when a heartbeat is due, as a device sees it, even if earlier ones are late. */
  async measure({ port, tokens, everyMs, forMs }: Measured): Promise<HeartbeatTimes> {
    const times: number[] = []
    let lost = 0
    const startedMs = performance.now()
    const beats = Array.from({ length: forMs / everyMs }, async (_, count) => {
      const dueMs = startedMs + count * everyMs
      await wait(Math.max(0, dueMs - performance.now()))
      const status = await this.send(port, tokens[count % tokens.length] ?? '')
      times.push(performance.now() - dueMs)
      if (status !== 204) lost += 1
    })
    await Promise.all(beats)
    const sorted = times.toSorted((one, other) => one - other)
    const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN
    return { p50Ms: at(0.5), p99Ms: at(0.99), lost }
  }

  /** @returns the status of the answer; undefined if there is none */
  send(port: string, token: string): Promise<number | undefined> {
    return new Promise((done) => {
      const call = request(
        {
          agent: this.#agent,
          port,
          host: '127.0.0.1',
          method: 'POST',
          path: '/api/devices/heartbeat-token',
          headers: { authorization: `Bearer ${token}` },
        },
        (response) => {
          response.resume().on('end', () => done(response.statusCode))
        },
      )
      call.on('error', () => done(undefined)).end()
    })
  }

  leave(): void {
    this.#agent.destroy()
  }
}
