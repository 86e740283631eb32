import { historyDays } from '@astropelago/contract/history'
import type { Status } from '@astropelago/contract/devices'
import type { IslandPause } from '@astropelago/contract/islands'
import type { StatusPage } from '@astropelago/contract/status-pages'
import type { Clock } from '../../clock.ts'
import {
  dayMs,
  dayStart,
  writeDay,
  type DayTotals,
  type SeenShare,
} from '../../history/time-spans.ts'
import type { ShownPage, StatusPagesStore } from './status-pages-store.ts'

/** A device that everybody may know of. */
interface ShownDevice {
  readonly key: number
  readonly id: string
  readonly label: string
  readonly publicSinceMs: number
}

/** The public part of a history. */
interface PastOf {
  readonly share: (forMs: number) => SeenShare
}

/** An island that everybody may know of. */
interface ShownIsland {
  readonly key: number
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly isOpen: boolean
  readonly pause: IslandPause | null
  readonly isWatched: boolean
  /** ISO 8601. */
  readonly since: string | null
  /** Public from `visibleFromMs` on; null: not at all. */
  readonly readPast: () => Promise<
    PastOf & { readonly days: readonly DayTotals[]; readonly visibleFromMs: number | null }
  >
}

export interface StatusPageReaderDeps {
  readonly store: Pick<StatusPagesStore, 'findShown'>
  readonly clock: Clock
  /** Returns those of the user's devices that everybody may know of. */
  readonly listDevices: (userKey: number, ids: readonly string[]) => Promise<readonly ShownDevice[]>
  readonly status: (deviceKey: number) => Status
  readonly statusSince: (deviceKey: number) => Promise<{ readonly sinceMs: number | null }>
  readonly readDevicePast: (device: {
    readonly deviceKey: number
    readonly visibleFromMs: number
  }) => Promise<PastOf & { readonly days: (count: number) => readonly DayTotals[] }>
  /** Returns those of the user's islands that everybody may know of. */
  readonly listIslands: (userKey: number) => Promise<readonly ShownIsland[]>
}

/** The facts that a page is made from. */
export interface PageFacts {
  readonly page: ShownPage
  readonly devices: readonly ShownDevice[]
  /** In the order of the devices. */
  readonly statuses: readonly Status[]
  readonly islands: readonly ShownIsland[]
  /** Differs if the page would differ. */
  readonly text: string
}

/** Uptimes change over time without any event. They are read again this often. */
const pastMs = 60_000

export function statusPageReader(deps: StatusPageReaderDeps) {
  const { store, clock, listDevices, status, statusSince, readDevicePast, listIslands } = deps

  return {
    findShown: (username: string) => store.findShown(username),
    /** Current public facts; undefined if there is no such page. */
    look: async (username: string): Promise<PageFacts | undefined> => {
      const page = await store.findShown(username)
      if (page === undefined) return undefined
      const { userKey, settings } = page
      const [foundDevices, foundIslands] = await Promise.all([
        settings.devices.length === 0 ? [] : listDevices(userKey, settings.devices),
        settings.islands.length === 0 ? [] : listIslands(userKey),
      ])
      const devices = inOrder(settings.devices, foundDevices)
      const statuses = devices.map(({ key }) => status(key))
      const islands = inOrder(settings.islands, foundIslands)
      // Days begin at a multiple of this interval.
      const turn = Math.floor(clock() / pastMs)
      const text = JSON.stringify([turn, page, devices, statuses, islands])
      return { page, devices, statuses, islands, text }
    },

    read: async ({ page, devices, statuses, islands }: PageFacts): Promise<StatusPage> => {
      const todayMs = dayStart(clock())
      return {
        username: page.username,
        title: page.settings.title ?? page.username,
        today: writeDay(todayMs),
        devices: await Promise.all(
          devices.map(async ({ key, id, label, publicSinceMs: visibleFromMs }, index) => {
            const [past, { sinceMs }] = await Promise.all([
              readDevicePast({ deviceKey: key, visibleFromMs }),
              statusSince(key),
            ])
            const since = toldSince(sinceMs, visibleFromMs)
            const days = past.days(historyDays)
            return {
              id,
              label,
              status: statuses[index] ?? 'unknown',
              since,
              ...presentPast({ ...past, days }, todayMs),
            }
          }),
        ),
        islands: await Promise.all(
          islands.map(async ({ slug, name, isOpen, pause, isWatched, since, readPast }) => {
            const past = await readPast()
            const sinceMs = since === null ? null : Date.parse(since)
            return {
              slug,
              name,
              isOpen,
              pause,
              isWatched,
              since: toldSince(sinceMs, past.visibleFromMs),
              ...presentPast(past, todayMs),
            }
          }),
        ),
      }
    },
  }
}

export type StatusPageReader = ReturnType<typeof statusPageReader>

/** The found things in their owner's order. */
function inOrder<Thing extends { readonly id: string }>(
  ids: readonly string[],
  found: readonly Thing[],
): readonly Thing[] {
  const byId = new Map(found.map((thing) => [thing.id, thing]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Leaves out times from before it was public. */
function toldSince(sinceMs: number | null, visibleFromMs: number | null): string | null {
  const isAlerted = sinceMs !== null && visibleFromMs !== null && sinceMs >= visibleFromMs
  return isAlerted ? new Date(sinceMs).toISOString() : null
}

function presentPast(
  { days, share }: PastOf & { readonly days: readonly DayTotals[] },
  todayMs: number,
) {
  const { uptime, observed } = share(historyDays * dayMs)
  const byStart = new Map(days.map((day) => [day.startMs, day]))
  return {
    uptime: uptime === null ? null : shortShare(uptime),
    observed: shortShare(observed),
    days: Array.from({ length: historyDays }, (_, index) => {
      const day = byStart.get(todayMs - (historyDays - 1 - index) * dayMs)
      const seenMs = day === undefined ? 0 : day.upMs + day.downMs
      return day === undefined || seenMs === 0 ? null : shortShare(day.upMs / seenMs)
    }),
  }
}

/** Rounds down, so that 1 means no fault at all. */
function shortShare(share: number): number {
  return Math.floor(share * 10_000) / 10_000
}
