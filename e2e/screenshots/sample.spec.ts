import { passwordLogin, register } from '@astropelago/contract/accounts'
import { registerDevice } from '@astropelago/contract/devices'
import { createInvitation } from '@astropelago/contract/island-members'
import { createIsland, listOwnIslands, publishIsland } from '@astropelago/contract/islands'
import { loungeSlug } from '@astropelago/contract/pages'
import { expect, type Page, test } from '@playwright/test'
import {
  fillSample,
  samplePassword,
  sampleSettings,
  sampleUsername,
} from '../../scripts/sample/fill-sample.ts'
import { askApi } from '../harness/ask-api.ts'
import { observatoryParts } from '../harness/observatory-parts.ts'
import { type RunningServer, startServer } from '../harness/start-server.ts'
import { takePictures } from '../harness/take-pictures.ts'

/** Time for a chart to settle, a globe to draw and pictures to load. */
const settleMs = 2500

// Motion is slow on a busy machine, and pictures don't show it.
test.use({ reducedMotion: 'reduce' })

interface Screen {
  readonly path: string
  /** The signed-in user: null for a visitor, the sample's operator by default. */
  readonly by?: string | null
  /** Runs on the loaded page before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>
}

const ofIslands: Readonly<Record<string, Screen>> = {
  host: { path: '/islands/harbor-tales' },
  stranger: { path: '/islands/harbor-tales', by: null },
  visitor: { path: '/islands/harbor-tales', by: 'Wren' },
  member: { path: '/islands/the-loom' },
  closed: { path: '/islands/reef-racers', by: null },
  'without-log': { path: '/islands/night-ferry-cinema', by: 'Wren' },
  'without-link': { path: '/islands/copper-coast', by: 'Wren' },
  'for-navigators': { path: '/islands/windward-writers', by: null },
  'for-members': { path: '/islands/blue-hour', by: 'Wren' },
  draft: {
    path: '/dashboard',
    by: 'Petra',
    act: async (page) => {
      const { slug } = await ownIsland(page, 'Half an Idea')
      await page.goto(`/islands/${slug}`)
    },
  },
  missing: { path: '/islands/no-such-island' },
  'missing-signed-out': { path: '/islands/no-such-island', by: null },
  settings: { path: '/islands/harbor-tales/settings' },
  'settings-picture': { path: '/islands/harbor-tales/settings/picture' },
  'settings-door': { path: '/islands/harbor-tales/settings/door' },
  'settings-members': { path: '/islands/harbor-tales/settings/members' },
  'settings-invitations': {
    path: '/dashboard',
    by: 'Ines',
    act: (page) => goToSettings(page, 'Film Shelf', 'invitations'),
  },
  'settings-requests': { path: '/islands/blue-hour/settings/requests' },
  'settings-neighbours': { path: '/islands/kelp-kitchen/settings/neighbours' },
  'settings-close': { path: '/islands/harbor-tales/settings/close' },
}

const searchByKey: Screen['act'] = async (page) => {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('searchbox').fill('har')
}

/** Screens of a network with data, as `npm run dev -- --sample` shows it. */
const full: Readonly<Record<string, Screen>> = {
  dashboard: { path: '/dashboard' },
  explore: { path: '/explore' },
  'explore-signed-out': { path: '/explore', by: null },
  discover: { path: '/discover' },
  'discover-found': { path: '/discover?q=har' },
  'discover-not-found': { path: '/discover?q=xylophones+and+nothing+else' },
  'discover-mothership': { path: '/discover/mothership' },
  'discover-islands': { path: '/discover/islands' },
  'discover-satellites': { path: '/discover/satellites' },
  'discover-charts': { path: '/discover/charts' },
  'discover-signals': { path: '/discover/signals' },
  'discover-library': { path: '/discover/library' },
  search: { path: '/dashboard', act: searchByKey },
  'harbor-logs': { path: '/harbor-logs' },
  'harbor-logs-signed-out': { path: '/harbor-logs', by: null },
  library: { path: '/library', by: null },
  guide: { path: '/library/nginx', by: null },
  'new-island': { path: '/new-island' },
  'new-island-picture': { path: '/new-island', by: 'Petra', act: (page) => goOn(page, 'picture') },
  'new-island-publish': { path: '/new-island', by: 'Petra', act: (page) => goOn(page, 'publish') },
  'invitation-without-code': { path: '/invitation', by: null },
  invitation: { path: '/explore', by: 'Tomas', act: invite },
  observatory: { path: '/observatory' },
  'observatory-island': { path: '/observatory', act: pointAtIsland },
  'operator-islands': { path: '/mothership/islands' },
}

/** Screens of a new installation, for a new user. */
const empty: Readonly<Record<string, Screen>> = {
  dashboard: { path: '/dashboard' },
  explore: { path: '/explore' },
  discover: { path: '/discover' },
  'discover-mothership': { path: '/discover/mothership' },
  'discover-islands': { path: '/discover/islands' },
  'discover-islands-of-a-kind': { path: '/discover/islands?kind=lab' },
  'discover-satellites': { path: '/discover/satellites' },
  'discover-charts': { path: '/discover/charts' },
  'discover-signals': { path: '/discover/signals' },
  'discover-library': { path: '/discover/library' },
  'harbor-logs': { path: '/harbor-logs' },
  lounge: { path: `/islands/${loungeSlug}`, by: null },
  'new-island': { path: '/new-island' },
  // Last, because after it the installation is no longer empty.
  'explore-not-open': { path: '/explore', act: makeClosedIsland },
}

test.describe('a network with data', () => {
  const server = startedWith({ settings: sampleSettings, prepareData: fillSample })
  for (const [name, screen] of Object.entries(full)) picture(`sample-${name}`, screen, server)
  for (const [name, screen] of Object.entries(ofIslands)) picture(`island-${name}`, screen, server)
})

test.describe('a new installation', () => {
  const server = startedWith({})
  for (const [name, screen] of Object.entries(empty)) picture(`empty-${name}`, screen, server)
})

function startedWith(options: Parameters<typeof startServer>[0]): () => RunningServer {
  // One after the other, because they share a server.
  test.describe.configure({ mode: 'default' })
  let server: RunningServer | undefined
  test.beforeAll(async () => {
    test.setTimeout(180_000)
    server = await startServer(options)
  })
  test.afterAll(async () => {
    await server?.stop()
  })
  return () => {
    if (server === undefined) throw new Error('The server has not been started')
    return server
  }
}

function picture(
  name: string,
  { path, by = sampleUsername, act }: Screen,
  server: () => RunningServer,
) {
  test(name, async ({ browser }) => {
    const page = await browser.newPage({ baseURL: server().url })
    if (by !== null) await signIn(page, by)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await act?.(page)
    await page.waitForTimeout(settleMs)
    await takePictures(page, name)
    await page.close()
  })
}

/** Signs in to this account, and creates it if needed. */
async function signIn({ request }: Page, username: string): Promise<void> {
  const data = { username, password: samplePassword }
  const signedIn = await request.post(passwordLogin.path, { data })
  if (!signedIn.ok()) await askApi(request, register, { data })
}

async function goOn(page: Page, step: 'picture' | 'publish'): Promise<void> {
  const { id } = await ownIsland(page, 'Half an Idea')
  await page.goto(`/new-island?island=${id}&step=${step}`)
}

/** Opens a part of an island's settings. */
async function goToSettings(page: Page, name: string, part: string): Promise<void> {
  const { slug } = await ownIsland(page, name)
  await page.goto(`/islands/${slug}/settings/${part}`)
}

/** Creates an invitation to a members' island, and opens its link as another user. */
async function invite(page: Page): Promise<void> {
  const { id } = await ownIsland(page, 'Cousins')
  const { link } = await askApi(page.request, createInvitation, { params: { id }, data: {} })
  await signIn(page, 'Wren')
  await page.goto(link)
}

/** Opens the card and the row of an island's device. */
async function pointAtIsland(page: Page): Promise<void> {
  const { search } = observatoryParts(page)
  await search.fill('Kelp Kitchen')
  await page.getByRole('application').first().focus()
  await page.keyboard.press('n')
}

/** An island whose device never reported, with the longest name and words. */
async function makeClosedIsland(page: Page): Promise<void> {
  const device = { label: 'W'.repeat(64), lat: 48.2, lon: 16.37 }
  const { id: carrier } = await askApi(page.request, registerDevice, { data: device })
  const island = { kind: 'lab', address: 'https://long.example/', carrier } as const
  const { id } = await askApi(page.request, createIsland, {
    data: { ...island, name: 'W'.repeat(48), tagline: 'w'.repeat(96), slug: 'long-words' },
  })
  const data = { access: 'public', isListed: true } as const
  await askApi(page.request, publishIsland, { params: { id }, data })
  await page.reload()
}

async function ownIsland(page: Page, name: string) {
  const islands = await askApi(page.request, listOwnIslands)
  const found = islands.find((island) => island.name === name)
  if (found === undefined) throw new Error(`There is no island ${name}`)
  return found
}
