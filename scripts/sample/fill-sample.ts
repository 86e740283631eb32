import { passwordLogin, register } from '@astropelago/contract/accounts'
import { createAnnouncement } from '@astropelago/contract/announcements'
import { createDeviceToken, registerDevice, tokenHeartbeat } from '@astropelago/contract/devices'
import { leaveNote, sendSignal } from '@astropelago/contract/island-log'
import { joinIsland } from '@astropelago/contract/island-members'
import {
  createIsland,
  type OwnIsland,
  publishIsland,
  updateIsland,
} from '@astropelago/contract/islands'
import type { AnswerBody, Route } from '@astropelago/contract/route'
import { pino } from 'pino'
import * as v from 'valibot'
import { buildApp } from '../../apps/server/src/app.ts'
import { readConfig } from '../../apps/server/src/config.ts'
import { openStorage } from '../../apps/server/src/storage/storage.ts'
import { movableClock } from '../../apps/server/src/test/movable-clock.ts'
import {
  sampleAbout,
  type SampleIsland,
  sampleIslands,
  sampleNotes,
  sampleRequests,
  sampleRules,
  sampleSignals,
} from './sample-islands.ts'
import { sampleDeviceNames, samplePlaces } from './sample-places.ts'

/** The first user is the operator. */
const usernames = ['Mira', 'Tomas', 'Ines', 'Jun', 'Okoro', 'Petra', 'Sol', 'Wren'] as const
/** All of them share it, since nobody else can reach a throwaway database. */
export const samplePassword = 'a sample of an archipelago'
export const sampleUsername: string = usernames[0]
/** Settings for the server that keep the devices that reported during filling online. */
export const sampleSettings = { ONLINE_WINDOW_S: '86400', OPERATORS: sampleUsername } as const

const deviceCount = 300
/** Devices that have not reported for days. */
const goneCount = 45
const dayMs = 86_400_000
const hourMs = 3_600_000
/** How many days ago the sample's first event was. */
const historyDays = 20

type App = Awaited<ReturnType<typeof buildApp>>

/** A signed-in user. */
interface Navigator {
  readonly username: string
  /** @throws if the server refuses the call */
  readonly call: Call
}

type Call = <const R extends Route>(route: R, given?: CallInput) => Promise<AnswerBody<R>>

interface CallInput {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: object
}

interface MadeIsland {
  readonly sample: SampleIsland
  readonly host: Navigator
  readonly island: OwnIsland
}

interface Time {
  readonly now: () => number
  readonly move: (ms: number) => void
}

/**
 * Fills an empty data folder with users, devices, islands and logs, through the API and with a clock that
 * runs from twenty days ago until now. Apart from ids, the result is the same each time.
 */
export async function fillSample(dataDir: string): Promise<void> {
  const clock = movableClock(Date.now() - historyDays * dayMs)
  await withApp(dataDir, clock.now, {}, async (app) => {
    const people: Navigator[] = []
    for (const username of usernames) people.push(await signIn(app, register, username))
    const islands = await makeIslands(people, clock)
    await drawRoutes(islands)
    await fillLogs(people, islands, clock)
    await makeDevices(app, people, { from: 0, to: goneCount })
    clock.move(Math.max(0, Date.now() - clock.now()))
    await reportCarriers(app, islands)
    const carrierCount = islands.filter(({ sample }) => hasCarrier(sample)).length
    await makeDevices(app, people, { from: goneCount, to: deviceCount - carrierCount })
  })
  // Nobody can register a name in OPERATORS, so set it only after this user exists.
  await withApp(
    dataDir,
    () => Date.now(),
    { OPERATORS: sampleUsername },
    async (app) => {
      await announce(await signIn(app, passwordLogin, sampleUsername))
    },
  )
}

async function withApp(
  dataDir: string,
  clock: () => number,
  settings: Readonly<Record<string, string>>,
  act: (app: App) => Promise<void>,
): Promise<void> {
  const storage = await openStorage({
    dataDir,
    onFatal: (error) => {
      throw error
    },
  })
  const config = readConfig({ ...settings, DATA_DIR: dataDir, LIMIT_EXEMPT: '127.0.0.1' })
  const log = pino({ level: 'silent' })
  const app = await buildApp({ config, storage, clock, log, webDir: undefined, makesLounge: true })
  try {
    await act(app)
  } finally {
    await app.close()
    await storage.close()
  }
}

async function signIn(
  app: App,
  route: typeof register | typeof passwordLogin,
  username: string,
): Promise<Navigator> {
  const payload = { username, password: samplePassword }
  const answer = await app.inject({ method: 'POST', url: route.path, payload })
  const cookies = Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]))
  return { username, call: (called, given = {}) => callAs(app, cookies, called, given) }
}

// The result is parsed by the schema that AnswerBody is derived from.
function callAs<const R extends Route>(
  app: App,
  cookies: Readonly<Record<string, string>>,
  route: R,
  input: CallInput,
): Promise<AnswerBody<R>>
async function callAs(
  app: App,
  cookies: Readonly<Record<string, string>>,
  { method, path, answers }: Route,
  { params = {}, body }: CallInput,
): Promise<unknown> {
  const url = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const answer = await app.inject({ method, url, cookies, ...(body && { payload: body }) })
  if (answer.statusCode >= 400) throw new Error(`${method} ${url}: ${answer.body}`)
  const schema = answers[answer.statusCode]
  return schema ? v.parse(schema, answer.json()) : undefined
}

/** Islands one after the other, with the users as hosts in turn. */
async function makeIslands(people: readonly Navigator[], clock: Time): Promise<MadeIsland[]> {
  const made: MadeIsland[] = []
  for (const [at, sample] of sampleIslands.entries()) {
    const host = pick(people, at)
    const hasAddress = sample.carrier !== 'nowhere'
    const { name, kind, tagline, slug } = sample
    const carrier = hasCarrier(sample) ? await registerAt(host, at, `${sample.name}’s mast`) : null
    const draft = await host.call(createIsland, {
      body: {
        name,
        kind,
        tagline,
        slug,
        carrier,
        about: at % 3 === 2 ? '' : sampleAbout,
        rules: at % 3 === 0 ? sampleRules : '',
        address: hasAddress ? `https://${slug}.example/` : null,
      },
    })
    const island = await publish(host, draft, sample)
    made.push({ sample, host, island })
    clock.move(9 * hourMs)
  }
  return made
}

async function publish(host: Navigator, draft: OwnIsland, { published }: SampleIsland) {
  const to = {
    listed: { access: 'public', isListed: true },
    'listed for Navigators': { access: 'members', isListed: true },
    'listed for members': { access: 'invited', isListed: true },
    public: { access: 'public', isListed: false },
    invited: { access: 'invited', isListed: false },
    draft: undefined,
  }[published]
  if (to === undefined) return draft
  return await host.call(publishIsland, { params: { id: draft.id }, body: to })
}

/** Routes from listed islands to two or three earlier ones. The oldest islands get the most. */
async function drawRoutes(islands: readonly MadeIsland[]): Promise<void> {
  const listed = islands.filter(({ sample }) => sample.published.startsWith('listed'))
  for (const [at, { host, island }] of listed.entries()) {
    if (at === 0 || at % 11 === 10) continue
    const ends = new Set([at - 1, Math.floor(at / 2), (at * 7) % at, (at * 5 + 3) % listed.length])
    ends.delete(at)
    const neighbours = [...ends].slice(0, 1 + (at % 3)).map((end) => pick(listed, end).island.slug)
    await host.call(updateIsland, { params: { id: island.id }, body: { neighbours } })
  }
}

/** Members, requests, hosts' signals and visitors' notes. Half of them are recent. */
async function fillLogs(
  people: readonly Navigator[],
  islands: readonly MadeIsland[],
  clock: Time,
): Promise<void> {
  for (const [at, { sample, host, island }] of islands.entries()) {
    const isForAll = sample.published === 'public' || sample.published.startsWith('listed')
    if (!isForAll) continue
    const params = { id: island.id }
    if (sample.published === 'listed for members') {
      for (const [place, text] of sampleRequests.entries()) {
        await pick(people, at + place + 1).call(joinIsland, { params, body: { text } })
        clock.move(hourMs)
      }
      continue
    }
    for (let visit = 0; visit < at % 4; visit += 1) {
      const visitor = pick(people, at + visit + 1)
      if (visit === 0) await visitor.call(joinIsland, { params, body: {} })
      await visitor.call(leaveNote, { params, body: { text: pick(sampleNotes, at + visit) } })
      clock.move(1.5 * hourMs)
    }
    if (at % 3 === 1) continue
    const [text, inDays] = pick(sampleSignals, at)
    const eventAt =
      inDays === undefined
        ? null
        : new Date(Math.ceil(Date.now() / hourMs) * hourMs + inDays * dayMs).toISOString()
    await host.call(sendSignal, { params, body: { text, eventAt } })
  }
}

async function reportCarriers(app: App, islands: readonly MadeIsland[]): Promise<void> {
  for (const { sample, host, island } of islands) {
    if (sample.carrier === 'online' && island.carrier !== null) {
      await report(app, host, island.carrier.id)
    }
  }
}

/** Devices that carry no island. Two of three report now. */
async function makeDevices(
  app: App,
  people: readonly Navigator[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  for (let at = from; at < to; at += 1) {
    const owner = pick(people, at)
    const id = await registerAt(owner, at, `${pick(sampleDeviceNames, at)} ${at}`)
    if (at % 3 !== 0) await report(app, owner, id)
  }
}

function hasCarrier({ carrier }: SampleIsland): boolean {
  return carrier === 'online' || carrier === 'silent'
}

/**
 * Registers a public device near one of the places.
 * @returns its id
 */
async function registerAt(owner: Navigator, at: number, label: string): Promise<string> {
  const [lat, lon] = pick(samplePlaces, at)
  // Scattered around the place, so that no two overlap.
  const body = { label, lat: lat + 2.5 * Math.sin(at * 12.9), lon: lon + 2.5 * Math.cos(at * 7.3) }
  return (await owner.call(registerDevice, { body })).id
}

async function report(app: App, owner: Navigator, deviceId: string): Promise<void> {
  const { token } = await owner.call(createDeviceToken, { body: { deviceId } })
  const headers = { authorization: `Bearer ${token}` }
  const { statusCode } = await app.inject({ method: 'POST', url: tokenHeartbeat.path, headers })
  if (statusCode >= 400) throw new Error(`A heartbeat was refused: ${statusCode}`)
}

async function announce(operator: Navigator): Promise<void> {
  await operator.call(createAnnouncement, {
    body: {
      title: 'Islands are here',
      text: 'Make one, list it if you like, and draw routes to those that you know.\n\nQuestions go to the log of the Community Lounge.',
    },
  })
  await operator.call(createAnnouncement, {
    body: {
      level: 'warning',
      title: 'Maintenance on Sunday, two minutes around noon',
      text: 'Devices keep reporting; nobody is counted as offline for it.',
    },
  })
}

/** The item at any position. After the end it starts over. */
function pick<T>(list: readonly T[], at: number): T {
  const found = list[at % list.length]
  if (found === undefined) throw new Error('There is nothing to pick from')
  return found
}
