/**
 * Opens screens for component tests: the real app, or a part of it, in a real Chromium (vitest.config.ts),
 * without a server. A test
 *
 * - answers the page's calls (answer-api.ts; for the live feed answer-feed.ts) by the contract's routes,
 *   with data that fits them (samples.ts); a call without an answer fails the test,
 * - opens a whole screen with `openScreen(path)`, or one component with `openPart(<Part />)`,
 * - finds, clicks and types through `page` and `userEvent` of vitest/browser, as a user would, and
 *   expects with `await expect.element(...)`, which waits,
 * - checks the result with `expectAccessible` (accessibility.ts); enables animations with
 *   `allowMotion()`, and moves time ahead after `holdTime()` (emulation.ts); emulates a phone with
 *   `page.viewport(360, 900)`,
 * - fails on any error or warning in the console, and if the page leaves the document without
 *   `watchDepartures` (departures.ts).
 *
 * Files share a page. Pages run in parallel, each with its own storage, cookies and focus; only the
 * clipboard is shared, in turns (clipboard.ts). set-up.ts resets the page after each test.
 */
import { getCheckArcs } from '@astropelago/contract/check-locations'
import { getMe, hintCookie, type User } from '@astropelago/contract/me'
import { listAnnouncements } from '@astropelago/contract/announcements'
import { deviceStatusBadge, islandStatusBadge } from '@astropelago/contract/embeds'
import { streamFeed } from '@astropelago/contract/feed'
import { listGuides, readGuide } from '@astropelago/contract/guides'
import { listDeviceStrips } from '@astropelago/contract/history'
import { listIslands } from '@astropelago/contract/island-directory'
import { readIslandHistory, readIslandUptime } from '@astropelago/contract/island-history'
import { getRelay } from '@astropelago/contract/island-relay'
import { getIsland } from '@astropelago/contract/islands'
import { readAttendance } from '@astropelago/contract/rooms'
import type { ReactNode } from 'react'
import type { RouteObject } from 'react-router'
import { onTestFinished } from 'vitest'
import { cleanup, render } from 'vitest-browser-react/pure'
import land from 'world-atlas/land-110m.json'
import landUrl from 'world-atlas/land-110m.json?url'
import { App } from '../app.tsx'
import { GuardedPages } from '../features/shell/pages.tsx'
import { createQueryClient } from '../lib/query-client.ts'
import { BrowserRouter } from '../lib/router/browser-router.tsx'
import { loadPageAt } from '../lib/router/page-route.tsx'
import { showUser } from '../lib/session.ts'
import { createRoutes } from '../routes.tsx'
import { answerApi, isAnswered, refused, respondTo } from './answer-api.ts'
import { answerFeed } from './answer-feed.ts'

const noPicture = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"/>'

interface Visit {
  /** The signed-in user; nobody if undefined. A promise keeps the page waiting for the session. */
  readonly user?: User | Promise<User>
}

/** Opens the whole app at a path, as main.tsx does. */
export async function openScreen(path: string, { user }: Visit = {}): Promise<void> {
  window.history.replaceState(null, '', path)
  const routes = createRoutes()
  await loadPageAt(routes, window.location.pathname)
  await draw(routes, user)
}

interface PartVisit extends Visit {
  /** The address at which the part renders. */
  readonly path?: string
}

/** Opens a single component in the app's context, including the route guard if there is a user. */
export async function openPart(part: ReactNode, { path = '/', user }: PartVisit = {}) {
  window.history.replaceState(null, '', path)
  // One page at all addresses, whose code is there.
  const routes = [{ path: '*', element: part, handle: () => undefined }]
  await draw(user === undefined ? routes : [{ element: <GuardedPages />, children: routes }], user)
}

/** Opens the test's own routes at /, for a signed-out visitor. */
export async function openRoutes(routes: RouteObject[]): Promise<void> {
  window.history.replaceState(null, '', '/')
  await draw(routes, undefined)
}

async function draw(routes: RouteObject[], user: Visit['user']): Promise<void> {
  const queryClient = createQueryClient()
  const { queries } = queryClient.getDefaultOptions()
  // Retry at once, instead of after one and then two seconds.
  queryClient.setDefaultOptions({ queries: { ...queries, retryDelay: 0 } })
  if (user === undefined) {
    answerApi(getMe, refused('signed_out'))
    showUser(queryClient, null)
  } else {
    answerApi(getMe, async () => ({ status: 200, body: { user: await user } }))
    document.cookie = `${hintCookie}=1;path=/`
  }
  if (!isAnswered(listAnnouncements)) answerApi(listAnnouncements, { status: 200, body: [] })
  // Explore requests them, and visitors without access to another page are sent there.
  if (!isAnswered(listIslands)) {
    answerApi(listIslands, { status: 200, body: { islands: [], total: 0, next: null } })
  }
  // Cards of islands show how many people are there.
  if (!isAnswered(readAttendance)) answerApi(readAttendance, { status: 200, body: {} })
  // The Library lists the operator's guides, and looks for names there that the build does not have.
  if (!isAnswered(listGuides)) answerApi(listGuides, { status: 200, body: [] })
  if (!isAnswered(readGuide)) answerApi(readGuide, refused('not_found'))
  // The page of a slug checks whether an island has that name.
  if (!isAnswered(getIsland)) answerApi(getIsland, refused('not_found'))
  // Account and the dashboard show the history of all devices.
  if (!isAnswered(listDeviceStrips)) answerApi(listDeviceStrips, { status: 200, body: [] })
  // Pages of devices and islands show their badges.
  for (const badge of [deviceStatusBadge, islandStatusBadge]) {
    if (!isAnswered(badge)) respondTo(badge.method, badge.path, async () => new Response(noPicture))
  }
  // So do they show who looks at what they have.
  if (!isAnswered(getCheckArcs)) {
    answerApi(getCheckArcs, { status: 200, body: { target: null, locations: [] } })
  }
  // An island's page shows its history.
  if (!isAnswered(readIslandHistory)) {
    const body = { from: null, days: [], spans: [], events: [], next: null }
    answerApi(readIslandHistory, { status: 200, body })
  }
  if (!isAnswered(readIslandUptime)) {
    const body = { isOpen: false, isWatched: false, since: null, windows: [] }
    answerApi(readIslandUptime, { status: 200, body })
  }
  if (!isAnswered(getRelay)) answerApi(getRelay, { status: 200, body: { addresses: null } })
  if (!isAnswered(streamFeed)) answerFeed()
  // Explore renders a globe once its place is near the viewport.
  if (!isAnswered({ method: 'GET', path: landUrl })) {
    respondTo('GET', landUrl, async () => Response.json(land))
  }
  onTestFinished(async () => {
    await cleanup()
    queryClient.clear()
  })
  await render(
    <App queryClient={queryClient}>
      <BrowserRouter routes={routes} />
    </App>,
  )
}
