import { readAttendance } from '@astropelago/contract/rooms'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../test/accessibility.ts'
import { answerApi } from '../test/answer-api.ts'
import { holdTime } from '../test/emulation.ts'
import { openPart } from '../test/open-screen.tsx'
import { sampleIsland } from '../test/sample-island.ts'
import { IslandCard } from './island-card.tsx'

const islands = [
  sampleIsland(),
  sampleIsland({ slug: 'vinyl', name: 'Vinyl', kind: 'media', isOpen: false, access: 'members' }),
  sampleIsland({ slug: 'forge', name: 'The Forge', kind: 'lab', isWatched: false, tagline: '' }),
  sampleIsland({
    slug: 'moss-4f8k2a',
    name: 'M'.repeat(64),
    isOpen: false,
    isWatched: false,
    access: 'invited',
    host: null,
  }),
  sampleIsland({
    slug: 'dock',
    name: 'The Dock',
    isOpen: false,
    pause: { text: 'A new disk', until: '2099-01-02T03:04:00.000Z' },
  }),
]

function Cards() {
  return (
    <main className="grid gap-4 p-4 sm:grid-cols-2 lg:grid-cols-4">
      <h1 className="sr-only">Islands</h1>
      <h2 className="sr-only">All of them</h2>
      {islands.map((island) => (
        <IslandCard key={island.slug} island={island} />
      ))}
    </main>
  )
}

test('a card says in words the island’s kind, host and state', async () => {
  await openPart(<Cards />)
  const words = [
    ['Social space', 'Open', 'Hosted by Mira', 'For everybody'],
    ['Media hub', 'Closed', 'Hosted by Mira', 'For Navigators'],
    ['Creative lab', 'Open, not watched', 'Hosted by Mira', 'For everybody'],
    ['Social space', 'Not there yet', 'Hosted by the operator of this server', 'For members'],
    ['Social space', 'Paused', 'A new disk', 'Jan 2, 2099, 03:04'],
  ]
  for (const [index, { name }] of islands.entries()) {
    const card = page.getByRole('article', { name, exact: true })
    for (const text of words[index] ?? []) {
      await expect.element(card.getByText(text, { exact: true })).toBeVisible()
    }
  }
  await expectAccessible()
})

test('the whole card is the link to the island’s page', async () => {
  await openPart(<Cards />)
  const card = page.getByRole('article', { name: 'Vinyl' })
  await expect
    .element(card.getByRole('link', { name: 'Vinyl' }))
    .toHaveAttribute('href', '/islands/vinyl')
  await userEvent.click(card, { position: { x: 20, y: 20 } })
  expect(window.location.pathname).toBe('/islands/vinyl')
})

test('cards show how many people are there, with one request in 15 seconds for all of them', async () => {
  const id = islands[0]?.id ?? ''
  holdTime()
  let body: Record<string, number> = {}
  const asked = answerApi(readAttendance, () => ({ status: 200, body }))
  await openPart(<Cards />)
  const card = page.getByRole('article', { name: 'Harbour Tales' })
  await expect.poll(() => asked).toHaveLength(1)
  const title = card.getByRole('heading').element()
  const { top } = title.getBoundingClientRect()
  body = { [id]: 3 }
  await vi.advanceTimersByTimeAsync(15_000)
  await expect.element(card.getByText('3 here now')).toBeVisible()
  await expect.element(page.getByText(/here now/)).toHaveLength(1)
  expect(title.getBoundingClientRect().top).toBe(top)
  body = { [id]: 1 }
  await vi.advanceTimersByTimeAsync(15_000)
  await expect.element(card.getByText('1 here now')).toBeVisible()
  expect(asked).toHaveLength(3)
})
