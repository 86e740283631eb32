import { type CheckArcs, getCheckArcs } from '@astropelago/contract/check-locations'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { LocationArcs } from './location-arcs.tsx'
import { expectAccessible } from './test/accessibility.ts'
import { answerApi } from './test/answer-api.ts'
import { openPart } from './test/open-screen.tsx'

const device = { status: 'online', link: null } as const
const [oslo, lima, harbour] = [
  { ...device, id: 'a', label: 'Oslo Pi', lat: 59.95, lon: 10.75 },
  { ...device, id: 'b', label: 'Lima Pi', lat: -12.05, lon: -77.05 },
  { ...device, id: 'c', label: 'Harbour', lat: 53.55, lon: 9.95 },
]
const card = page.getByRole('region', { name: 'Watched from' })

async function open(arcs: CheckArcs) {
  const asked = answerApi(getCheckArcs, { status: 200, body: arcs })
  await openPart(<LocationArcs of="islands" id="bar" />)
  await expect.poll(() => asked.length).toBe(1)
}

test('who looks, and where that is, stands beside the globe as a list', async () => {
  await open({ target: harbour, locations: [oslo, lima] })
  await expect.element(card.getByRole('listitem').nth(1)).toHaveTextContent('Lima Pi')
  await expect
    .element(card.getByRole('link', { name: 'Oslo Pi' }))
    .toHaveAttribute('href', '/devices/a')
  await expect.element(card.getByRole('link', { name: 'Harbour' })).toBeVisible()
  await expect.poll(() => card.element().querySelector('canvas')?.dataset['view']).toBe('earth')
  await expectAccessible(card)
})

test('nothing is there if nobody public looks', async () => {
  await open({ target: harbour, locations: [] })
  await expect.element(card).not.toBeInTheDocument()
})
