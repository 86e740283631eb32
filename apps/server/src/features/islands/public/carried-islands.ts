import { listEtag } from '@astropelago/contract/feed'
import { carriedIslandsListed } from '@astropelago/contract/limits'
import type { Clock } from '../../../clock.ts'
import type { ChangeSequence } from '../../../public-messages.ts'
import { PacedAnswer } from '../../../paced-answer.ts'
import type { ListedIslands } from './listed-islands.ts'

interface CarriedList {
  /** The live feed's sequence that this list can be brought up to date from. */
  readonly sequence: string
  readonly etag: string
  readonly json: Buffer
}

interface CarriedIslandsOptions {
  readonly listed: Pick<ListedIslands, 'carried'>
  readonly changes: ChangeSequence
  readonly clock: Clock
}

/** The islands that globe and map show, as they go over the wire. */
export class CarriedIslands {
  readonly #kept: PacedAnswer<CarriedList>

  constructor({ listed, changes, clock }: CarriedIslandsOptions) {
    this.#kept = new PacedAnswer({
      make: async (): Promise<CarriedList> => {
        // What changes from here on may be in the list or not: the feed tells of it after this sequence.
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

  /** To be called once memory knows that everybody may know less of an island. */
  withdraw(): void {
    this.#kept.forget()
  }
}
