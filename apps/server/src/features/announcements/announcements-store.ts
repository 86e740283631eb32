import type { AnnouncementLevel } from '@astropelago/contract/announcements'

export interface AnnouncementRecord {
  readonly id: string
  readonly level: AnnouncementLevel
  readonly title: string
  readonly text: string
  readonly startsMs: number
  readonly endsMs: number | null
}

export interface AnnouncementsStore {
  /** @returns false if `max` announcements have not ended, even under simultaneous calls */
  readonly insert: (
    announcement: AnnouncementRecord,
    limit: { readonly nowMs: number; readonly max: number },
  ) => Promise<boolean>
  readonly find: (id: string) => Promise<AnnouncementRecord | undefined>
  readonly update: (announcement: AnnouncementRecord) => Promise<AnnouncementRecord | undefined>
  readonly delete: (id: string) => Promise<AnnouncementRecord | undefined>
  /** Warnings first, then the latest. */
  readonly listCurrent: (nowMs: number) => Promise<readonly AnnouncementRecord[]>
  /** Latest first. */
  readonly listAll: () => Promise<readonly AnnouncementRecord[]>
  readonly deleteEnded: (untilMs: number) => Promise<number>
}
