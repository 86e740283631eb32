interface EventOf<Kind> {
  readonly kind: Kind
  readonly islandKey: number
  readonly id: string
}

/** A change to an island on any server, published once memory has it. */
export type IslandEvent =
  | (EventOf<'open'> & { readonly isOpen: boolean; readonly since: string | null })
  | (EventOf<'changed' | 'gone' | 'log' | 'members' | 'requests'> & {
      /** Users to notify besides the members. */
      readonly userKeys: readonly number[]
    })
