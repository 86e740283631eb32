/** A block of text with its own copy button. */
export interface CommandBlock {
  readonly title: string
  readonly text: string
  readonly language: 'sh' | 'crontab' | 'ini' | 'xml' | 'powershell'
}

/** How to install something on a device in one way. */
export interface CommandGuide {
  /** What to paste, in this order. */
  readonly steps: readonly CommandBlock[]
  /** What the pastes install, to read or to install by hand. */
  readonly installs: readonly CommandBlock[]
  /** Undoes the steps; undefined if they install nothing. */
  readonly removal: CommandBlock | undefined
  readonly notes: readonly string[]
}

/** One of several ways. */
export interface NamedGuide extends CommandGuide {
  /** The name of its tab. */
  readonly name: string
}

/** The guides per system, in the order of their tabs, and the less common ways. */
export interface GuidesBySystem {
  readonly systems: readonly (NamedGuide & { readonly system: 'linux' | 'macos' | 'windows' })[]
  /** For Linux and other systems with a POSIX shell. */
  readonly others: readonly NamedGuide[]
}

/** What a device needs to report with its token. */
export interface TokenHeartbeat {
  /** The server's public address: absolute, http or https. */
  readonly publicUrl: string
  readonly token: string
  /** A UUID, which is part of file, unit and task names. */
  readonly deviceId: string
  /** From `heartbeatOffsetSeconds`, so that devices do not all report in the same second. */
  readonly offsetSeconds: number
}
