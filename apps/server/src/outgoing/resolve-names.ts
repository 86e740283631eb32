import { lookup, Resolver } from 'node:dns/promises'

/** All addresses of a name; it rejects, or resolves with none, where there is none. */
export type ResolveName = (name: string) => Promise<readonly string[]>

const dnsTimeoutMs = 2000
const dnsTries = 2

/**
 * By DNS alone. It asks without a thread: `lookup` takes one of a few that hashing passwords and reading
 * files need too, for as long as the name's own server cares to be silent.
 */
export const resolveByDns: ResolveName = async (name) => {
  const resolver = new Resolver({ timeout: dnsTimeoutMs, tries: dnsTries })
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const [failed] = answers
  if (addresses.length === 0 && failed.status === 'rejected') throw failed.reason
  return addresses
}

/** As every program of this machine does: by its hosts file, and names of its network such as nas.local. */
export const resolveByMachine: ResolveName = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address)
