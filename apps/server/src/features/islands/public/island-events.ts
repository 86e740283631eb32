interface EventOf<Kind> {
  readonly kind: Kind
  readonly islandKey: number
  readonly id: string
}

/** What became of an island, here or on another server, once memory has it. */
export type IslandEvent =
  | (EventOf<'open'> & { readonly isOpen: boolean; readonly since: string | null })
  | (EventOf<'changed' | 'gone' | 'log' | 'members' | 'requests'> & {
      /** Whom it concerns for sure, beside those who are members of it. */
      readonly userKeys: readonly number[]
    })
