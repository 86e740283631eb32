import dns2 from 'dns2'
import { onTestFinished } from 'vitest'

const { Packet } = dns2

export interface DnsZone {
  readonly txt: Map<string, readonly string[]>
  readonly a: Map<string, string>
  /** Names for which the server fails (SERVFAIL), or never answers. */
  readonly broken: Set<string>
  readonly silent: Set<string>
}

/** A name server on a port of its own, whose records the test sets. Other names do not exist. */
export async function openDnsServer() {
  const zone: DnsZone = { txt: new Map(), a: new Map(), broken: new Set(), silent: new Set() }
  const server = dns2.createUDPServer((request, send) => {
    const response = Packet.createResponseFromRequest(request)
    const { name = '', type } = request.questions[0] ?? {}
    if (zone.silent.has(name)) return
    const answer = (kind: number, data: object) => {
      const record = new Packet.Resource(name, kind, Packet.CLASS.IN, 1)
      response.answers.push(Object.assign(record, data))
    }
    if (zone.broken.has(name)) response.header.rcode = Packet.RCODE.SERVFAIL
    else if (!zone.txt.has(name) && !zone.a.has(name)) {
      response.header.rcode = Packet.RCODE.NXDOMAIN
    } else if (type === Packet.TYPE.TXT) {
      for (const data of zone.txt.get(name) ?? []) {
        answer(Packet.TYPE.TXT, { data })
      }
    } else if (type === Packet.TYPE.A && zone.a.has(name)) {
      answer(Packet.TYPE.A, { address: zone.a.get(name) })
    }
    void send(response)
  })
  await server.listen(0, '127.0.0.1')
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())))
  return { zone, address: `127.0.0.1:${server.address().port}` }
}
