/** A place in a request for something the server knows, chosen when the request is sent. */
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
 * What the server has told or taken, by the name of the field: without it no fuzzed request would ever
 * come past "there is nothing by that name".
 */
export class KnownValues {
  readonly #values = new Map<string, string[]>()

  /** Any order of names and values in an answer or a request that was taken. */
  learn(value: unknown, name = ''): void {
    if (typeof value === 'string') this.#note(name, value)
    else if (Array.isArray(value)) for (const item of value) this.learn(item, name)
    else if (typeof value === 'object' && value !== null) {
      for (const [field, inner] of Object.entries(value)) this.learn(inner, field)
    }
  }

  /** A request's value with all its places filled. */
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
    // What is newest is most often still there.
    const range = choice % 2 === 0 ? newestOfEach : values.length
    return values.at(-1 - (Math.floor(choice / 2) % range)) ?? name
  }
}

/** `deviceId` and `id` are one: what is an id here may be asked for anywhere. */
function foldName(name: string): string {
  return /(^id|Id)$/.test(name) ? 'id' : name.toLowerCase()
}
