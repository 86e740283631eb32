import type { StatusPageSettings } from '@astropelago/contract/status-pages'

/** A page that is on, of a user who is not disabled. */
export interface ShownPage {
  readonly userKey: number
  readonly username: string
  readonly settings: StatusPageSettings
}

/** Users' settings for their status pages. They may name subjects that no longer exist. */
export interface StatusPagesStore {
  readonly find: (userKey: number) => Promise<StatusPageSettings | undefined>
  /** Safe under simultaneous calls. */
  readonly change: (
    userKey: number,
    change: (settings: StatusPageSettings | undefined) => StatusPageSettings,
  ) => Promise<StatusPageSettings>
  /** Ignores the case of the username. */
  readonly findShown: (username: string) => Promise<ShownPage | undefined>
}
