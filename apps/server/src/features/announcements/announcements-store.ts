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

/** The operator's announcements to everybody. */
export interface AnnouncementsStore {
  /** Returns false if `max` announcements are not over yet at `nowMs`. Safe under simultaneous calls. */
  readonly insert: (
    announcement: AnnouncementRecord,
    limit: { readonly nowMs: number; readonly max: number },
  ) => Promise<boolean>
  readonly find: (id: string) => Promise<AnnouncementRecord | undefined>
  readonly update: (announcement: AnnouncementRecord) => Promise<AnnouncementRecord | undefined>
  /** @returns the deleted announcement */
  readonly delete: (id: string) => Promise<AnnouncementRecord | undefined>
  /** Announcements that have begun and are not over: warnings first, then the latest. */
  readonly listCurrent: (nowMs: number) => Promise<readonly AnnouncementRecord[]>
  /** Latest first. */
  readonly listAll: () => Promise<readonly AnnouncementRecord[]>
  /** Deletes announcements that were over by then, and returns how many. */
  readonly deleteEnded: (untilMs: number) => Promise<number>
}
