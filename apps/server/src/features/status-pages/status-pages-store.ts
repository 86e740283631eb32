import type { StatusPageSettings } from '@astropelago/contract/status-pages'

/** A page that is on, of a user who is not turned off. */
export interface ShownPage {
  readonly userKey: number
  readonly username: string
  readonly settings: StatusPageSettings
}

/** What users let everybody see on one page of theirs; what they chose may be gone by now. */
export interface StatusPagesStore {
  /** Undefined for who never chose. */
  readonly find: (userKey: number) => Promise<StatusPageSettings | undefined>
  /** Holds under simultaneous calls. @returns the settings as they are by then */
  readonly change: (
    userKey: number,
    change: (settings: StatusPageSettings | undefined) => StatusPageSettings,
  ) => Promise<StatusPageSettings>
  /** Whatever the case of the username. */
  readonly findShown: (username: string) => Promise<ShownPage | undefined>
}
