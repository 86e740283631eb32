import {
  dismissReports,
  hideSubject,
  listReports,
  showSubject,
  ReportKind,
  type ReportCase,
} from '@astropelago/contract/reports'
import {
  command,
  CommandRefused,
  oneOf,
  routeCommand,
  type CallRoute,
} from '../../admin/command.ts'
import { fieldList, printTime, table } from '../../admin/table.ts'

const textShown = 40

const idArgument = { name: 'id', summary: 'The whole id of what was reported' } as const
const deviceArgument = { name: 'id', summary: 'The whole id of the device' } as const
const lineArgument = {
  name: 'id',
  summary: 'The whole id of the line, from its report',
} as const

export const reportsCommands = [
  routeCommand({
    words: 'reports list',
    summary: 'Lists what users have reported, the latest first',
    options: {
      settled: { summary: 'Lists what was settled in the last 90 days instead of what is open' },
      after: {
        value: 'report',
        summary: 'Only reports after this one, the last of the previous list',
      },
      limit: { value: 'count', summary: 'The maximum number of reports; 100 by default' },
    },
    route: listReports,
    request: ({ settled, after, limit }) => ({
      query: { state: settled ? ('settled' as const) : ('open' as const), after, limit },
    }),
    print: ({ cases, hasMore }) => {
      if (cases.length === 0) return 'There are no reports.'
      const more = hasMore ? `\n\nThere are more: add --after ${cases.at(-1)?.id}` : ''
      return `${printCases(cases)}${more}`
    },
  }),
  command({
    words: 'reports show',
    summary: 'Shows all reports with one subject: who sent them, and what they wrote',
    arguments: [idArgument],
    run: async ({ input: { id }, call }) => {
      const found = await findCase(id, call)
      if (found === undefined) throw new CommandRefused(`Nothing was reported of ${id}.`)
      return { text: printCase(found), json: found }
    },
  }),
  routeCommand({
    words: 'reports dismiss',
    summary: 'Settles the reports with one subject, and leaves it as it is',
    arguments: [idArgument],
    options: { kind: { value: 'kind', summary: 'island or log-entry; device by default' } },
    route: dismissReports,
    request: ({ id, kind = 'device' }) => ({
      params: { kind: oneOf('kind', kind, ReportKind.options), id },
    }),
    print: () => 'The reports are dismissed.',
  }),
  routeCommand({
    words: 'device hide',
    summary: 'Hides a device from everybody but its owner, who sees why',
    arguments: [deviceArgument, { name: 'reason', summary: 'What its owner reads, in quotes' }],
    route: hideSubject,
    request: ({ id, reason }) => ({ params: { kind: 'device', id } as const, body: { reason } }),
    print: () => 'The device is hidden.',
  }),
  routeCommand({
    words: 'device show',
    summary: 'Shows a hidden device again, as its owner wants it shown',
    arguments: [deviceArgument],
    route: showSubject,
    request: ({ id }) => ({ params: { kind: 'device', id } as const }),
    print: () => 'The device is shown again.',
  }),
  routeCommand({
    words: 'log hide',
    summary: 'Hides a note or signal from all but its author and the host, who see why',
    arguments: [lineArgument, { name: 'reason', summary: 'What its author reads, in quotes' }],
    route: hideSubject,
    request: ({ id, reason }) => ({ params: { kind: 'log-entry', id } as const, body: { reason } }),
    print: () => 'The line is hidden.',
  }),
  routeCommand({
    words: 'log show',
    summary: 'Shows a hidden note or signal again',
    arguments: [lineArgument],
    route: showSubject,
    request: ({ id }) => ({ params: { kind: 'log-entry', id } as const }),
    print: () => 'The line is shown again.',
  }),
]

/** Finds a subject's open reports, or else those that were settled last. */
async function findCase(id: string, call: CallRoute): Promise<ReportCase | undefined> {
  for (const state of ['open', 'settled'] as const) {
    let after: string | undefined
    for (;;) {
      const { cases, hasMore } = await call(listReports, { query: { state, after } })
      const found = cases.find(({ subject }) => subject.id === id)
      if (found !== undefined) return found
      after = cases.at(-1)?.id
      if (!hasMore || after === undefined) break
    }
  }
  return undefined
}

function printCase(found: ReportCase): string {
  const { subject, reportedAs, count, reports } = found
  const head = fieldList({
    Kind: subject.kind,
    Id: subject.id,
    Name: reportedAs.name,
    Link: reportedAs.link ?? '–',
    Whose: reportedAs.author || 'this server',
    Now: stateOf(found),
    Reports: String(count),
  })
  const said = reports.map(
    ({ at, reason, reporter, text }) =>
      `${printTime(at)}  ${reason}, by ${reporter ?? 'an account that is gone'}${text === '' ? '' : `\n  ${text.replaceAll('\n', '\n  ')}`}`,
  )
  return [head, ...said].join('\n\n')
}

function printCases(cases: readonly ReportCase[]): string {
  return table(
    ['NAME', 'KIND', 'WHOSE', 'REPORTS', 'LAST (UTC)', 'REASON', 'BY', 'TEXT', 'NOW', 'ID'],
    cases.map((one) => {
      const { subject, reportedAs, count, reports } = one
      const [last] = reports
      return [
        reportedAs.name,
        subject.kind,
        reportedAs.author || 'this server',
        String(count),
        printTime(last?.at ?? null),
        last?.reason ?? '–',
        last?.reporter ?? '–',
        shortened(last?.text ?? ''),
        stateOf(one),
        subject.id,
      ]
    }),
  )
}

/** Shortens a text, which may have many lines, to fit into a row. */
function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= textShown ? line : `${line.slice(0, textShown - 1)}…`
}

function stateOf({ settled, thing }: ReportCase): string {
  return [settled?.outcome, visibilityOf(thing)].filter(Boolean).join(', ')
}

function visibilityOf(thing: ReportCase['thing']): string {
  if (thing === null) return 'deleted'
  if (thing.hidden !== null) return 'not shown'
  return thing.isPublic ? 'public' : 'not for everybody'
}
