import type { Maintenance } from '@astropelago/contract/alert-maintenance'
import { sameRules } from '@astropelago/contract/alert-rules'
import { changeIslandAlerts, getAlerts, getIslandAlerts } from '@astropelago/contract/alerts'
import { errors } from '@astropelago/contract/errors'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { answerAlerts, sampleAlerts } from '../testing/sample-alerts.ts'
import { answerChannels } from '../testing/sample-channel.ts'
import { FollowIsland } from './follow-island.tsx'
import { OwnSubjectAlerts } from './own-subject-alerts.tsx'

const island = { of: 'island', id: 'one', name: 'Harbor Light' } as const
const follow = page.getByRole('button', { name: 'Tell me when it opens or closes' })
const stop = page.getByRole('button', { name: 'Stop telling me' })

const none: Maintenance[] = []
const alertsOf = (isOn: boolean | null) => ({
  rules: { ...sameRules, isOn },
  isOn: isOn === true,
  maintenance: none,
})

test('one press follows the island, another one unfollows it', async () => {
  answerChannels([])
  answerApi(getAlerts, { status: 200, body: sampleAlerts() })
  answerApi(getIslandAlerts, { status: 200, body: alertsOf(null) })
  await openPart(<FollowIsland island={island} />, { user: sampleUser })
  answerApi(changeIslandAlerts, refused('alert_islands_limit'))
  await follow.click()
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent(errors.alert_islands_limit.sentence)
  const asked = answerApi(changeIslandAlerts, ({ body }) => ({
    status: 200,
    body: { rules: { ...sameRules, ...body }, isOn: body.isOn === true, maintenance: none },
  }))
  const said = page.getByRole('status').first()
  await expect.element(said).toBeEmptyDOMElement()
  const region = said.element()
  await follow.click()
  await expect.element(stop).toHaveFocus()
  await expect.element(said).toHaveTextContent('Alerts about this island are on.')
  await expect
    .element(page.getByRole('link', { name: 'Add one in your account' }))
    .toHaveAttribute('href', '/account/alerts')
  await expectAccessible()
  await stop.click()
  await expect.element(follow).toHaveFocus()
  await expect.element(said).toHaveTextContent('You get no more alerts about it.')
  expect(said.element()).toBe(region)
  expect(asked).toMatchObject([
    { params: { id: 'one' }, body: { isOn: true } },
    { params: { id: 'one' }, body: { isOn: null } },
  ])
})

test('the button fits its skeleton, so that nothing below moves', async () => {
  answerChannels([])
  const known = Promise.withResolvers<void>()
  answerApi(getIslandAlerts, async () => {
    await known.promise
    return { status: 200, body: alertsOf(null) } as const
  })
  const below = page.getByText('Below')
  const part = (
    <>
      <FollowIsland island={island} />
      <p>Below</p>
    </>
  )
  await openPart(part, { user: sampleUser })
  await expect.element(below).toBeVisible()
  const { top } = below.element().getBoundingClientRect()
  known.resolve()
  await expect.element(follow).toBeVisible()
  expect(below.element().getBoundingClientRect().top).toBe(top)
})

test('with all alerts off a hint says that following has no effect', async () => {
  answerChannels([])
  answerApi(getIslandAlerts, { status: 200, body: alertsOf(null) })
  await openPart(<FollowIsland island={island} />, { user: sampleUser })
  answerApi(changeIslandAlerts, { status: 200, body: { ...alertsOf(true), isOn: false } })
  answerApi(getAlerts, { status: 200, body: sampleAlerts() })
  await follow.click()
  await expect.element(stop).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Turn them on in your account' }))
    .toHaveAttribute('href', '/account/alerts')
})

test('the host chooses whether and how', async () => {
  answerChannels([])
  answerAlerts()
  answerApi(getIslandAlerts, { status: 200, body: alertsOf(null) })
  await openPart(<OwnSubjectAlerts subject={island} />, { user: sampleUser })
  const card = page.getByRole('region', { name: 'Alerts' })
  await expect
    .element(card.getByLabelText('When it closes'))
    .toHaveDisplayValue('As in your account (yes)')
  await expect.element(card.getByLabelText('When it opens again')).toBeVisible()
  expect(card.getByLabelText('When it reports a failure').length).toBe(0)
})
