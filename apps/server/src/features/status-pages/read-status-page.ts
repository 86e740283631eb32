import { historyDays } from '@astropelago/contract/history'
import type { StatusPage } from '@astropelago/contract/status-pages'
import type { Clock } from '../../clock.ts'
import { dayMs, dayStart, writeDay, type DayTotals } from '../../history/time-spans.ts'
import { isoTime } from '../../iso-time.ts'
import type { ChecksFeature, ShownCheck } from '../checks/public.ts'
import type { DevicesFeature } from '../devices/public.ts'
import type { HistoryFeature } from '../history/public.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { Presence } from '../presence/public.ts'
import type { ShownPage, StatusPagesStore } from './status-pages-store.ts'

export interface StatusPageSources {
  readonly presence: Pick<Presence, 'status' | 'statusSince'>
  readonly devices: Pick<DevicesFeature, 'listShown'>
  readonly islands: Pick<IslandsFeature, 'listShown'>
  readonly checks: Pick<ChecksFeature['shown'], 'listShown'>
  readonly history: Pick<HistoryFeature, 'readDevice'>
}

export interface PageFacts {
  readonly page: ShownPage
  readonly devices: Awaited<ReturnType<DevicesFeature['listShown']>>
  /** In the order of the devices. */
  readonly statuses: readonly StatusPage['devices'][number]['status'][]
  readonly islands: Awaited<ReturnType<IslandsFeature['listShown']>>
  readonly checks: readonly ShownCheck[]
  /** Differs if the page would differ. */
  readonly text: string
}

type DevicePast = Awaited<ReturnType<HistoryFeature['readDevice']>>

/** Uptimes change over time without any event. They are read again this often. */
const pastMs = 60_000

export function statusPageReader(
  deps: StatusPageSources & {
    readonly store: Pick<StatusPagesStore, 'findShown'>
    readonly clock: Clock
  },
) {
  const { store, clock, presence } = deps
  return {
    findShown: store.findShown,
    readFacts: async (username: string): Promise<PageFacts | undefined> => {
      const page = await store.findShown(username)
      if (page === undefined) return undefined
      const { userKey, settings } = page
      const [foundDevices, foundIslands, foundChecks] = await Promise.all([
        settings.devices.length === 0 ? [] : deps.devices.listShown(userKey, settings.devices),
        settings.islands.length === 0 ? [] : deps.islands.listShown(userKey),
        settings.checks.length === 0 ? [] : deps.checks.listShown(userKey),
      ])
      const devices = inOrder(settings.devices, foundDevices)
      const statuses = devices.map(({ key }) => presence.status(key))
      const islands = inOrder(settings.islands, foundIslands)
      const checks = inOrder(settings.checks, foundChecks)
      // Days begin at a multiple of this interval.
      const turn = Math.floor(clock() / pastMs)
      const text = JSON.stringify([turn, page, devices, statuses, islands, checks])
      return { page, devices, statuses, islands, checks, text }
    },

    readPage: async ({
      page,
      devices,
      statuses,
      islands,
      checks,
    }: PageFacts): Promise<StatusPage> => {
      const todayMs = dayStart(clock())
      return {
        username: page.username,
        title: page.settings.title ?? page.username,
        today: writeDay(todayMs),
        devices: await Promise.all(
          devices.map(async ({ key, id, label, publicSinceMs: visibleFromMs }, index) => {
            const [past, { sinceMs }] = await Promise.all([
              deps.history.readDevice({ deviceKey: key, visibleFromMs }),
              presence.statusSince(key),
            ])
            return {
              id,
              label,
              status: statuses[index] ?? 'unknown',
              // Leaves out times from before it was public.
              since: sinceMs !== null && sinceMs >= visibleFromMs ? isoTime(sinceMs) : null,
              ...presentPast({ share: past.share, days: past.days(historyDays) }, todayMs),
            }
          }),
        ),
        islands: await Promise.all(
          islands.map(async ({ slug, name, isOpen, pause, isWatched, since, readPast }) => {
            const past = presentPast(await readPast(), todayMs)
            return { slug, name, isOpen, pause, isWatched, since, ...past }
          }),
        ),
        checks: await Promise.all(
          checks.map(async ({ id, name, status, sinceMs, readPast }) => ({
            id,
            name,
            status,
            since: sinceMs === null ? null : isoTime(sinceMs),
            ...presentPast(await readPast(), todayMs),
          })),
        ),
      }
    },
  }
}

export type StatusPageReader = ReturnType<typeof statusPageReader>

function inOrder<Subject extends { readonly id: string }>(
  ids: readonly string[],
  found: readonly Subject[],
): Subject[] {
  const byId = new Map(found.map((subject) => [subject.id, subject]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

function presentPast(
  past: Pick<DevicePast, 'share'> & { readonly days: readonly DayTotals[] },
  todayMs: number,
) {
  const { uptime, observed } = past.share(historyDays * dayMs)
  const byStart = new Map(past.days.map((day) => [day.startMs, day]))
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
