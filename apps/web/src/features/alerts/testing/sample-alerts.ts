import { defaultAlertRules } from '@astropelago/contract/alert-rules'
import {
  type AlertDelivery,
  type AlertMessage,
  getAlerts,
  listAlertMessages,
  type OwnAlerts,
} from '@astropelago/contract/alerts'
import { answerApi } from '../../../test/answer-api.ts'

export function sampleAlerts(details: Partial<OwnAlerts> = {}): OwnAlerts {
  return {
    rules: defaultAlertRules,
    sentCount: 4,
    sentMax: 200,
    held: null,
    differing: [],
    maintenance: [],
    ...details,
  }
}

export function answerAlerts(details: Partial<OwnAlerts> = {}) {
  answerApi(getAlerts, { status: 200, body: sampleAlerts(details) })
}

export function sampleDelivery(details: Partial<AlertDelivery> = {}): AlertDelivery {
  return {
    channel: { id: crypto.randomUUID(), name: 'Phone', kind: 'ntfy' },
    state: 'sent',
    tries: 1,
    triedAt: '2030-01-02T03:04:06.000Z',
    nextTryAt: null,
    answer: 'It answered 200.',
    ...details,
  }
}

export function sampleMessage(details: Partial<AlertMessage> = {}): AlertMessage {
  return {
    id: crypto.randomUUID(),
    at: '2030-01-02T03:04:05.000Z',
    kind: 'offline',
    title: 'Lighthouse is offline',
    lines: ['offline since Jan 2, 03:04 (UTC).'],
    url: 'https://astropelago.example/devices/1',
    deliveries: [sampleDelivery()],
    ...details,
  }
}

export function answerMessages(messages: AlertMessage[] = []) {
  answerApi(listAlertMessages, { status: 200, body: { messages, next: null } })
}
