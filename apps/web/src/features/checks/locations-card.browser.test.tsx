import { type CheckProof, getCheckProof, proveCheck } from '@astropelago/contract/check-locations'
import type { CheckHistory, LocationHistory } from '@astropelago/contract/checks'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible, expectNoSidewaysScroll } from '../../test/accessibility.ts'
import { answerApi } from '../../test/answer-api.ts'
import { openPart } from '../../test/open-screen.tsx'
import { sampleUser as user } from '../../test/samples.ts'
import { LocationsCard } from './locations-card.tsx'
import {
  ago,
  answerCheckHistory,
  sampleCheck,
  sampleCheckHistory,
} from './testing/answer-checks.ts'

const card = page.getByRole('region', { name: 'From elsewhere' })
const oslo: LocationHistory = {
  id: 'a',
  name: 'Oslo',
  status: 'down',
  samples: [
    { at: ago(3), tookMs: 40 },
    { at: ago(2), tookMs: null },
    { at: ago(1), tookMs: null },
  ],
  days: [],
}
const unnamed: LocationHistory = {
  id: 'b',
  name: null,
  status: 'up',
  samples: [{ at: ago(1), tookMs: 90 }],
  days: [],
}

async function open({
  history = sampleCheckHistory(),
  isOwn = true,
  kind = 'http',
}: {
  readonly history?: CheckHistory
  readonly isOwn?: boolean
  readonly kind?: 'http' | 'push'
} = {}) {
  const own = sampleCheck()
  const { id, name, status, since } = own
  answerCheckHistory(history)
  const check = { id, name, kind, status, since }
  await openPart(
    <>
      <LocationsCard check={check} own={isOwn ? own : null} />
      <p>The end</p>
    </>,
    { path: '/', user },
  )
  await expect.element(page.getByText('The end')).toBeVisible()
}

test('each location has its status and how long its answers took', async () => {
  await open({ history: sampleCheckHistory({ locations: [oslo, unnamed] }) })
  const rows = card.getByRole('table').getByRole('row')
  await expect.element(rows.nth(1)).toMatchTextContent('OsloDown40 ms40 ms2')
  await expect.element(rows.nth(2)).toMatchTextContent('No region givenUp90 ms90 ms0')
  await expectAccessible()
  await expectNoSidewaysScroll()
})

test('others see locations, without a way to change anything', async () => {
  await open({ history: sampleCheckHistory({ locations: [oslo] }), isOwn: false })
  await expect.element(card.getByText('Oslo')).toBeVisible()
  await expect.element(card.getByRole('button')).not.toBeInTheDocument()
})

test.each([
  ['others see nothing of a check without locations', { isOwn: false }],
  ['a check that takes reports has no locations', { kind: 'push' as const }],
])('%s', async (_, given) => {
  await open(given)
  await expect.element(card).not.toBeInTheDocument()
})

test('its owner proves the address, and learns whether that was found', async () => {
  let proof: CheckProof = {
    place: 'harbour.example:443',
    text: 'harbour.example:443 c0de',
    provenAt: null,
    endsAt: null,
    askedAt: null,
  }
  answerApi(getCheckProof, () => ({ status: 200, body: proof }))
  answerApi(proveCheck, () => ({ status: 200, body: proof }))
  await open()
  await card.getByRole('button', { name: 'Let others look' }).click()
  await expect.element(card.getByText('harbour.example:443 c0de')).toBeVisible()
  await expect
    .element(card.getByText('harbour.example/.well-known/astropelago-check'))
    .toBeVisible()
  await expect.element(card.getByText('_astropelago-check.harbour.example')).toBeVisible()
  await expect.element(card.getByText('Not found yet.')).toBeVisible()
  await expectAccessible()
  await card.getByRole('button', { name: 'Look for it now' }).click()
  await expect.element(card.getByText('It was not there.')).toBeVisible()
  proof = { ...proof, provenAt: ago(0), endsAt: ago(-1440) }
  await card.getByRole('button', { name: 'Look for it now' }).click()
  await expect.element(card.getByText(/Found\. Others may look until/)).toBeVisible()
})
