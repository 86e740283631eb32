import type { Draft } from '@astropelago/contract/hosted-pages'
import * as v from 'valibot'
import { createEmitter } from '../../../lib/emitter.ts'
import type { StoredValue } from '../../../lib/stored-value.ts'

/** After the last key. */
const settleMs = 1000

export const KeptTexts = v.record(v.string(), v.string())
type KeptTexts = v.InferOutput<typeof KeptTexts>

export type Saving = { readonly step: 'saved' | 'unsaved' | 'saving' } | Failure

interface Failure {
  readonly step: 'failed'
  readonly path: string
  readonly error: unknown
}

interface Snapshot {
  readonly saving: Saving
  /** Whether the draft was changed by somebody else since the open text was read. */
  readonly isChangedElsewhere: boolean
  /** Counts the times when the open text has to be read again. */
  readonly revision: number
  /** Texts of an earlier visit that never reached the server, by path. */
  readonly recovered: KeptTexts
}

interface DraftSessionOptions {
  readonly draft: Draft | null
  readonly kept: StoredValue<KeptTexts>
  readonly write: (path: string, text: string) => Promise<Draft>
  readonly read: (path: string) => Promise<string>
  readonly show: (draft: Draft | null) => Promise<void>
}

/**
 * The work on a draft in one window. Calls go to the server one after another. Each typed text stays in
 * `kept` until the server has it.
 */
export class DraftSession {
  readonly #options: DraftSessionOptions
  readonly #unsaved = new Map<string, string>()
  /** When the draft changed last, as far as this window knows. */
  #changedAt: string | undefined
  readonly #changes = createEmitter()
  #found: KeptTexts
  #queue: Promise<unknown> = Promise.resolve()
  #inQueue = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #snapshot: Snapshot = {
    saving: { step: 'saved' },
    isChangedElsewhere: false,
    revision: 0,
    recovered: {},
  }

  constructor(options: DraftSessionOptions) {
    this.#options = options
    this.#changedAt = options.draft?.changedAt
    this.#found = options.kept.read() ?? {}
  }

  readonly subscribe = this.#changes.on
  readonly snapshot = () => this.#snapshot

  hasUnsaved(): boolean {
    return this.#unsaved.size > 0
  }

  unsavedText(path: string): string | undefined {
    return this.#unsaved.get(path)
  }

  type(path: string, text: string): void {
    this.#unsaved.set(path, text)
    this.#keep()
    // A failure stays in sight until a later try succeeds.
    if (this.#snapshot.saving.step !== 'failed') this.#show({ saving: { step: 'unsaved' } })
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.save(), settleMs)
  }

  /** Never throws: a failure is in the snapshot. */
  async save(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#inTurn(() => this.#saveAll())
  }

  /**
   * Changes the draft otherwise, once all texts are saved.
   * @throws what `send` throws, or what kept a text from being saved
   */
  change<Answer>(
    send: () => Promise<Answer>,
    draftOf: (answer: Answer) => Draft | null,
  ): Promise<Answer> {
    clearTimeout(this.#timer)
    return this.#inTurn(async () => {
      const failure = await this.#saveAll()
      if (failure !== undefined) throw failure.error
      const answer = await send()
      await this.#take(draftOf(answer))
      return answer
    })
  }

  /** Removes the draft, with all that is not saved. @throws what `send` throws */
  discard(send: () => Promise<unknown>): Promise<void> {
    clearTimeout(this.#timer)
    return this.#inTurn(async () => {
      await send()
      this.#unsaved.clear()
      this.#keep()
      await this.#take(null)
      this.#show({ saving: { step: 'saved' } })
      this.readAgain()
    })
  }

  /** Learns of the draft that the server has. */
  meet(draft: Draft | null): void {
    if (this.#inQueue > 0 || this.#changedAt === draft?.changedAt) return
    this.#changedAt = draft?.changedAt
    this.#show({ isChangedElsewhere: true })
  }

  /** Makes the open text be read again. */
  readAgain(): void {
    this.#show({ isChangedElsewhere: false, revision: this.#snapshot.revision + 1 })
  }

  /** Offers what an earlier visit left, as far as the server does not have it. */
  async recover(): Promise<void> {
    for (const [path, text] of Object.entries(this.#found)) {
      const saved = await this.#options.read(path).catch(() => undefined)
      if (saved === text) this.#drop(path)
    }
    this.#show({ recovered: this.#found })
  }

  /** Answers the offer. Restored texts are saved like typed ones. */
  endRecovery(isRestored: boolean): void {
    if (isRestored) {
      for (const [path, text] of Object.entries(this.#found)) this.#unsaved.set(path, text)
    }
    this.#found = {}
    this.#keep()
    this.#show({ recovered: {} })
    if (!isRestored) return
    this.readAgain()
    void this.save()
  }

  async #saveAll(): Promise<Failure | undefined> {
    const texts = [...this.#unsaved]
    if (texts.length === 0) return undefined
    if (this.#snapshot.saving.step !== 'failed') this.#show({ saving: { step: 'saving' } })
    let failure: Failure | undefined
    for (const [path, text] of texts) {
      try {
        await this.#take(await this.#options.write(path, text))
        // What was typed meanwhile is not saved yet.
        if (this.#unsaved.get(path) === text) this.#unsaved.delete(path)
        this.#keep()
      } catch (error) {
        failure ??= { step: 'failed', path, error }
      }
    }
    this.#show({ saving: failure ?? { step: this.hasUnsaved() ? 'unsaved' : 'saved' } })
    return failure
  }

  async #take(draft: Draft | null): Promise<void> {
    this.#changedAt = draft?.changedAt
    await this.#options.show(draft)
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#inQueue += 1
    const turn = this.#queue.then(work)
    this.#queue = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      this.#inQueue -= 1
    }
  }

  #drop(path: string): void {
    const { [path]: _, ...others } = this.#found
    this.#found = others
    this.#keep()
  }

  #keep(): void {
    const texts = { ...this.#found, ...Object.fromEntries(this.#unsaved) }
    if (Object.keys(texts).length === 0) this.#options.kept.clear()
    else this.#options.kept.write(texts)
  }

  #show(changes: Partial<Snapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...changes }
    this.#changes.emit()
  }
}
