import { Resolver } from 'node:dns/promises'
import { proofLabel, type SeenRecord } from '@astropelago/contract/island-domain'

const tryMs = 3000
const tries = 2
/** With several name servers, the tries of each would add up. */
const answerMs = 10_000
const valuesMax = 8

interface Answer {
  readonly values: readonly string[]
  /** False if no server said whether there are any. */
  readonly isCertain: boolean
}

export type DnsRecords = ReturnType<typeof createDnsRecords>

/** @param servers addresses of name servers, with or without ports; by default those of the system */
export function createDnsRecords(servers: readonly string[] = []) {
  const ask = async (look: (resolver: Resolver) => Promise<readonly string[]>): Promise<Answer> => {
    const resolver = new Resolver({ timeout: tryMs, tries })
    if (servers.length > 0) resolver.setServers([...servers])
    const late = setTimeout(() => resolver.cancel(), answerMs)
    try {
      return { values: await look(resolver), isCertain: true }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      // There is no such name, or it has no such records. Every other failure says nothing about them.
      return { values: [], isCertain: code === 'ENOTFOUND' || code === 'ENODATA' }
    } finally {
      clearTimeout(late)
    }
  }

  const readAddresses = async (name: string): Promise<Answer> => {
    // Systems may list them as hosts, but name servers do not know them (RFC 6761).
    if (name === 'localhost' || name.endsWith('.localhost')) {
      return { values: ['127.0.0.1', '::1'], isCertain: true }
    }
    const [four, six] = await Promise.all([
      ask((resolver) => resolver.resolve4(name)),
      ask((resolver) => resolver.resolve6(name)),
    ])
    return {
      values: [...four.values, ...six.values].toSorted(),
      isCertain: four.isCertain && six.isCertain,
    }
  }

  return {
    readProof: async (domain: string, code: string): Promise<SeenRecord> => {
      const { values, isCertain } = await ask(async (resolver) =>
        (await resolver.resolveTxt(`${proofLabel}.${domain}`)).map((parts) => parts.join('')),
      )
      if (values.some((value) => value.trim() === code)) return 'found'
      if (values.length > 0) return 'other'
      return isCertain ? 'missing' : 'unanswered'
    },
    readAddresses: async (name: string): Promise<readonly string[]> =>
      (await readAddresses(name)).values.slice(0, valuesMax),
    /** Whether a domain leads to the same addresses as `target`, and to which ones instead. */
    readTarget: async (domain: string, target: string) => {
      const [here, there] = await Promise.all([readAddresses(domain), readAddresses(target)])
      const others = here.values.filter((address) => !there.values.includes(address))
      return { target: seenTarget(here, there, others), values: others.slice(0, valuesMax) }
    },
  }
}

function seenTarget(here: Answer, there: Answer, others: readonly string[]): SeenRecord {
  if (here.values.length === 0) return here.isCertain ? 'missing' : 'unanswered'
  if (others.length === 0) return 'found'
  return there.values.length === 0 ? 'unanswered' : 'other'
}
