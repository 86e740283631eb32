import type { KeyChange } from '@astropelago/contract/neighbour-directory'
import type { Clock } from '../../clock.ts'
import type { InstallationStore } from './installation-store.ts'
import { newPrivateKey, signerOf, signKeyChange, type Signer } from './statements.ts'

/** Old changes of the key: whoever is further behind needs its operator. */
const keyChangesMax = 20

/** Who this installation is to others. */
export interface Installation {
  readonly signer: Signer
  readonly keyNumber: number
  readonly keyChanges: readonly KeyChange[]
  /** Of the numbers that the live feed gives; undefined while those begin anew. */
  readonly epochOf: (feedEpoch: string) => number | undefined
}

/** Another server may have changed the key: ask each time. */
export type ReadInstallation = () => Promise<Installation>

export async function openInstallation(
  store: InstallationStore,
  { address, clock }: { readonly address: string; readonly clock: Clock },
) {
  await store.insert({ privateKey: newPrivateKey(), epoch: clock() })
  let cached: { readonly text: string; readonly signer: Signer } | undefined
  const read: ReadInstallation = async () => {
    const row = await store.read()
    const text = Buffer.from(row.privateKey).toString('base64')
    if (cached?.text !== text) cached = { text, signer: signerOf(row.privateKey) }
    return {
      signer: cached.signer,
      keyNumber: row.keyNumber,
      keyChanges: row.keyChanges,
      epochOf: (feedEpoch) => (row.feedEpoch === feedEpoch ? row.epoch : undefined),
    }
  }
  return {
    read,
    /** Call it on the server that leads: numbers of another epoch of the live feed come after all before. */
    ensureEpoch: async (feedEpoch: string): Promise<void> => {
      const { feedEpoch: known } = await store.read()
      if (known !== feedEpoch) await store.beginEpoch(feedEpoch, clock())
    },
    changeKey: async (): Promise<Pick<Installation, 'signer' | 'keyNumber'>> => {
      const { signer, keyNumber, keyChanges } = await read()
      const privateKey = newPrivateKey()
      const next = signerOf(privateKey)
      const change = signKeyChange({ old: signer, next }, address, keyNumber + 1)
      const changes = [...keyChanges, change].slice(-keyChangesMax)
      await store.changeKey({ privateKey, keyNumber: keyNumber + 1, keyChanges: changes })
      return { signer: next, keyNumber: keyNumber + 1 }
    },
  }
}
