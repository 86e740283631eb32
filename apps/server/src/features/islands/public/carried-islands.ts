import { listEtag } from '@astropelago/contract/feed'
import { carriedIslandsListed } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import type { ChangeSequence } from '../../../public-messages.ts'
import { PacedAnswer } from '../../../paced-answer.ts'
import type { ListedIslands } from './listed-islands.ts'

interface CarriedList {
  /** The live feed's sequence from which this list can be updated. */
  readonly sequence: string
  readonly etag: string
  readonly json: Buffer
}

interface CarriedIslandsOptions {
  readonly listed: Pick<ListedIslands, 'carried'>
  readonly changes: ChangeSequence
  readonly clock: Clock
}

/** The islands on the globe and the map, serialized for the API. */
export class CarriedIslands {
  readonly #kept: PacedAnswer<CarriedList>

  constructor({ listed, changes, clock }: CarriedIslandsOptions) {
    this.#kept = new PacedAnswer({
      make: async (): Promise<CarriedList> => {
        // The list may or may not include later changes. The feed repeats them after this sequence.
        const sequence = await changes.sealed()
        const json = JSON.stringify(listed.carried(carriedIslandsListed))
        return { sequence, etag: listEtag(sequence), json: Buffer.from(json) }
      },
      isCurrent: ({ sequence }) => changes.isCurrent(sequence),
      clock,
    })
  }

  list(): Promise<CarriedList> {
    return this.#kept.get()
  }

  /** Call it once memory knows that the public may see less of an island. */
  withdraw(): void {
    this.#kept.forget()
  }
}
