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
  pageOptions,
  routeCommand,
  type CallRoute,
} from '../../admin/command.ts'
import { fieldList, list, printTime } from '../../admin/table.ts'

const textShown = 40

const subjectArgument = { name: 'id', summary: 'The ID of what was reported' } as const
const deviceArgument = { name: 'id', summary: 'The device’s ID' } as const
const checkArgument = { name: 'id', summary: 'The check’s ID, the end of its address' } as const
const entryArgument = { name: 'id', summary: 'The log entry’s ID, as in reports' } as const

export const reportsCommands = [
  routeCommand({
    words: 'reports list',
    summary: 'Lists what users have reported, newest first',
    options: {
      settled: { summary: 'Lists reports settled in the last 90 days instead of open ones' },
      ...pageOptions,
    },
    route: listReports,
    request: ({ settled, after, limit }) => ({
      query: { state: settled ? ('settled' as const) : ('open' as const), after, limit },
    }),
    print: ({ cases, hasMore }) =>
      list(
        cases,
        {
          NAME: ({ reportedAs }) => reportedAs.name,
          KIND: ({ subject }) => subject.kind,
          WHOSE: ({ reportedAs }) => reportedAs.author || 'this server',
          REPORTS: ({ count }) => count,
          'LAST (UTC)': ({ reports: [last] }) => printTime(last?.at ?? null),
          REASON: ({ reports: [last] }) => last?.reason ?? null,
          BY: ({ reports: [last] }) => last?.reporter ?? null,
          TEXT: ({ reports: [last] }) => shortened(last?.text ?? ''),
          NOW: stateOf,
          ID: ({ subject }) => subject.id,
        },
        hasMore && `--after ${cases.at(-1)?.id}`,
      ),
  }),
  command({
    words: 'reports show',
    summary: 'Shows the reports about a subject: who sent them, and what they wrote',
    arguments: [subjectArgument],
    run: async ({ input: { id }, call }) => {
      const found = await findCase(id, call)
      if (found === undefined) throw new CommandRefused(`There are no reports about ${id}.`)
      return { text: printCase(found), json: found }
    },
  }),
  routeCommand({
    words: 'reports dismiss',
    summary: 'Settles the reports about a subject and leaves it as it is',
    arguments: [subjectArgument],
    options: { kind: { value: 'kind', summary: 'island, check or log-entry; device by default' } },
    route: dismissReports,
    request: ({ id, kind }) => ({
      params: { kind: oneOf('kind', kind, ReportKind.options) ?? 'device', id },
    }),
    print: () => 'The reports are dismissed.',
  }),
  routeCommand({
    words: 'device hide',
    summary: 'Hides a device from everybody but its owner, who sees why',
    arguments: [deviceArgument, { name: 'reason', summary: 'What its owner reads, in quotes' }],
    route: hideSubject,
    request: ({ id, reason }) => ({ params: deviceParams(id), body: { reason } }),
    print: () => 'The device is hidden.',
  }),
  routeCommand({
    words: 'device show',
    summary: 'Shows a hidden device again, as its owner wants it shown',
    arguments: [deviceArgument],
    route: showSubject,
    request: ({ id }) => ({ params: deviceParams(id) }),
    print: () => 'The device is shown again.',
  }),
  routeCommand({
    words: 'check hide',
    summary: 'Hides a check from everybody but its owner, who sees why',
    arguments: [checkArgument, { name: 'reason', summary: 'What its owner reads, in quotes' }],
    route: hideSubject,
    request: ({ id, reason }) => ({ params: checkParams(id), body: { reason } }),
    print: () => 'The check is hidden.',
  }),
  routeCommand({
    words: 'check show',
    summary: 'Shows a hidden check again, as its owner wants it shown',
    arguments: [checkArgument],
    route: showSubject,
    request: ({ id }) => ({ params: checkParams(id) }),
    print: () => 'The check is shown again.',
  }),
  routeCommand({
    words: 'log hide',
    summary: 'Hides a note or signal from all but its author and the host, who see why',
    arguments: [entryArgument, { name: 'reason', summary: 'What its author reads, in quotes' }],
    route: hideSubject,
    request: ({ id, reason }) => ({ params: entryParams(id), body: { reason } }),
    print: () => 'The log entry is hidden.',
  }),
  routeCommand({
    words: 'log show',
    summary: 'Shows a hidden note or signal again',
    arguments: [entryArgument],
    route: showSubject,
    request: ({ id }) => ({ params: entryParams(id) }),
    print: () => 'The log entry is shown again.',
  }),
]

function deviceParams(id: string) {
  return { kind: 'device', id } as const
}

function checkParams(id: string) {
  return { kind: 'check', id } as const
}

function entryParams(id: string) {
  return { kind: 'log-entry', id } as const
}

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
    ID: subject.id,
    Name: reportedAs.name,
    Link: reportedAs.link,
    Whose: reportedAs.author || 'this server',
    Now: stateOf(found),
    Reports: count,
  })
  const said = reports.map(({ at, reason, reporter, text }) => {
    const indented = text === '' ? '' : `\n  ${text.replaceAll('\n', '\n  ')}`
    return `${printTime(at)}  ${reason}, by ${reporter ?? 'an account that is gone'}${indented}`
  })
  return [head, ...said].join('\n\n')
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= textShown ? line : `${line.slice(0, textShown - 1)}…`
}

function stateOf({ settled, thing }: ReportCase): string {
  return [settled?.outcome, visibilityOf(thing)].filter(Boolean).join(', ')
}

function visibilityOf(subject: ReportCase['thing']): string {
  if (subject === null) return 'deleted'
  if (subject.hidden !== null) return 'not shown'
  return subject.isPublic ? 'public' : 'not for everybody'
}
