import type { ChangeTally } from '../nodes/node-table.ts'

/** The shortest time between two announcements, so that screen readers are not interrupted too often. */
const summaryMs = 10_000

const nothing: ChangeTally = { cameOnline: 0, wentOffline: 0, added: 0, removed: 0 }

/** Announces changes in one sentence: at once after a quiet time, else 10 s after the last one. */
export class ChangeSummary {
  readonly #onSentence: (sentence: string) => void
  #sum = nothing
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(onSentence: (sentence: string) => void) {
    this.#onSentence = onSentence
  }

  add(tally: ChangeTally): void {
    this.#sum = {
      cameOnline: this.#sum.cameOnline + tally.cameOnline,
      wentOffline: this.#sum.wentOffline + tally.wentOffline,
      added: this.#sum.added + tally.added,
      removed: this.#sum.removed + tally.removed,
    }
    if (this.#timer === undefined) this.#announce()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sum = nothing
  }

  #announce(): void {
    this.#timer = undefined
    const sentence = changeSentence(this.#sum)
    if (sentence === '') return
    this.#sum = nothing
    this.#timer = setTimeout(() => this.#announce(), summaryMs)
    this.#onSentence(sentence)
  }
}

/** A sentence such as '3 devices came online, 1 went offline'; empty if there is nothing to announce. */
export function changeSentence(tally: ChangeTally): string {
  const parts = [
    part(tally.cameOnline, 'came online', 'came online'),
    part(tally.wentOffline, 'went offline', 'went offline'),
    part(tally.added, 'was added', 'were added'),
    part(tally.removed, 'was removed', 'were removed'),
  ].filter((each) => each !== undefined)
  // Only the first part contains the noun.
  return parts
    .map(({ count, verb }, index) => {
      const noun = index > 0 ? '' : count === 1 ? ' device' : ' devices'
      return `${count.toLocaleString('en')}${noun} ${verb}`
    })
    .join(', ')
}

function part(count: number, one: string, many: string) {
  return count === 0 ? undefined : { count, verb: count === 1 ? one : many }
}
