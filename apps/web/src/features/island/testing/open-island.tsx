import { listChannels } from '@astropelago/contract/alert-channels'
import { defaultAlertRules, sameRules } from '@astropelago/contract/alert-rules'
import { getAlerts, getIslandAlerts } from '@astropelago/contract/alerts'
import { type LogEntry, readLog } from '@astropelago/contract/island-log'
import { getIsland, type IslandView } from '@astropelago/contract/islands'
import type { User } from '@astropelago/contract/me'
import type { AnswerBody } from '@astropelago/contract/route'
import { IslandMessage, streamIsland } from '@astropelago/contract/streams'
import { page } from 'vitest/browser'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { answerStream } from '../../../test/answer-stream.ts'
import { openScreen } from '../../../test/open-screen.tsx'

const logPart = page.getByRole('region', { name: 'Log', exact: true })

/** The parts of an island's front page, found as a user finds them. */
export const islandParts = {
  name: page.getByRole('heading', { level: 1 }),
  enter: page.getByRole('link', { name: /^Enter/ }),
  members: page.getByRole('region', { name: 'Members' }),
  neighbours: page.getByRole('region', { name: 'Neighbours' }),
  log: logPart,
  lines: logPart.getByRole('list', { name: 'Log' }).getByRole('listitem'),
  note: logPart.getByRole('textbox', { name: 'Leave a note' }),
  button: (name: string | RegExp) => page.getByRole('button', { name }),
  link: (name: string | RegExp) => page.getByRole('link', { name }),
}

/** Alert rules of a user who gets no alerts about the island and has no channel. */
function answerAlertsOf() {
  answerApi(getIslandAlerts, {
    status: 200,
    body: { rules: sameRules, isOn: false, maintenance: [] },
  })
  const none = { held: null, differing: [], maintenance: [] }
  answerApi(getAlerts, {
    status: 200,
    body: { rules: defaultAlertRules, sentCount: 0, sentMax: 200, ...none },
  })
  answerApi(listChannels, { status: 200, body: { channels: [], pushKey: '', canSendMail: true } })
}

interface Shown {
  readonly user?: User
  /** The address to open. Defaults to the island's own. */
  readonly path?: string
  readonly entries?: LogEntry[]
  /** Returns the page of the log after a cursor, instead of a single page with `entries`. */
  readonly log?: (after: string | undefined) => AnswerBody<typeof readLog>
}

/**
 * Opens an island's front page. The arguments are the server's data: a test can change them, and the page
 * will reload. Without a view the server responds with 404.
 */
export async function openIsland(view: IslandView | undefined, shown: Shown = {}) {
  const { user, path = `/islands/${view?.slug ?? 'harbor-light'}`, entries = [] } = shown
  const server = { view, entries }
  const asked = answerApi(getIsland, () =>
    server.view === undefined ? refused('not_found') : { status: 200, body: server.view },
  )
  const { log = () => ({ entries: server.entries, next: null }) } = shown
  answerApi(readLog, ({ query }) => ({ status: 200, body: log(query.after) }))
  if (user !== undefined) answerAlertsOf()
  const stream = answerStream(streamIsland, IslandMessage)
  await openScreen(path, user === undefined ? {} : { user })
  return { server, asked, stream }
}
