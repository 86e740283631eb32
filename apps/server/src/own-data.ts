/** Each feature describes its own data, for the export and the deletion of an account. */
export interface OwnDataKind {
  readonly kind: string
  readonly count: (userKey: number) => Promise<number>
  /** For people, such as "3 devices with their tokens". */
  readonly text: (count: number) => string
  /** The items as JSON without secrets, never more at once than memory can hold. */
  readonly read: (userKey: number) => AsyncIterable<string>
}

/** "1 device", "3 devices". */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

/** A kind with so few items that memory can hold all of a user's at once. */
export function ownList({
  kind,
  text,
  list,
}: Pick<OwnDataKind, 'kind' | 'text'> & {
  readonly list: (userKey: number) => Promise<readonly object[]>
}): OwnDataKind {
  return {
    kind,
    text,
    count: async (userKey) => (await list(userKey)).length,
    read: async function* (userKey) {
      for (const item of await list(userKey)) yield JSON.stringify(item)
    },
  }
}
