/** What some users are to an island. */
export interface IslandViewersStore {
  readonly read: (
    islandKey: number,
    userKeys: readonly number[],
  ) => Promise<
    readonly { readonly userKey: number; readonly isMember: boolean; readonly isBlocked: boolean }[]
  >
}
