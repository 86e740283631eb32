import { changeAlerts, listAlertMessages } from '@astropelago/contract/alerts'
import * as v from 'valibot'
import { expect, test, vi } from 'vitest'
import { hostile } from './features/alerts/channels/testing/messages.ts'
import { startReceiver } from './outgoing/testing/receiver.ts'
import { createTestChannel } from './test/api-channels.ts'
import { registerTestDevice } from './test/api-devices.ts'
import { createOperatorApp } from './test/operator-app.ts'
import { inTime } from './test/in-time.ts'

async function setUp() {
  const testApp = await createOperatorApp({ config: { allowsPrivateTargets: true } })
  const { signUp, operator } = testApp
  const [ada, eve] = [await signUp('Ada'), await signUp('eve')]
  const wants = (browser: typeof ada, tellsReports: boolean) =>
    browser.inject({ method: 'PATCH', url: changeAlerts.path, payload: { tellsReports } })
  const report = async () => {
    const { id } = await registerTestDevice(eve, { label: hostile.slice(0, 60) })
    const payload = { kind: 'device', id, reason: 'other', text: hostile }
    const answer = await ada.inject({ method: 'POST', url: '/api/reports', payload })
    expect(answer.statusCode).toBe(204)
  }
  return { ...testApp, ada, operator, wants, report }
}

test('AL13 [N27] an operator’s own channels get alerts about new reports without any text of users', async () => {
  const { operator, clock, wants, report } = await setUp()
  const receiver = await startReceiver()
  await createTestChannel(operator, { kind: 'webhook', url: `${receiver.url}/hook` })
  await createTestChannel(operator, { kind: 'slack', url: `${receiver.url}/chat` })
  expect((await wants(operator, true)).json()).toMatchObject({ rules: { tellsReports: true } })
  await report()
  await report()
  clock.move(3000)
  await vi.waitFor(() => expect(receiver.calls).toHaveLength(2), inTime)
  const bodies = new Map(receiver.calls.map(({ path, body }) => [path, body.toString()]))
  expect(JSON.parse(bodies.get('/hook') ?? '')).toEqual({
    type: 'alert.report',
    timestamp: expect.any(String),
    data: {
      title: '2 new reports',
      lines: ['Reported: 2 devices.', 'Waiting for a decision in all: 2.'],
      url: 'http://localhost:3000/mothership/reports',
      items: [],
    },
  })
  for (const body of bodies.values()) {
    for (const word of ['everyone', 'evil', '**b**', 'Ada', 'eve']) expect(body).not.toContain(word)
  }
  const sent = await operator.inject({ url: listAlertMessages.path })
  const { messages } = v.parse(listAlertMessages.answers[200], sent.json())
  expect(messages).toMatchObject([{ kind: 'report', title: '2 new reports' }])
})

test('AL13 [N27] S57 only operators can choose alerts about reports', async () => {
  const { ada, operator, wants } = await setUp()
  const refused = await wants(ada, true)
  expect([refused.statusCode, refused.json()]).toEqual([
    400,
    expect.objectContaining({
      code: 'invalid_input',
      fields: { tellsReports: 'Only operators get alerts about reports.' },
    }),
  ])
  // A former operator can still turn them off.
  expect((await wants(ada, false)).statusCode).toBe(200)
  expect((await wants(operator, true)).statusCode).toBe(200)
})
