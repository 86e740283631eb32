import { randomUUID } from 'node:crypto'
import { listLogs } from '@astropelago/contract/all-logs'
import { readLog } from '@astropelago/contract/island-log'
import { formatCode } from '@astropelago/contract/one-time-code'
import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test, vi } from 'vitest'
import { registerTestDevice } from '../../test/api-devices.ts'
import { createTestInvitation, makeTestIsland, sendTestSignal } from '../../test/api-islands.ts'
import { contractRoutes, routeName } from '../../test/contract-routes.ts'
import type { TestApp, TestBrowser } from '../../test/create-test-app.ts'
import { makeWebDir } from '../../test/make-web-dir.ts'
import { createOperatorApp } from '../../test/operator-app.ts'
import { makeCode } from '../../one-time-code.ts'
import { IslandListeners } from './testing/island-listeners.ts'
import { IslandModel, type ModelIsland, type ModelViewer } from './testing/island-model.ts'
import { anyMove, makeMove, publications, type IslandWorld } from './testing/island-moves.ts'
import { islandProbes, type ProbeTarget } from './testing/island-probes.ts'

/** The last of the four users only hosts, until an operator disables that user. */
const hosts = [0, 0, 1, 3]
/** The number of worlds. The same seed repeats the same moves. */
const runs = Number(process.env['DOORS_RUNS'] ?? 1)
const seed = Number(process.env['DOORS_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
/** Moves between two checks of everything. */
const round = fc.array(anyMove, { minLength: 10, maxLength: 12 })
const viewers: readonly ModelViewer[] = [0, 1, 2, null]

const exported = 'GET /api/me/export'
const allLogs = 'GET /api/islands/logs'

/** Lists that take no island's name, and the islands that each has to contain. */
const lists: Readonly<
  Record<string, (model: IslandModel, viewer: ModelViewer, island: ModelIsland) => boolean>
> = {
  'GET /api/islands': isListed,
  'GET /api/islands/chart': isListed,
  'GET /api/islands/carried': (model, viewer, island) =>
    isListed(model, viewer, island) && island.hasCarrier,
  'GET /api/islands/signals': (model, viewer, island) =>
    isListed(model, viewer, island) && island.access === 'public',
  [allLogs]: (model, viewer, island) =>
    model.enters(viewer, island) &&
    (isListed(model, viewer, island) || isOwn(model, viewer, island)),
  // In this test, nobody follows an island.
  [`${allLogs} that are one’s own`]: (model, viewer, island) =>
    model.enters(viewer, island) && isOwn(model, viewer, island),
  'GET /api/search': (model, viewer, island) =>
    isListed(model, viewer, island) ||
    model.isHost(viewer, island) ||
    (model.hasJoined(viewer, island) && model.knows(viewer, island)),
  'GET /api/me/islands': (model, viewer, island) => model.isHost(viewer, island),
  'GET /api/me/memberships': (model, viewer, island) =>
    model.hasJoined(viewer, island) && model.knows(viewer, island),
  'GET /api/me/activity': (model, viewer, island) =>
    model.isHost(viewer, island) ||
    (model.hasJoined(viewer, island) && model.enters(viewer, island)),
  'GET /api/me/data': () => false,
  [exported]: (model, viewer, island) =>
    model.knows(viewer, island) &&
    viewer !== null &&
    (viewer === island.host ||
      viewer === island.author ||
      island.members.has(viewer) ||
      island.askers.has(viewer)),
}
/** Lists that also name neighbours, which their reader may see. */
const namingNeighbours = new Set(['GET /api/me/islands', exported, 'GET /api/search'])
const ofUsersAlone = /^GET \/api\/(me|search)/

/** The streams that viewers read during the moves. Both forms of the feed carry the same messages. */
const listenedTo = ['GET /api/me/stream', 'GET /api/devices/stream', 'GET /api/devices/live']
/** Routes that can't reveal anything about another user's island. */
const elsewhere = [
  'POST /api/islands',
  'GET /api/me/slugs/:slug',
  'GET /api/me',
  'GET /api/me/sessions',
  'GET /api/me/email',
  'GET /api/me/api-keys',
  'GET /api/me/devices',
  'GET /api/me/devices.csv',
  'GET /api/me/devices/strips',
  'GET /api/me/alerts',
  'GET /api/me/alerts/channels',
  'GET /api/me/alerts/checks/:id',
  'GET /api/me/alerts/devices/:id',
  'GET /api/me/check-locations',
  'GET /api/me/checks/:id/proof',
  'GET /api/me/alerts/messages',
  'GET /api/me/status-page',
  // A check names an island of its owner.
  'GET /api/me/checks',
  'GET /api/me/checks/:id',
  // These are their host’s alone, like an island’s pages.
  'GET /api/islands/:id/runtime',
  'PATCH /api/islands/:id/runtime',
  // They name only islands that the user may see, and hold what the user left there.
  'GET /api/me/islands-data',
  'GET /api/me/islands-data/:id',
]

function isOwn(model: IslandModel, viewer: ModelViewer, island: ModelIsland): boolean {
  return model.isHost(viewer, island) || model.hasJoined(viewer, island)
}

function isListed(model: IslandModel, _: ModelViewer, island: ModelIsland): boolean {
  return model.isShown(island) && island.isListed
}

test('S54 no route that could tell of an island is left out below', () => {
  const tags = new Set([
    'Islands',
    'Island members',
    'Island logs',
    'Search',
    'Live feed',
    'Reports',
  ])
  const telling = contractRoutes
    .filter(({ tag, access }) => tags.has(tag) && access !== 'operator')
    .map(routeName)
  const ofAccounts = contractRoutes.map(routeName).filter((name) => name.startsWith('GET /api/me'))
  const asked = new Set([
    ...Object.keys(islandProbes),
    ...Object.keys(lists),
    ...listenedTo,
    ...elsewhere,
  ])
  expect([...telling, ...ofAccounts].filter((name) => !asked.has(name))).toEqual([])
})

test(
  'AL11 S54 S57 S23 whatever hosts, members and operators do, no route and no stream tells of an island whom it is not for',
  async () => {
    process.stdout.write(`${runs} worlds of islands by DOORS_SEED=${seed}\n`)
    const testApp = await createOperatorApp({ webDir: await makeWebDir() })
    const url = await testApp.app.listen({ host: '127.0.0.1', port: 0 })
    await fc.assert(
      fc.asyncProperty(publications, fc.tuple(round, round), async (published, rounds) => {
        const world = await setUp(testApp)
        const listeners = await IslandListeners.open({ url, ...world }, viewers)
        try {
          for (const moves of [[...published, ...rounds[0]], rounds[1]]) {
            await listeners.connect()
            for (const move of moves) {
              await makeMove(world, move)
              listeners.noteMove()
            }
            // Answers that are the same for everybody are cached for a moment.
            testApp.clock.move(1000)
            await probeAll(testApp, world)
            await listeners.check()
          }
        } finally {
          listeners.close()
          await takeAway(world)
        }
        expect(world.model.islands).toHaveLength(hosts.length)
      }),
      // After a failure, fast-check looks this long for a smaller one.
      { numRuns: runs, seed, interruptAfterTimeLimit: 60_000 + runs * 10_000 },
    )
  },
  120_000 + runs * 20_000,
)

interface World extends IslandWorld {
  /** Part of the name of each island, to search for. */
  readonly word: string
}

/** Four users and their islands, all drafts. */
async function setUp({ signUp, operator }: TestApp & { readonly operator: TestBrowser }) {
  const users = [await signUp(), await signUp(), await signUp(), await signUp()]
  const word = newMark()
  const model = new IslandModel()
  for (const host of hosts) {
    const browser = users[host] ?? operator
    const [mark, innerMark, addressMark] = [newMark(), newMark(), newMark()]
    const { id: carrier } = await registerTestDevice(browser)
    const { id, slug } = await makeTestIsland(browser, {
      slug: mark,
      name: `${word} ${mark}`,
      about: mark,
      rules: mark,
      address: `https://${addressMark}.example/`,
      carrier,
    })
    const { id: entryId } = await sendTestSignal(browser, id, { text: innerMark })
    const invitation = await createTestInvitation(browser, id, { uses: 200 })
    model.islands.push({
      id,
      slug,
      plainSlugs: new Set(),
      host,
      author: host,
      writers: new Set([host]),
      mark,
      innerMark,
      addressMark,
      entryId,
      invitation,
      isRevoked: false,
      hasCarrier: true,
      access: 'invited',
      isListed: false,
      isPublished: false,
      isHidden: false,
      isPaused: false,
      isClosed: false,
      members: new Set(),
      askers: new Set(),
      blocked: new Set(),
      reporters: new Set(),
    })
  }
  const world: World = { model, users, operator, word }
  return world
}

/** Hides what is left of a world, so that the lists have room for the islands of the next one. */
async function takeAway({ model, operator }: World): Promise<void> {
  for (const { id, isClosed } of model.islands) {
    const url = `/api/operator/hidden/island/${id}`
    const payload = { reason: 'Over' }
    if (!isClosed) await operator.inject({ method: 'POST', url, payload })
  }
}

/** A unique word without letters that look alike. */
function newMark(): string {
  const hex = randomUUID().replaceAll('-', '').slice(0, 12)
  return `q${hex.replaceAll(/\d/g, (digit) => 'ghjkmpqtxy'.charAt(Number(digit)))}`
}

type Inject = Pick<TestApp, 'inject'>

async function probeAll(testApp: Inject, world: World): Promise<void> {
  for (const viewer of viewers) {
    const as = viewer === null ? testApp : (world.users[viewer] ?? testApp)
    for (const island of world.model.islands) await probeIsland(as, viewer, world, island)
    await probeLists(as, viewer, world)
  }
  await vi.waitFor(async () => {
    const { body } = await testApp.inject({ url: '/sitemap.xml' })
    const { model } = world
    expect(marksIn(body, model)).toEqual(marksOf(model, (one) => isListed(model, null, one)))
  }, 3000)
}

async function probeIsland(as: Inject, viewer: ModelViewer, world: World, island: ModelIsland) {
  const { model, users } = world
  const username = users[1]?.username ?? ''
  const target = {
    ...island,
    invitationId: island.invitation.id,
    code: island.invitation.code,
  }
  for (const [name, { request, isFor, isRead, isForEverybody }] of Object.entries(islandProbes)) {
    const isAllowed = isFor(model, viewer, island)
    if (isAllowed && !isRead) continue
    const asked = { name, viewer, island: model.islands.indexOf(island) }
    const answer = await ask(as, request(target, username), target)
    if (isAllowed) {
      expect({ ...asked, status: answer.status }).toEqual({ ...asked, status: expect.any(Number) })
      expect({ ...asked, isAnswered: answer.status < 400 }).toEqual({ ...asked, isAnswered: true })
    } else {
      const missing = missingTarget()
      const expected = await ask(as, request(missing, username), missing)
      expect({ ...asked, ...answer }).toEqual({ ...asked, ...expected })
    }
    const reader = isForEverybody === true ? null : viewer
    expect({ ...asked, leaks: leaksIn(answer.body, reader, model) }).toEqual({
      ...asked,
      leaks: [],
    })
    if (name.endsWith('/log') && isAllowed && !model.knowsMembers(viewer, island)) {
      expect(namesOfJoined(answer.body)).toEqual([])
    }
  }
  await probeSlugs(as, viewer, model, island)
}

/** A slug check reveals only plain slugs, which everybody could see at some time. */
async function probeSlugs(
  as: Inject,
  viewer: ModelViewer,
  model: IslandModel,
  island: ModelIsland,
) {
  if (viewer === null || viewer === island.host) return
  const check = async (slug: string) =>
    (await as.inject({ url: `/api/me/slugs/${slug}` })).json<{ isFree: boolean }>()
  for (const slug of [island.mark, `${island.mark}x`]) {
    expect((await check(slug)).isFree).toBe(!island.plainSlugs.has(slug))
  }
  if (!island.plainSlugs.has(island.slug)) {
    expect(await check(island.slug)).toEqual(await check(missingTarget().slug))
  }
  expect(model.islands).toContain(island)
}

async function probeLists(as: Inject, viewer: ModelViewer, { model, word }: World) {
  for (const [name, isNamed] of Object.entries(lists)) {
    if (viewer === null && ofUsersAlone.test(name)) continue
    const [, path = ''] = name.split(' ')
    const query =
      name === 'GET /api/search' ? `?q=${word}` : name.endsWith('one’s own') ? '?whose=own' : ''
    const { statusCode, body } = await as.inject({ url: path + query })
    const asked = { name, viewer, statusCode }
    const named = marksOf(model, (island) => isNamed(model, viewer, island))
    const found = marksIn(body, model)
    const told = namingNeighbours.has(name) ? found.filter((mark) => named.includes(mark)) : found
    expect({ ...asked, named: told }).toEqual({ ...asked, statusCode: 200, named })
    if (name.startsWith(allLogs)) {
      const secret = model.islands.filter((island) => !model.knowsMembers(viewer, island))
      expect({ ...asked, joined: namesOfJoinedAt(body, secret) }).toEqual({ ...asked, joined: [] })
    }
    // Users may read everything that they wrote themselves, on any island.
    const own = model.islands.filter(
      ({ writers }) => name === exported && viewer !== null && writers.has(viewer),
    )
    const ownWords = new Set(own.map(({ innerMark }) => innerMark))
    const leaks = leaksIn(body, viewer, model).filter((mark) => !ownWords.has(mark))
    expect({ ...asked, leaks }).toEqual({ ...asked, leaks: [] })
  }
}

/** An answer without the parts that differ each time, and without the requested slug. */
async function ask({ inject }: Inject, request: Parameters<Inject['inject']>[0], of: ProbeTarget) {
  const { statusCode, headers, body } = await inject(request)
  const { date: _date, 'content-length': _length, ...kept } = headers
  const plain = (text: string) =>
    text.replaceAll(/nonce-[\w+/=-]+|nonce="[^"]*"/g, 'nonce').replaceAll(of.slug, 'slug')
  return { status: statusCode, headers: plain(JSON.stringify(kept)), body: plain(body) }
}

/** Valid names for an island that does not exist. */
function missingTarget(): ProbeTarget {
  return {
    id: randomUUID(),
    slug: `${newMark()}-x1y2z3`,
    entryId: randomUUID(),
    invitationId: randomUUID(),
    code: formatCode(makeCode()),
  }
}

function marksOf(model: IslandModel, isNamed: (island: ModelIsland) => boolean): string[] {
  return model.islands.filter(isNamed).map(({ mark }) => mark)
}

function marksIn(body: string, model: IslandModel): string[] {
  return marksOf(model, ({ mark }) => body.includes(mark))
}

/** The marks in an answer that this viewer may not read. */
function leaksIn(body: string, viewer: ModelViewer, model: IslandModel): string[] {
  return model.islands.flatMap((island) => [
    ...(body.includes(island.mark) && !model.knows(viewer, island) ? [island.mark] : []),
    ...(body.includes(island.innerMark) && !model.enters(viewer, island) ? [island.innerMark] : []),
    ...(body.includes(island.addressMark) && !model.goesIn(viewer, island)
      ? [island.addressMark]
      : []),
  ])
}

function namesOfJoinedAt(body: string, islands: readonly ModelIsland[]): unknown[] {
  const { entries } = v.parse(listLogs.answers[200], JSON.parse(body))
  return entries.filter(
    ({ island, entry: { kind, author } }) =>
      kind === 'joined' && author !== null && islands.some(({ slug }) => slug === island.slug),
  )
}

function namesOfJoined(body: string): unknown[] {
  const { entries } = v.parse(readLog.answers[200], JSON.parse(body))
  return entries.filter(({ kind, author }) => kind === 'joined' && author !== null)
}
