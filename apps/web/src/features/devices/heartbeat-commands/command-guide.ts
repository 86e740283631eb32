/** One block of text with a copy button of its own. */
export interface CommandBlock {
  readonly title: string
  readonly text: string
  readonly language: 'sh' | 'crontab' | 'ini' | 'xml' | 'powershell'
}

/** Everything a page shows about one way to report heartbeats. */
export interface CommandGuide {
  /** What to paste, in this order. */
  readonly steps: readonly CommandBlock[]
  /** What the pastes put on the device, for those who want to read it or do it by hand. */
  readonly installs: readonly CommandBlock[]
  /** Undoes the steps. */
  readonly removal: CommandBlock
  readonly notes: readonly string[]
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
