import type { AboutInstallation } from '@astropelago/contract/neighbour-directory'
import { InstallationUnreachable } from '../read-about.ts'
import { StatementRefused } from '../statements.ts'
import { ChangeBudget } from './change-budget.ts'
import { followNeighbour, KeyUnknown, type FollowParts, type Receiver } from './follow-neighbour.ts'
import type { DirectoryChanges } from './neighbours-store.ts'

const examplesMax = 8
const readMs = 10_000
const expected = [InstallationUnreachable, StatementRefused, KeyUnknown]

/** Names of what an installation shares, from the first page of its directory. */
export function readExamples(parts: FollowParts) {
  return async (
    address: string,
    { key, keyNumber }: Pick<AboutInstallation, 'key' | 'keyNumber'>,
  ): Promise<readonly string[]> => {
    const enough = new AbortController()
    let names: readonly string[] = []
    const take = ({ islands, devices }: DirectoryChanges) => {
      names = [...islands.map(({ name }) => name), ...devices.map(({ label }) => label)]
      enough.abort()
    }
    const receiver: Receiver = {
      introduce: async () => undefined,
      beginSnapshot: async () => undefined,
      addPage: async (changes) => take(changes),
      endSnapshot: async () => undefined,
      change: async () => undefined,
      alive: async () => undefined,
    }
    const stranger = { address, publicKey: key, keyNumber, epoch: null, number: null }
    const signal = AbortSignal.any([enough.signal, AbortSignal.timeout(readMs)])
    const budget = new ChangeBudget(parts.clock)
    try {
      await followNeighbour(stranger, { ...parts, budget, receiver, signal })
    } catch (error) {
      // A preview without examples is one too.
      if (!expected.some((kind) => error instanceof kind)) throw error
    }
    return names.slice(0, examplesMax)
  }
}
