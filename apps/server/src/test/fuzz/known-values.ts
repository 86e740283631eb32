/** A placeholder in a request for a known value, which is chosen when the request is sent. */
export class Known {
  readonly name: string
  readonly choice: number

  constructor(name: string, choice: number) {
    this.name = name
    this.choice = choice
  }

  toString(): string {
    return `known ${this.name} #${this.choice}`
  }
}

const keptOfEach = 20
const newestOfEach = 2
const textMaxLength = 600

/**
 * Values that the server sent or accepted, by field name. Without them, fuzzed requests would get no
 * further than "not found".
 */
export class KnownValues {
  readonly #values = new Map<string, string[]>()

  /** Collects names and values of any structure from an answer or an accepted request. */
  learn(value: unknown, name = ''): void {
    if (typeof value === 'string') this.#note(name, value)
    else if (Array.isArray(value)) for (const item of value) this.learn(item, name)
    else if (typeof value === 'object' && value !== null) {
      for (const [field, inner] of Object.entries(value)) this.learn(inner, field)
    }
  }

  /** A request's value with all placeholders filled. */
  fill(value: unknown): unknown {
    if (value instanceof Known) return this.#choose(value)
    if (Array.isArray(value)) return value.map((item) => this.fill(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, this.fill(inner)]),
    )
  }

  #note(name: string, value: string): void {
    if (value.length > textMaxLength) return
    const folded = foldName(name)
    const values = this.#values.get(folded) ?? []
    if (values.includes(value)) return
    // The first ones are the test's own, and stay.
    if (values.length === keptOfEach) values.splice(keptOfEach / 2, 1)
    this.#values.set(folded, [...values, value])
  }

  #choose({ name, choice }: Known): string {
    const values = this.#values.get(foldName(name)) ?? []
    // The newest values are most likely to exist still.
    const range = choice % 2 === 0 ? newestOfEach : values.length
    return values.at(-1 - (Math.floor(choice / 2) % range)) ?? name
  }
}

/** `deviceId` and `id` count as one name, so any ID may be tried anywhere. */
function foldName(name: string): string {
  return /(^id|Id)$/.test(name) ? 'id' : name.toLowerCase()
}
