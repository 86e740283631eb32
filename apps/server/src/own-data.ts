export interface OwnDataKind {
  readonly kind: string
  readonly count: (userKey: number) => Promise<number>
  readonly text: (count: number) => string
  /** The items as JSON without secrets, never more at once than memory can hold. */
  readonly read: (userKey: number) => AsyncIterable<string>
}

export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

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
