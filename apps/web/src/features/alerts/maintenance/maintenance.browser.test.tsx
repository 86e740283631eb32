import {
  endMaintenance,
  type Maintenance,
  planMaintenance,
} from '@astropelago/contract/alert-maintenance'
import { errors } from '@astropelago/contract/errors'
import { listOwnChecks } from '@astropelago/contract/checks'
import { listOwnDevices } from '@astropelago/contract/devices'
import { sameRules } from '@astropelago/contract/alert-rules'
import { listOwnIslands } from '@astropelago/contract/islands'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleOwnIsland } from '../../../test/sample-island.ts'
import { sampleCheck, sampleDevice, sampleUser } from '../../../test/samples.ts'
import { answerAlerts } from '../testing/sample-alerts.ts'
import { MaintenanceCard } from './maintenance-card.tsx'

const hourMs = 3_600_000
const card = page.getByRole('region', { name: 'Maintenance' })
const items = card.getByRole('list', { name: 'Maintenance' }).getByRole('listitem')
const alert = card.getByRole('alert')
const later = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString()
/** The value of a `datetime-local` field. Tests run in UTC. */
const local = (iso: string) => iso.slice(0, 16)

function sample(details: Partial<Maintenance> = {}): Maintenance {
  const from = later(-1)
  const until = later(3)
  return {
    id: 'one',
    from,
    until,
    devices: null,
    islands: null,
    checks: null,
    note: null,
    ...details,
  }
}

async function open(maintenance: Maintenance[] = []) {
  const device = sampleDevice({ id: 'lighthouse' })
  answerApi(listOwnDevices, { status: 200, body: [device] })
  const asked = answerApi(listOwnIslands, { status: 200, body: [sampleOwnIsland({ id: 'books' })] })
  const checksAsked = answerApi(listOwnChecks, { status: 200, body: [sampleCheck()] })
  const rules = { ...sameRules, isOn: true }
  const followed = {
    of: 'island' as const,
    id: 'tales',
    name: 'Harbour Tales',
    slug: 'tales',
    rules,
  }
  answerAlerts({ maintenance, differing: [followed] })
  await openPart(<MaintenanceCard />, { user: sampleUser })
  await expect.element(card.getByRole('button', { name: 'No alerts for 1 h' })).toBeVisible()
  return { islandsAsked: asked, checksAsked }
}

test('each shows its subject and times, and can be ended', async () => {
  const planned = sample({
    id: 'two',
    from: later(30),
    until: later(40),
    devices: ['lighthouse'],
    note: 'New router',
  })
  await open([sample(), planned, sample({ id: 'three', devices: ['a', 'b'], checks: ['c'] })])
  for (const [index, text] of [
    /^Everything: no alerts until .*End it now$/,
    /^Lighthouse: no alerts from .* until .*New router ?Call it off$/,
    /^2 devices and 1 check: no alerts until/,
  ].entries()) {
    await expect.element(items.nth(index)).toMatchTextContent(text)
  }
  await expectAccessible()
  answerApi(endMaintenance, refused('overloaded'))
  await items.nth(1).getByRole('button').click()
  await expect.element(alert).toHaveTextContent(errors.overloaded.sentence)
  const ended = answerApi(endMaintenance, { status: 204 })
  answerAlerts({ maintenance: [sample()] })
  await items.nth(1).getByRole('button').click()
  await expect.element(items.nth(1)).not.toBeInTheDocument()
  expect(ended).toMatchObject([{ params: { id: 'two' } }])
})

test('maintenance of a single island or check shows its name, whether own or followed', async () => {
  await open([
    sample({ id: 'two', islands: ['books'] }),
    sample({ id: 'three', islands: ['tales'] }),
    sample({ id: 'four', islands: ['of somebody'] }),
    sample({ id: 'five', devices: ['lighthouse'], islands: ['books'] }),
    sample({ id: 'six', checks: ['website'] }),
  ])
  for (const [index, text] of [
    /^Harbour Books: no alerts until/,
    /^Harbour Tales: no alerts until/,
    /^1 island: no alerts until/,
    /^1 device and 1 island: no alerts until/,
    /^Website: no alerts until/,
  ].entries()) {
    await expect.element(items.nth(index)).toMatchTextContent(text)
  }
})

test('islands and checks are fetched only if one is named', async () => {
  const { islandsAsked, checksAsked } = await open([
    sample(),
    sample({ id: 'two', devices: ['lighthouse'] }),
  ])
  await expect.element(items.nth(1)).toMatchTextContent(/^Lighthouse/)
  expect(islandsAsked).toEqual([])
  expect(checksAsked).toEqual([])
})

test('one press stops alerts for some hours', async () => {
  await open()
  const asked = answerApi(planMaintenance, { status: 201, body: sample() })
  answerAlerts({ maintenance: [sample()] })
  await card.getByRole('button', { name: 'No alerts for 4 h' }).click()
  await expect.element(items).toMatchTextContent(/^Everything/)
  const [{ body } = { body: undefined }] = asked
  expect(body).toMatchObject({ devices: null, islands: null })
  expect(Math.abs(Date.parse(body?.until ?? '') - Date.now() - 4 * hourMs)).toBeLessThan(60_000)
  answerApi(planMaintenance, refused('maintenance_limit'))
  await card.getByRole('button', { name: 'No alerts for 1 h' }).click()
  await expect.element(alert).toHaveTextContent(errors.maintenance_limit.sentence)
})

test('maintenance that starts now has begun, and past maintenance is not listed', async () => {
  await open([sample({ id: 'over', until: later(-0.5), note: 'Over' })])
  expect(items.length).toBe(0)
  answerApi(planMaintenance, { status: 201, body: sample() })
  answerAlerts({ maintenance: [sample({ from: later(0) })] })
  await card.getByRole('button', { name: 'No alerts for 1 h' }).click()
  await expect.element(items).toMatchTextContent(/^Everything: no alerts until .*End it now$/)
  await expect
    .element(items.getByRole('button', { name: /^End it now Everything: no alerts until / }))
    .toBeVisible()
})

test('maintenance is planned with a start and an end, and invalid times have errors', async () => {
  await open()
  await card.getByRole('button', { name: 'No alerts until…' }).click()
  const from = card.getByLabelText(/^From/)
  const until = card.getByLabelText('Until')
  const plan = card.getByRole('button', { name: 'Plan it' })
  await expect.element(from).toHaveFocus()
  await plan.click()
  await expect.element(alert).toHaveTextContent('Enter it.')
  await from.fill(local(later(24)))
  for (const [hours, problem] of [
    [23, 'It ends after it begins, and after now.'],
    [24 * 32, 'It is at most 30 days long.'],
  ] as const) {
    await until.fill(local(later(hours)))
    await plan.click()
    await expect.element(alert).toHaveTextContent(problem)
    await expect.element(until).toHaveFocus()
  }
  await until.fill('12345-01-01T00:00')
  await plan.click()
  await expect.element(alert).toHaveTextContent('There is no such time.')
  await from.fill(local(later(24 * 366)))
  await until.fill(local(later(24 * 367)))
  await plan.click()
  await expect.element(alert).toHaveTextContent('It begins within 365 days.')
  await expectAccessible()
  const asked = answerApi(planMaintenance, { status: 201, body: sample() })
  const times = { from: local(later(24)), until: local(later(48)) }
  await from.fill(times.from)
  await until.fill(times.until)
  await card.getByLabelText(/^Note/).fill('New router')
  await plan.click()
  await expect.element(card.getByRole('button', { name: 'No alerts until…' })).toHaveFocus()
  expect(asked).toMatchObject([
    {
      body: {
        from: `${times.from}:00.000Z`,
        until: `${times.until}:00.000Z`,
        note: 'New router',
      },
    },
  ])
})
