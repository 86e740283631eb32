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

/** The parts of an island's front page, as a person finds them. */
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

/** Nothing is told of it, and there would be no channel. */
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
  /** The address that is opened; the island's own where it is left out. */
  readonly path?: string
  readonly entries?: LogEntry[]
  /** The page of the log after a cursor, instead of one page with the entries. */
  readonly log?: (after: string | undefined) => AnswerBody<typeof readLog>
}

/**
 * An island's front page. What is given is what the server holds: a test changes it and the page asks
 * again. Without a view the server says that there is nothing.
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
