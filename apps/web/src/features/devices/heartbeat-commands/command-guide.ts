/** One block of text with a copy button of its own. */
export interface CommandBlock {
  readonly title: string
  readonly text: string
  readonly language: 'sh' | 'crontab' | 'ini' | 'xml' | 'powershell'
}

/** Everything a page shows about one way to install something on a device. */
export interface CommandGuide {
  /** What to paste, in this order. */
  readonly steps: readonly CommandBlock[]
  /** What the pastes put on the device, for those who want to read it or do it by hand. */
  readonly installs: readonly CommandBlock[]
  /** Undoes the steps; undefined where they install nothing. */
  readonly removal: CommandBlock | undefined
  readonly notes: readonly string[]
}

/** A way among others. */
export interface NamedGuide extends CommandGuide {
  /** The name of its tab. */
  readonly name: string
}

/** The ways of each system, in the order of their tabs, and those that only some look for. */
export interface GuidesBySystem {
  readonly systems: readonly (NamedGuide & { readonly system: 'linux' | 'macos' | 'windows' })[]
  /** For Linux and whatever else has a POSIX shell. */
  readonly others: readonly NamedGuide[]
}

/** What a device needs to report by its token. */
export interface TokenHeartbeat {
  /** The server's address as users see it: absolute, http or https. */
  readonly publicUrl: string
  readonly token: string
  /** A UUID: it is part of file, unit and task names. */
  readonly deviceId: string
  /** From `heartbeatOffsetSeconds`, so that devices do not all report in the same second. */
  readonly offsetSeconds: number
}
