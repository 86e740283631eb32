import { listChannels } from '@astropelago/contract/alert-channels'
import { defaultAlertRules, sameRules } from '@astropelago/contract/alert-rules'
import { changeAlerts, getAlerts } from '@astropelago/contract/alerts'
import { errors } from '@astropelago/contract/errors'
import { expect, onTestFinished, test, vi } from 'vitest'
import { cleanup } from 'vitest-browser-react/pure'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { UserContext } from '../../../lib/use-user.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { answerChannels, sampleChannel } from '../testing/sample-channel.ts'
import { answerAlerts, sampleAlerts } from '../testing/sample-alerts.ts'
import { RulesCard } from './rules-card.tsx'

const card = page.getByRole('region', { name: 'What to tell you' })
const isOn = card.getByRole('checkbox', { name: /^Tell me when/ })
const grace = card.getByLabelText('Wait before telling me')
const minutes = card.getByLabelText('Minutes to wait')
const quiet = card.getByRole('checkbox', { name: 'Quiet hours' })
const save = card.getByRole('button', { name: 'Save rules' })
const alert = card.getByRole('alert')
const saved = page.getByText('Rules saved')

const phone = sampleChannel()
const mail = sampleChannel({ kind: 'email', name: 'Mail' })

function openCard(user = sampleUser) {
  return openPart(
    <UserContext value={user}>
      <RulesCard />
    </UserContext>,
    { user },
  )
}

async function open(rules = defaultAlertRules, user = sampleUser) {
  answerAlerts({ rules })
  answerChannels([phone, mail])
  await openCard(user)
  await expect.element(isOn).toBeVisible()
}

/** Applies changes as the server does. */
function takeChanges(rules = defaultAlertRules) {
  return answerApi(changeAlerts, ({ body }) => ({
    status: 200,
    body: sampleAlerts({ rules: { ...rules, ...body } }),
  }))
}

test('only changes are saved', async () => {
  await open()
  const asked = takeChanges()
  await card.getByRole('checkbox', { name: /^Also when it is back online/ }).click()
  await grace.selectOptions('5 minutes')
  await card.getByLabelText('While it stays offline, closed or down').selectOptions('Every 6 hours')
  await card.getByLabelText('Time zone').selectOptions('Europe/Vienna')
  await quiet.click()
  await card.getByLabelText('From').fill('23:30')
  await save.click()
  await expect.element(saved).toBeVisible()
  expect(asked.map(({ body }) => body)).toEqual([
    {
      tellsOnline: false,
      graceS: 300,
      repeatHours: 6,
      timeZone: 'Europe/Vienna',
      quietHours: { from: '23:30', to: '07:00' },
    },
  ])
  await expect.element(grace).toHaveDisplayValue('5 minutes')
  await isOn.click()
  await expect.element(grace).not.toBeInTheDocument()
  await save.click()
  await expect.poll(() => asked.at(-1)?.body).toEqual({ isOn: false })
})

test('rules set elsewhere are shown as they are', async () => {
  await open({
    ...defaultAlertRules,
    graceS: 90,
    repeatHours: 5,
    timeZone: 'Asia/Kathmandu',
    quietHours: { from: '01:00', to: '02:00' },
  })
  await expect.element(minutes).toHaveValue('1.5')
  await expect
    .element(card.getByLabelText('While it stays offline, closed or down'))
    .toHaveDisplayValue('Every 5 hours')
  await expect.element(card.getByLabelText('Time zone')).toHaveDisplayValue('Asia/Kathmandu')
  await expect.element(card.getByLabelText('Until')).toHaveValue('02:00')
  const asked = takeChanges()
  await card.getByRole('button', { name: 'Use UTC, as this browser does' }).click()
  await quiet.click()
  await minutes.fill('2.5')
  await save.click()
  await expect.element(saved).toBeVisible()
  expect(asked.map(({ body }) => body)).toEqual([
    { graceS: 150, timeZone: 'UTC', quietHours: null },
  ])
})

test('only operators can choose alerts about reports', async () => {
  const reports = card.getByRole('checkbox', { name: 'And when users report something' })
  await open()
  await expect.element(reports).not.toBeInTheDocument()
  await cleanup()
  await open(defaultAlertRules, { ...sampleUser, isOperator: true })
  const asked = takeChanges()
  await reports.click()
  await expectAccessible()
  await save.click()
  await expect.element(saved).toBeVisible()
  expect(asked.map(({ body }) => body)).toEqual([{ tellsReports: true }])
})

test('warnings and channels are chosen', async () => {
  await open()
  const asked = takeChanges()
  const where = card.getByLabelText('Where to')
  await card.getByRole('checkbox', { name: 'Also when a device reports a failure itself' }).click()
  await where.selectOptions('Only to these…')
  await save.click()
  await expect.element(alert).toHaveTextContent('Choose at least one channel.')
  await expect.element(where).toHaveFocus()
  await card.getByRole('checkbox', { name: 'Mail' }).click()
  await expectAccessible()
  await save.click()
  await expect.element(saved).toBeVisible()
  expect(asked.map(({ body }) => body)).toEqual([{ tellsWarnings: false, channels: [mail.id] }])
  // Switching to the other option and back restores the choice.
  await where.selectOptions('All channels that work')
  await where.selectOptions('Only to these…')
  await expect.element(card.getByRole('checkbox', { name: 'Mail' })).toBeChecked()
  await where.selectOptions('All channels that work')
  await save.click()
  await expect.poll(() => asked.at(-1)?.body).toEqual({ channels: null })
})

test.each([
  ['have ended', [sampleChannel({ id: 'old', name: 'Old phone', state: 'ended' }), mail]],
  ['are gone', [mail]],
])('chosen channels that are %s get a warning', async (_, channels) => {
  answerAlerts({ rules: { ...defaultAlertRules, channels: ['old'] } })
  answerChannels(channels)
  await openCard()
  const note = card.getByText(/^None of the channels that you chose works/)
  await expect.element(note).toBeVisible()
  await card.getByRole('checkbox', { name: 'Mail' }).click()
  await expect.element(note).not.toBeInTheDocument()
})

test('the remark about no channel waits for the list', async () => {
  answerApi(listChannels, refused('server_error'))
  answerAlerts({ rules: { ...defaultAlertRules, channels: [phone.id] } })
  await openCard()
  const again = card.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  const none = card.getByText('You have no channel yet.')
  expect(none.length).toBe(0)
  answerChannels([])
  await again.click()
  await expect.element(none).toBeVisible()
})

test('long names fit on a phone', async () => {
  const here = new Intl.DateTimeFormat().resolvedOptions()
  const zone = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    ...here,
    timeZone: 'America/Argentina/Buenos_Aires',
  })
  onTestFinished(() => zone.mockRestore())
  answerAlerts({ rules: { ...defaultAlertRules, channels: [phone.id] } })
  answerChannels([{ ...phone, name: 'x'.repeat(64) }])
  await page.viewport(320, 800)
  await openCard()
  await expect.element(card.getByRole('checkbox', { name: /^xxx/ })).toBeVisible()
  await expect
    .element(card.getByRole('button', { name: /^Use America.Argentina.Buenos Aires, as/ }))
    .toBeVisible()
  expect(card.element().scrollWidth).toBeLessThanOrEqual(card.element().clientWidth)
})

test('subjects with rules of their own are listed with links', async () => {
  answerChannels([])
  answerAlerts({
    differing: [
      {
        of: 'device',
        id: 'one',
        name: 'Lighthouse',
        slug: null,
        rules: { ...sameRules, graceS: 300, tellsWarnings: false },
      },
      { of: 'device', id: 'two', name: 'Attic', slug: null, rules: { ...sameRules, isOn: false } },
      {
        of: 'island',
        id: 'three',
        name: 'Harbor Light',
        slug: 'harbor-light',
        rules: { ...sameRules, isOn: true },
      },
      {
        of: 'check',
        id: 'four',
        name: 'Website',
        slug: null,
        rules: { ...sameRules, graceS: 300 },
      },
    ],
  })
  await openCard()
  const items = card.getByRole('list', { name: 'Where it differs' }).getByRole('listitem')
  await expect
    .element(items.nth(0))
    .toHaveTextContent('Lighthouse: after 5 minutes, without warnings')
  await expect.element(items.nth(1)).toHaveTextContent('Attic: no alerts')
  await expect
    .element(card.getByRole('link', { name: 'Harbor Light' }))
    .toHaveAttribute('href', '/islands/harbor-light')
  await expect
    .element(card.getByRole('link', { name: 'Lighthouse' }))
    .toHaveAttribute('href', '/devices/one')
  await expect
    .element(card.getByRole('link', { name: 'Website' }))
    .toHaveAttribute('href', '/checks/four')
  await expectAccessible()
})

test('an invalid time has an error before any request', async () => {
  await open()
  await grace.selectOptions('Another time…')
  for (const wrong of ['', 'soon', '-1', '1441']) {
    await minutes.fill(wrong)
    await save.click()
    await expect.element(alert).toHaveTextContent('Enter minutes, from 0 to 1440.')
    await expect.element(minutes).toHaveFocus()
  }
  await minutes.fill('30')
  await quiet.click()
  await card.getByLabelText('From').fill('07:00')
  await save.click()
  await expect.element(alert).toMatchTextContent(/^Quiet hours can’t end at the time/)
  await expect.element(card.getByLabelText('Until')).toHaveFocus()
  await card.getByLabelText('From').fill('')
  await save.click()
  await expect.element(card.getByLabelText('From')).toHaveFocus()
  await expectAccessible()
})

test('refused input stays and can be sent again', async () => {
  await open()
  answerApi(changeAlerts, refused('invalid_input', { timeZone: 'A time zone is another thing.' }))
  await card.getByLabelText('Time zone').selectOptions('Europe/Vienna')
  await save.click()
  await expect.element(alert).toHaveTextContent('A time zone is another thing.')
  answerApi(changeAlerts, refused('overloaded'))
  await save.click()
  await expect.element(alert).toHaveTextContent(errors.overloaded.sentence)
  await expect.element(card.getByLabelText('Time zone')).toHaveDisplayValue('Europe/Vienna')
  takeChanges()
  await save.click()
  await expect.element(saved).toBeVisible()
  await expect.element(alert).not.toBeInTheDocument()
})

test('a failed load is reported', async () => {
  answerChannels([])
  answerApi(getAlerts, refused('server_error'))
  await openCard()
  const again = card.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  answerAlerts()
  await again.click()
  await expect.element(isOn).toBeChecked()
})
