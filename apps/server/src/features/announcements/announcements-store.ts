import type { AnnouncementLevel } from '@astropelago/contract/announcements'

export interface AnnouncementRecord {
  readonly id: string
  readonly level: AnnouncementLevel
  readonly title: string
  readonly text: string
  readonly startsMs: number
  /** Null if it has no end. */
  readonly endsMs: number | null
}

/** Announcements of the operator to everybody. */
export interface AnnouncementsStore {
  /** False if the greatest allowed number is still current at `nowMs`. Holds under simultaneous calls. */
  readonly insert: (
    announcement: AnnouncementRecord,
    limit: { readonly nowMs: number; readonly max: number },
  ) => Promise<boolean>
  readonly find: (id: string) => Promise<AnnouncementRecord | undefined>
  readonly update: (announcement: AnnouncementRecord) => Promise<AnnouncementRecord | undefined>
  /** @returns what was deleted */
  readonly delete: (id: string) => Promise<AnnouncementRecord | undefined>
  /** Those that have begun and are not over: warnings first, then the latest. */
  readonly listCurrent: (nowMs: number) => Promise<readonly AnnouncementRecord[]>
  /** The latest first. */
  readonly listAll: () => Promise<readonly AnnouncementRecord[]>
  /** Deletes those that were over by then, and returns how many. */
  readonly deleteEnded: (untilMs: number) => Promise<number>
}
