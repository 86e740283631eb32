/**
 * What a component test stands on: the real app, or a part of it, in a real Chromium (apps/web/
 * vitest.config.ts), with nothing behind it. A test
 *
 * - answers what the page will ask (answer-api.ts; the live feed: answer-feed.ts), by the contract's
 *   routes and with data that fits them (samples.ts); a call that nobody answers fails it,
 * - draws a whole screen by `openScreen(path)`, or one component by `openPart(<Part />)`,
 * - finds, clicks and types by `page` and `userEvent` of vitest/browser, as a person would, and
 *   expects with `await expect.element(...)`, which waits,
 * - judges what stands there by `expectAccessible` (accessibility.ts); moves as far as a visitor
 *   without reduced motion would see by `allowMotion()`, and moves time ahead after `holdTime()`
 *   (emulation.ts); is on a phone after `page.viewport(360, 900)`,
 * - fails on any error or warning in the console, and when the document would be left without
 *   `watchDepartures` (departures.ts).
 *
 * Files share a page, and pages run side by side, each with its own storage, cookies and focus; only the
 * clipboard is taken in turns (clipboard.ts). set-up.ts puts the page back after each test.
 */
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
import type { ReactNode } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { onTestFinished } from 'vitest'
import { cleanup, render } from 'vitest-browser-react/pure'
import land from 'world-atlas/land-110m.json'
import landUrl from 'world-atlas/land-110m.json?url'
import { App } from '../app.tsx'
import { GuardedPages } from '../features/shell/guarded-pages.tsx'
import { createQueryClient } from '../lib/query-client.ts'
import { showUser } from '../lib/session.ts'
import { createRoutes, fetchPageAt } from '../routes.tsx'
import { answerApi, isAnswered, refused, respondTo } from './answer-api.ts'
import { answerFeed } from './answer-feed.ts'

const noPicture = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="20"/>'

interface Visit {
  /** Who is signed in, or, while it is a promise, who the page has yet to hear of; nobody when left out. */
  readonly user?: User | Promise<User>
}

/** The whole app at a path, as main.tsx starts it. */
export async function openScreen(path: string, { user }: Visit = {}): Promise<void> {
  window.history.replaceState(null, '', path)
  const routes = createRoutes()
  await fetchPageAt(routes, window.location.pathname)
  await draw(routes, user)
}

interface PartVisit extends Visit {
  /** The address that the part sees. */
  readonly path?: string
}

/** A component by itself, with what the app has around it; the guard too, where there is a user. */
export async function openPart(part: ReactNode, { path = '/', user }: PartVisit = {}) {
  window.history.replaceState(null, '', path)
  const routes = [{ path: '*', element: part }]
  await draw(user === undefined ? routes : [{ element: <GuardedPages />, children: routes }], user)
}

/** Routes of the test's own, for a visitor at /. */
export async function openRoutes(routes: RouteObject[]): Promise<void> {
  window.history.replaceState(null, '', '/')
  await draw(routes, undefined)
}

async function draw(routes: RouteObject[], user: Visit['user']): Promise<void> {
  const queryClient = createQueryClient()
  const { queries } = queryClient.getDefaultOptions()
  // What is tried again is so at once, not after one second and two more.
  queryClient.setDefaultOptions({ queries: { ...queries, retryDelay: 0 } })
  if (user === undefined) {
    answerApi(getMe, refused('signed_out'))
    showUser(queryClient, null)
  } else {
    answerApi(getMe, async () => ({ status: 200, body: { user: await user } }))
    document.cookie = `${hintCookie}=1;path=/`
  }
  if (!isAnswered(listAnnouncements)) answerApi(listAnnouncements, { status: 200, body: [] })
  // Explore asks for them, and who may not stay elsewhere is led there.
  if (!isAnswered(listIslands)) {
    answerApi(listIslands, { status: 200, body: { islands: [], total: 0, next: null } })
  }
  // The Library lists those of the operator, and looks there for a name that the build has not.
  if (!isAnswered(listGuides)) answerApi(listGuides, { status: 200, body: [] })
  if (!isAnswered(readGuide)) answerApi(readGuide, refused('not_found'))
  // Of a slug it is asked whether an island is called so.
  if (!isAnswered(getIsland)) answerApi(getIsland, refused('not_found'))
  // Account and the dashboard draw the days of whatever devices there are.
  if (!isAnswered(listDeviceStrips)) answerApi(listDeviceStrips, { status: 200, body: [] })
  // Pages of devices and islands show their badges.
  for (const badge of [deviceStatusBadge, islandStatusBadge]) {
    if (!isAnswered(badge)) respondTo(badge.method, badge.path, async () => new Response(noPicture))
  }
  // An island's page draws when it was open.
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
  // Explore draws a globe once its place is near the screen.
  if (!isAnswered({ method: 'GET', path: landUrl })) {
    respondTo('GET', landUrl, async () => Response.json(land))
  }
  const router = createBrowserRouter(routes)
  onTestFinished(async () => {
    await cleanup()
    router.dispose()
    queryClient.clear()
  })
  await render(
    <App queryClient={queryClient}>
      <RouterProvider router={router} />
    </App>,
  )
}
