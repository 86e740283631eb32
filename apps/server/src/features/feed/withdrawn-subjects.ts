import type { PublicKind } from '../../public-messages.ts'
import type { Withdrawn } from './feed-store.ts'

/** Things of any kind whose messages are withdrawn. */
export class WithdrawnSubjects implements Iterable<Withdrawn> {
  readonly #keys: Readonly<Record<PublicKind, Set<number>>> = {
    device: new Set(),
    island: new Set(),
  }

  constructor(things: Iterable<Withdrawn> = []) {
    this.addAll(things)
  }

  add(kind: PublicKind, key: number): void {
    this.#keys[kind].add(key)
  }

  addAll(things: Iterable<Withdrawn>): void {
    for (const { kind, key } of things) this.add(kind, key)
  }

  has(kind: PublicKind, key: number): boolean {
    return this.#keys[kind].has(key)
  }

  clear(): void {
    this.#keys.device.clear()
    this.#keys.island.clear()
  }

  *[Symbol.iterator](): Iterator<Withdrawn> {
    for (const kind of ['device', 'island'] as const) {
      for (const key of this.#keys[kind]) yield { kind, key }
    }
  }
}
