import type { ReportStatus, Status } from '@astropelago/contract/devices'

/** A change of an island, once this server's memory has it. */
export type IslandEvent =
  | {
      readonly kind: 'open'
      readonly islandKey: number
      readonly id: string
      readonly isOpen: boolean
      readonly since: string | null
    }
  | {
      readonly kind: 'changed' | 'gone' | 'log' | 'members' | 'requests'
      readonly islandKey: number
      readonly id: string
      /** Users concerned for certain: its host, and users whose relation to it has changed. */
      readonly userKeys: readonly number[]
    }

interface Rights {
  readonly mayKnow: boolean
  readonly mayEnter: boolean
  /** Whether they host it or have joined it, even if they may not know about it now. */
  readonly isOwn: boolean
}

/** What streams need from islands; `app.ts` hands it in. */
export interface StreamIslands {
  readonly listen: (listener: (event: IslandEvent) => void) => void
  /** @throws DomainError `not_found` if the viewer may not know about it; null stands for a visitor */
  readonly findVisible: (
    viewerKey: number | null,
    id: string,
  ) => Promise<{ readonly islandKey: number }>
  /** The rights of each of these users, and of a visitor, on an island. */
  readonly readRights: (
    islandKey: number,
    userKeys: readonly number[],
  ) => Promise<(userKey: number | null) => Rights>
  /** The islands that the user hosts or has joined, and whether the user may know about them now. */
  readonly listOwn: (
    userKey: number,
  ) => Promise<readonly { readonly islandKey: number; readonly mayKnow: boolean }[]>
  /** The host of an island; null if the installation hosts it. */
  readonly hostOf: (islandKey: number) => number | null
}

/** What a device said about itself, and since when it has had that status. */
interface SaidReport {
  readonly deviceKey: number
  readonly atMs: number
  readonly sinceMs: number
  readonly status: ReportStatus
  readonly text: string | null
}

/** What streams need from devices and presence. */
export interface StreamDevices {
  readonly listen: (listener: (deviceKey: number) => void) => void
  readonly listenFlips: (
    listener: (deviceKeys: readonly number[], status: Exclude<Status, 'unknown'>) => void,
  ) => void
  readonly listenReports: (listener: (reports: readonly SaidReport[]) => void) => void
  readonly listOwn: (
    userKey: number,
  ) => Promise<readonly { readonly key: number; readonly id: string }[]>
  /** The devices of these keys that exist, and their owners. */
  readonly readOwners: (
    deviceKeys: readonly number[],
  ) => Promise<readonly { readonly key: number; readonly id: string; readonly userKey: number }[]>
}
