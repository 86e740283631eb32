import { listAlertMessages } from '@astropelago/contract/alerts'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { holdTime } from '../../../test/emulation.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleUser } from '../../../test/samples.ts'
import {
  answerAlerts,
  answerMessages,
  sampleDelivery,
  sampleMessage,
} from '../testing/sample-alerts.ts'
import { MessagesCard } from './messages-card.tsx'

const card = page.getByRole('region', { name: 'What was sent' })
const items = card.getByRole('heading', { level: 3 })

const open = () => openPart(<MessagesCard />, { user: sampleUser })
const to = (name: string) => ({ id: crypto.randomUUID(), name, kind: 'ntfy' })

test('each message shows its result at each channel', async () => {
  answerAlerts()
  answerMessages([
    sampleMessage({
      deliveries: [
        sampleDelivery(),
        sampleDelivery({
          channel: to('Cellar'),
          state: 'waiting',
          tries: 3,
          nextTryAt: '2030-01-02T03:19:00.000Z',
          answer: 'It answered 503.',
        }),
        sampleDelivery({
          channel: to('Mail'),
          state: 'waiting',
          tries: 0,
          triedAt: null,
          answer: null,
        }),
        sampleDelivery({
          channel: to('Chat'),
          state: 'failed',
          tries: 1,
          answer: 'It answered 404.',
        }),
      ],
    }),
  ])
  await open()
  const lines = card.getByRole('list', { name: /^Where to/ }).getByRole('listitem')
  for (const [index, text] of [
    /^Sent to Phone, .*03:04 ?It answered 200.$/,
    /^On its way to Cellar, .*03:04 ?It answered 503. ?3 tries so far, again at .*03:19$/,
    /^On its way to Mail$/,
    /^Did not reach Chat, .*03:04 ?It answered 404. ?Given up after one try$/,
  ].entries()) {
    await expect.element(lines.nth(index)).toMatchTextContent(text)
  }
  await expect
    .element(card.getByRole('link', { name: 'Show: Lighthouse is offline' }))
    .toHaveAttribute('href', '/devices/1')
  await expect.element(card).toMatchTextContent(/4 of 200 messages in the last 24 hours/)
  await expectAccessible()
})

test('a button loads earlier messages', async () => {
  answerAlerts()
  const older = sampleMessage({ title: 'Older' })
  const last = { messages: [older], next: null }
  const first = { messages: [sampleMessage({ title: 'Newest' })], next: 'there' }
  const asked = answerApi(listAlertMessages, ({ query }) => ({
    status: 200,
    body: query.after === undefined ? first : last,
  }))
  await open()
  const more = card.getByRole('button', { name: 'Show earlier' })
  await more.click()
  await expect.element(items.nth(1)).toHaveTextContent('Older')
  await expect.element(items.nth(0)).toHaveTextContent('Newest')
  await expect.element(more).not.toBeInTheDocument()
  expect(asked.at(-1)?.query.after).toBe('there')
})

test('a message about many devices is short until it is expanded', async () => {
  answerAlerts()
  const lines = Array.from({ length: 20 }, (_, index) => `Device ${index + 1}: offline.`)
  answerMessages([sampleMessage({ lines })])
  await open()
  await card.getByRole('button', { name: 'Show all 20 lines' }).click()
  await expect.element(card.getByText(/Device 20: offline/)).toBeVisible()
  await card.getByRole('button', { name: 'Show fewer lines' }).click()
  await expect.element(card.getByText(/Device 6: offline/)).not.toBeInTheDocument()
  await expect.element(card.getByText(/Device 5: offline/)).toBeVisible()
})

test('a held alert shows until when and why', async () => {
  const until = '2030-01-02T06:00:00.000Z'
  answerAlerts({ held: { until, by: 'quiet-hours' } })
  answerMessages()
  await open()
  await expect.element(card).toMatchTextContent(/for the end of your quiet hours: .*06:00\./)
  await expect.element(card.getByText('No alerts yet')).toBeVisible()
  await expectAccessible()
})

test('a held alert is polled until it is sent', async () => {
  holdTime()
  answerAlerts({ held: { until: '2030-01-02T06:00:00.000Z', by: 'quiet-hours' } })
  answerMessages()
  await open()
  await expect.element(card.getByText('No alerts yet')).toBeVisible()
  answerAlerts()
  answerMessages([sampleMessage()])
  await vi.advanceTimersByTimeAsync(60_000)
  await expect.element(items).toHaveTextContent('Lighthouse is offline')
  await expect.element(card).not.toHaveTextContent('quiet hours')
})

test('an alert over the limit says so', async () => {
  answerAlerts({ sentCount: 200, held: { until: '2030-01-02T06:00:00.000Z', by: 'limit' } })
  answerMessages()
  await open()
  await expect.element(card).toMatchTextContent(/200 messages in 24 hours.*06:00\./)
})

test('a failed load is reported and can be retried', async () => {
  answerAlerts()
  answerApi(listAlertMessages, refused('server_error'))
  await open()
  const again = card.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  answerMessages([sampleMessage()])
  await again.click()
  await expect.element(items).toHaveTextContent('Lighthouse is offline')
})
