import {
  getOperatorAlerts,
  getUserAlerts,
  pauseAlerts,
  resumeAlerts,
  type OperatorAlerts,
  type OperatorDelivery,
} from '@astropelago/contract/operator-alerts'
import { routeCommand } from '../../admin/command.ts'
import { count, fieldList, list, printTime, printUtc } from '../../admin/table.ts'

export const alertsCommands = [
  routeCommand({
    words: 'alerts',
    summary: 'Shows what waits, since when, and which channels fail',
    route: getOperatorAlerts,
    request: () => ({}),
    print: printAlerts,
  }),
  routeCommand({
    words: 'alerts of',
    summary: 'Lists the alerts of a user that wait, and those sent last',
    arguments: [{ name: 'username', summary: 'The user' }],
    route: getUserAlerts,
    request: ({ username }) => ({ params: { username } }),
    print: ({ waiting, ended }) =>
      [
        waiting.length === 0 ? 'Nothing waits.' : `Waiting:\n${printDeliveries(waiting)}`,
        ended.length === 0 ? 'Nothing was sent.' : `Sent last:\n${printDeliveries(ended)}`,
      ].join('\n\n'),
  }),
  routeCommand({
    words: 'alerts pause',
    summary: 'Stops sending alerts; they wait until you resume them',
    route: pauseAlerts,
    request: () => ({}),
    print: ({ waiting }) => `No alerts are sent. ${count(waiting, 'alert')} waiting.`,
  }),
  routeCommand({
    words: 'alerts resume',
    summary: 'Sends alerts again, including those that waited',
    route: resumeAlerts,
    request: () => ({}),
    print: ({ waiting }) => `Alerts are sent. ${count(waiting, 'alert')} waiting.`,
  }),
]

function printAlerts({ pausedAt, waiting, oldestAt, channels }: OperatorAlerts): string {
  const fields = fieldList({
    Sending: pausedAt === null ? 'on' : `paused since ${printUtc(pausedAt)}`,
    Waiting: waiting.toLocaleString('en'),
    Oldest: printUtc(oldestAt),
  })
  if (channels.length === 0) return `${fields}\n\nNobody has a channel.`
  const lines = list(channels, {
    CHANNELS: ({ kind }) => kind,
    ALL: ({ count: all }) => all,
    FAILING: ({ failing }) => failing,
    ENDED: ({ ended }) => ended,
    UNCONFIRMED: ({ unconfirmed }) => unconfirmed,
  })
  return `${fields}\n\n${lines}`
}

function printDeliveries(deliveries: readonly OperatorDelivery[]): string {
  return list(deliveries, {
    'MADE (UTC)': (delivery) => printTime(delivery.at),
    CHANNEL: (delivery) => delivery.channel,
    STATE: (delivery) => delivery.state,
    TRIES: (delivery) => delivery.tries,
    'LAST (UTC)': (delivery) => printTime(delivery.triedAt),
    'NEXT (UTC)': (delivery) => printTime(delivery.nextTryAt),
    ANSWER: (delivery) => delivery.answer,
    MESSAGE: (delivery) => delivery.id,
  })
}
