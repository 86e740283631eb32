import type { ChangeTally } from '../nodes/node-table.ts'
import { changeSentence } from './change-sentence.ts'

/** A polite line may interrupt nobody more often than this. */
const summaryMs = 10_000

const nothing: ChangeTally = { cameOnline: 0, wentOffline: 0, added: 0, removed: 0 }

/** Adds up changes and says them in one sentence, at once where it was quiet, else 10 s after the last. */
export class ChangeSummary {
  readonly #say: (sentence: string) => void
  #sum = nothing
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(say: (sentence: string) => void) {
    this.#say = say
  }

  note(tally: ChangeTally): void {
    this.#sum = {
      cameOnline: this.#sum.cameOnline + tally.cameOnline,
      wentOffline: this.#sum.wentOffline + tally.wentOffline,
      added: this.#sum.added + tally.added,
      removed: this.#sum.removed + tally.removed,
    }
    if (this.#timer === undefined) this.#tell()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sum = nothing
  }

  #tell(): void {
    this.#timer = undefined
    const sentence = changeSentence(this.#sum)
    if (sentence === '') return
    this.#sum = nothing
    this.#timer = setTimeout(() => this.#tell(), summaryMs)
    this.#say(sentence)
  }
}
