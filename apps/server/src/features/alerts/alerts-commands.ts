import {
  getOperatorAlerts,
  getUserAlerts,
  pauseAlerts,
  resumeAlerts,
  type OperatorAlerts,
  type OperatorDelivery,
} from '@astropelago/contract/operator-alerts'
import { routeCommand } from '../../admin/command.ts'
import { count, fieldList, printTime, table } from '../../admin/table.ts'

export const alertsCommands = [
  routeCommand({
    words: 'alerts',
    summary: 'Shows how many alerts wait, since when, and which channels fail',
    route: getOperatorAlerts,
    request: () => ({}),
    print: printAlerts,
  }),
  routeCommand({
    words: 'alerts of',
    summary: 'Lists a user’s waiting alerts, and the last ones that were sent',
    arguments: [{ name: 'username', summary: 'The user' }],
    route: getUserAlerts,
    request: ({ username }) => ({ params: { username } }),
    print: ({ waiting, ended }) =>
      [
        waiting.length === 0 ? 'No alerts are waiting.' : `Waiting:\n${printDeliveries(waiting)}`,
        ended.length === 0 ? 'No alerts were sent.' : `Sent last:\n${printDeliveries(ended)}`,
      ].join('\n\n'),
  }),
  routeCommand({
    words: 'alerts pause',
    summary: 'Pauses all alerts; they wait until they are resumed',
    route: pauseAlerts,
    request: () => ({}),
    print: ({ waiting }) => `No alerts are sent. ${count(waiting, 'alert')} waiting.`,
  }),
  routeCommand({
    words: 'alerts resume',
    summary: 'Resumes alerts, and sends those that waited',
    route: resumeAlerts,
    request: () => ({}),
    print: ({ waiting }) => `Alerts are sent. ${count(waiting, 'alert')} waiting.`,
  }),
]

function printAlerts({ pausedAt, waiting, oldestAt, channels }: OperatorAlerts): string {
  const fields = fieldList({
    Sending: pausedAt === null ? 'on' : `paused since ${printTime(pausedAt)} UTC`,
    Waiting: waiting.toLocaleString('en'),
    Oldest: oldestAt === null ? '–' : `${printTime(oldestAt)} UTC`,
  })
  if (channels.length === 0) return `${fields}\n\nNobody has a channel.`
  const rows = channels.map(({ kind, ...counts }) => [
    kind,
    ...[counts.count, counts.failing, counts.ended, counts.unconfirmed].map(String),
  ])
  return `${fields}\n\n${table(['CHANNELS', 'ALL', 'FAILING', 'ENDED', 'UNCONFIRMED'], rows)}`
}

function printDeliveries(deliveries: readonly OperatorDelivery[]): string {
  return table(
    ['MADE (UTC)', 'CHANNEL', 'STATE', 'TRIES', 'LAST (UTC)', 'NEXT (UTC)', 'ANSWER', 'MESSAGE'],
    deliveries.map((delivery) => [
      printTime(delivery.at),
      delivery.channel,
      delivery.state,
      String(delivery.tries),
      printTime(delivery.triedAt),
      printTime(delivery.nextTryAt),
      delivery.answer ?? '–',
      delivery.id,
    ]),
  )
}
