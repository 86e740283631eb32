/**
 * A kind of thing that users have. Each feature tells of its own: an account's export holds them, and
 * whoever deletes the account is told of them.
 */
export interface OwnDataKind {
  /** Its name in an export, such as `devices`. */
  readonly kind: string
  readonly count: (userKey: number) => Promise<number>
  /** For people, such as "3 devices with their tokens". */
  readonly text: (count: number) => string
  /** Each as JSON, without secrets, and no more of them at once than memory can bear. */
  readonly read: (userKey: number) => AsyncIterable<string>
}

/** "1 device", "3 devices". */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
