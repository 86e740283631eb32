import { lookup, Resolver } from 'node:dns/promises'

/** All addresses of a name. Rejects or resolves with none if there are none. */
export type ResolveName = (name: string) => Promise<readonly string[]>

const dnsTimeoutMs = 2000
const dnsTries = 2

/**
 * Asks DNS directly, without a thread. `lookup` would hold one of the few threads that password hashing and
 * file reads need, for as long as the name's server takes to answer.
 */
export const resolveByDns: ResolveName = async (name) => {
  const resolver = new Resolver({ timeout: dnsTimeoutMs, tries: dnsTries })
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const [failed] = answers
  if (addresses.length === 0 && failed.status === 'rejected') throw failed.reason
  return addresses
}

/** As every program on this machine does, with its hosts file and names such as nas.local. */
export const resolveByMachine: ResolveName = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address)
