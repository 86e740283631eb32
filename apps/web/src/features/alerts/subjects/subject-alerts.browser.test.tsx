import { type Maintenance, planMaintenance } from '@astropelago/contract/alert-maintenance'
import { type AlertRules, defaultAlertRules, sameRules } from '@astropelago/contract/alert-rules'
import {
  changeDeviceAlerts,
  getAlerts,
  getCheckAlerts,
  getDeviceAlerts,
} from '@astropelago/contract/alerts'
import { errors } from '@astropelago/contract/errors'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { answerAlerts } from '../testing/sample-alerts.ts'
import { answerChannels, sampleChannel } from '../testing/sample-channel.ts'
import { OwnSubjectAlerts } from './own-subject-alerts.tsx'

const device = { of: 'device', id: 'one', name: 'Lighthouse' } as const
const card = page.getByRole('region', { name: 'Alerts' })
const gone = card.getByLabelText('When it goes offline')
const back = card.getByLabelText('When it is back online')
const grace = card.getByLabelText('Wait before telling me')
const save = card.getByRole('button', { name: 'Save alerts' })
const saved = page.getByText('Alerts saved')

async function open(rules = sameRules, account: Partial<AlertRules> = {}) {
  answerAlerts({ rules: { ...defaultAlertRules, ...account } })
  answerApi(getDeviceAlerts, { status: 200, body: { rules, isOn: true, maintenance: [] } })
  await openPart(<OwnSubjectAlerts subject={device} />, { user: sampleUser })
  await expect.element(gone).toBeVisible()
}

test('only differences are saved; the rest follows the account', async () => {
  const phone = sampleChannel()
  answerChannels([phone])
  await open(sameRules, { graceS: 300, tellsOnline: false })
  await expect.element(back).toHaveDisplayValue('As in your account (no)')
  await expect.element(grace).toHaveDisplayValue('As in your account (5 minutes)')
  const none: Maintenance[] = []
  const asked = answerApi(changeDeviceAlerts, ({ body }) => ({
    status: 200,
    body: { rules: { ...sameRules, ...body }, isOn: true, maintenance: none },
  }))
  await back.selectOptions('Tell me')
  await grace.selectOptions('Another time…')
  await card.getByLabelText('Minutes to wait').fill('x')
  await save.click()
  await expect.element(card.getByRole('alert')).toHaveTextContent('Enter minutes, from 0 to 1440.')
  await card.getByLabelText('Minutes to wait').fill('10')
  await card.getByLabelText('Where to').selectOptions('Only to these…')
  await card.getByRole('checkbox', { name: 'Phone' }).click()
  await expectAccessible()
  await save.click()
  await expect.element(saved).toBeVisible()
  expect(asked).toMatchObject([
    { params: { id: 'one' }, body: { tellsOnline: true, graceS: 600, channels: [phone.id] } },
  ])
  await grace.selectOptions('As in your account (5 minutes)')
  await save.click()
  await expect.poll(() => asked.at(-1)?.body).toEqual({ graceS: null })
})

test('a check has rules and maintenance of its own, and no warnings', async () => {
  answerChannels([sampleChannel()])
  answerAlerts()
  const asked = answerApi(getCheckAlerts, {
    status: 200,
    body: { rules: sameRules, isOn: true, maintenance: [] },
  })
  const check = { of: 'check', id: 'website', name: 'Website' } as const
  await openPart(<OwnSubjectAlerts subject={check} />, { user: sampleUser })
  await expect.element(card.getByLabelText('When it is down')).toBeVisible()
  await expect.element(card.getByLabelText('When it is up again')).toBeVisible()
  expect(card.getByLabelText('When it reports a failure').length).toBe(0)
  expect(asked[0]).toMatchObject({ params: { id: 'website' } })
  const planned = answerApi(planMaintenance, refused('maintenance_limit'))
  await card.getByRole('button', { name: 'No alerts for 1 h' }).click()
  await expect.poll(() => planned.map(({ body }) => body)).toMatchObject([{ checks: ['website'] }])
})

test('a hint appears if no channel of the account works', async () => {
  const ended = sampleChannel({ state: 'ended' })
  const other = sampleChannel()
  answerChannels([ended, other])
  await open(sameRules, { channels: [ended.id] })
  await expect
    .element(card.getByRole('link', { name: 'Check them in your account' }))
    .toHaveAttribute('href', '/account/alerts')
  await expectAccessible()
})

test('no hint appears if the subject has a working channel of its own', async () => {
  const ended = sampleChannel({ state: 'ended' })
  const other = sampleChannel()
  answerChannels([ended, other])
  await open({ ...sameRules, channels: [other.id] }, { channels: [ended.id] })
  await expect.element(card.getByRole('checkbox')).toHaveLength(2)
  expect(card.getByText(/You get no alerts/).length).toBe(0)
})

test('without alerts there are no further choices', async () => {
  answerChannels([sampleChannel()])
  await open({ ...sameRules, isOn: false })
  await expect.element(gone).toHaveDisplayValue('Don’t tell me')
  expect(back.length).toBe(0)
  answerApi(changeDeviceAlerts, refused('overloaded'))
  await gone.selectOptions('As in your account (yes)')
  await expect.element(back).toBeVisible()
  await save.click()
  await expect.element(card.getByRole('alert')).toHaveTextContent(errors.overloaded.sentence)
})

test('half-typed input does not prevent turning alerts off', async () => {
  answerChannels([sampleChannel()])
  await open()
  const none: Maintenance[] = []
  const asked = answerApi(changeDeviceAlerts, ({ body }) => ({
    status: 200,
    body: { rules: { ...sameRules, ...body }, isOn: false, maintenance: none },
  }))
  await grace.selectOptions('Another time…')
  await card.getByLabelText('Where to').selectOptions('Only to these…')
  await gone.selectOptions('Don’t tell me')
  await save.click()
  await expect.element(saved).toBeVisible()
  expect(asked.map(({ body }) => body)).toEqual([{ isOn: false }])
})

test('without a working channel a hint links to the account', async () => {
  answerChannels([sampleChannel({ state: 'unconfirmed' })])
  await open()
  await expect
    .element(card.getByRole('link', { name: 'Add one in your account' }))
    .toHaveAttribute('href', '/account/alerts')
})

test('with all alerts off a hint links to the account', async () => {
  answerChannels([sampleChannel()])
  await open(sameRules, { isOn: false })
  await expect
    .element(card.getByRole('link', { name: 'Turn them on in your account' }))
    .toHaveAttribute('href', '/account/alerts')
})

test('a failed load of the account’s rules is reported', async () => {
  answerChannels([sampleChannel()])
  answerApi(getAlerts, refused('server_error'))
  const none: Maintenance[] = []
  const body = { rules: sameRules, isOn: true, maintenance: none }
  answerApi(getDeviceAlerts, { status: 200, body })
  await openPart(<OwnSubjectAlerts subject={device} />, { user: sampleUser })
  const again = card.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  answerAlerts()
  await again.click()
  await expect.element(gone).toBeVisible()
})

test('a failed load is reported', async () => {
  answerChannels([sampleChannel()])
  answerAlerts()
  answerApi(getDeviceAlerts, refused('server_error'))
  await openPart(<OwnSubjectAlerts subject={device} />, { user: sampleUser })
  const again = card.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  answerApi(getDeviceAlerts, {
    status: 200,
    body: { rules: sameRules, isOn: true, maintenance: [] },
  })
  await again.click()
  await expect.element(gone).toBeVisible()
})
