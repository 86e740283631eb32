import type { ReportStatus, Status } from '@astropelago/contract/devices'

/** What became of an island, once this server's memory has it. */
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
      /** Whom it concerns for sure: its host, and who became or was something to it. */
      readonly userKeys: readonly number[]
    }

interface Rights {
  readonly mayKnow: boolean
  readonly mayEnter: boolean
  /** Whether they host it or have joined it, even where they may not know of it now. */
  readonly isOwn: boolean
}

/** What streams ask of islands; `app.ts` hands it in. */
export interface StreamIslands {
  readonly listen: (listener: (event: IslandEvent) => void) => void
  /** @throws DomainError `not_found` where the viewer may not know of it; null is who is not signed in */
  readonly findKnown: (
    viewerKey: number | null,
    id: string,
  ) => Promise<{ readonly islandKey: number }>
  /** What each of these users, and who is not signed in, may of an island. */
  readonly readRights: (
    islandKey: number,
    userKeys: readonly number[],
  ) => Promise<(userKey: number | null) => Rights>
  /** Those that the user hosts or has joined, and whether the user may know of them now. */
  readonly listOwn: (
    userKey: number,
  ) => Promise<readonly { readonly islandKey: number; readonly mayKnow: boolean }[]>
  /** The host of an island; null where that is the installation. */
  readonly hostOf: (islandKey: number) => number | null
}

/** What a device said of itself, and since when it has said its status. */
interface SaidReport {
  readonly deviceKey: number
  readonly atMs: number
  readonly sinceMs: number
  readonly status: ReportStatus
  readonly text: string | null
}

/** What streams ask of devices and of presence. */
export interface StreamDevices {
  readonly listen: (listener: (deviceKey: number) => void) => void
  readonly listenFlips: (
    listener: (deviceKeys: readonly number[], status: Exclude<Status, 'unknown'>) => void,
  ) => void
  readonly listenReports: (listener: (reports: readonly SaidReport[]) => void) => void
  readonly listOwn: (
    userKey: number,
  ) => Promise<readonly { readonly key: number; readonly id: string }[]>
  /** Those of these keys that are there, and whose they are. */
  readonly readOwners: (
    deviceKeys: readonly number[],
  ) => Promise<readonly { readonly key: number; readonly id: string; readonly userKey: number }[]>
}
