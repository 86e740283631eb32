import type { AnnouncementLevel } from '@astropelago/contract/announcements'

export interface AnnouncementRecord {
  readonly id: string
  readonly level: AnnouncementLevel
  readonly title: string
  readonly text: string
  readonly startsMs: number
  /** Null where it has no end. */
  readonly endsMs: number | null
}

/** What the operator tells everybody. */
export interface AnnouncementsStore {
  /** False when as many are not over at `nowMs` as may be; holds under simultaneous calls. */
  readonly insert: (
    announcement: AnnouncementRecord,
    limit: { readonly nowMs: number; readonly max: number },
  ) => Promise<boolean>
  readonly find: (id: string) => Promise<AnnouncementRecord | undefined>
  readonly update: (announcement: AnnouncementRecord) => Promise<AnnouncementRecord | undefined>
  /** @returns what was deleted */
  readonly delete: (id: string) => Promise<AnnouncementRecord | undefined>
  /** Those that have begun and are not over, warnings first and then the last to begin. */
  readonly listCurrent: (nowMs: number) => Promise<readonly AnnouncementRecord[]>
  /** The last to begin first. */
  readonly listAll: () => Promise<readonly AnnouncementRecord[]>
  /** Deletes those that were over by then; returns how many. */
  readonly deleteEnded: (untilMs: number) => Promise<number>
}
