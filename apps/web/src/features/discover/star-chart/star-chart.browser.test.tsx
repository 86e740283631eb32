import { getIslandChart } from '@astropelago/contract/island-directory'
import { getIsland } from '@astropelago/contract/islands'
import { listNeighbourIslands } from '@astropelago/contract/neighbours'
import type { AnswerBody } from '@astropelago/contract/route'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, expectAccessibleOnDesktop } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { openScreen } from '../../../test/open-screen.tsx'
import { sampleIsland } from '../../../test/sample-island.ts'
import {
  answerNeighbours,
  sampleNeighbour,
  sampleNeighbourIsland,
} from '../../../test/sample-neighbour.ts'
import { sampleUser } from '../../../test/samples.ts'

type Chart = AnswerBody<typeof getIslandChart>

const picture = page.getByRole('application', { name: 'Islands and the routes between them' })
const tab = (name: string) => page.getByRole('tab', { name })
const spoken = page.getByRole('status')
const chosen = page.getByRole('article')

const names = ['Lantern', 'Vinyl', 'Forge', 'Atoll']
const chart: Chart = {
  islands: names.map((name, at) =>
    sampleIsland({ name, slug: name.toLowerCase(), isOpen: at !== 1 }),
  ),
  routes: [
    [0, 1],
    [0, 2],
    [2, 0],
  ],
  total: 4,
}

async function openChart(body: Chart = chart) {
  answerApi(getIslandChart, { status: 200, body })
  await openScreen('/discover/charts', { user: sampleUser })
}

/** Waits for the final layout. */
async function settled() {
  await expect.poll(() => picture.element().parentElement?.dataset['settled']).toBe('true')
}

test('arrow keys go from island to island, which is announced and shown; Enter opens its page', async () => {
  answerApi(getIsland, refused('not_found'))
  await openChart()
  await settled()
  picture.element().focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(chosen).toBeVisible()
  const first = chosen.element().getAttribute('aria-label') ?? ''
  expect(names).toContain(first)
  await expect
    .poll(() => textsOf(spoken.elements()))
    .toContainEqual(
      expect.stringMatching(
        new RegExp(`^${first}, Social space, (Open|Closed), \\d routes?\\. Enter opens it\\.$`),
      ),
    )
  const seen = new Set([first])
  for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp']) {
    await userEvent.keyboard(`{${key}}`)
    seen.add(chosen.element().getAttribute('aria-label') ?? '')
  }
  expect(seen.size).toBeGreaterThan(1)
  const last = chosen.element().getAttribute('aria-label') ?? ''
  await expectAccessibleOnDesktop()
  await expectAccessible()
  picture.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => window.location.pathname).toBe(`/islands/${last.toLowerCase()}`)
})

test('the selected island leads along its routes, and Escape deselects it', async () => {
  await openChart()
  await settled()
  picture.element().focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(chosen).toBeVisible()
  // Works from any start. Lantern has two routes, counted in both directions.
  for (
    let step = 0;
    step < 8 && chosen.element().getAttribute('aria-label') !== 'Lantern';
    step += 1
  ) {
    await userEvent.keyboard(
      ['{ArrowLeft}', '{ArrowUp}', '{ArrowRight}', '{ArrowDown}'][step % 4] ?? '',
    )
  }
  await page
    .getByRole('article', { name: 'Lantern' })
    .getByRole('button', { name: 'Forge' })
    .click()
  const forge = page.getByRole('article', { name: 'Forge' })
  await expect
    .element(forge.getByRole('link', { name: 'Visit' }))
    .toHaveAttribute('href', '/islands/forge')
  picture.element().focus()
  await userEvent.keyboard('{Escape}')
  await expect.element(chosen).not.toBeInTheDocument()
})

test('the list says the same in words', async () => {
  await openChart()
  await expect.element(page.getByText('4 islands, 3 routes.')).toBeVisible()
  await tab('List').click()
  const rows = page.getByRole('tabpanel').getByRole('listitem')
  await expect
    .poll(() => textsOf(rows.elements()))
    .toEqual([
      'LanternSocial spaceOpenRoutes to Vinyl and Forge.',
      'VinylSocial spaceClosedRoutes to Lantern.',
      'ForgeSocial spaceOpenRoutes to Lantern.',
      'AtollSocial spaceOpenNo routes yet.',
    ])
  await expectAccessible()
})

test('zooming has limits, and the whole chart can be shown again', async () => {
  await openChart()
  await settled()
  const zoomOut = page.getByRole('button', { name: 'Zoom out' })
  picture.element().focus()
  for (let step = 0; step < 12; step += 1) await userEvent.keyboard('-')
  await expect.element(zoomOut).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: 'Show the whole chart' }).click()
  await expect.element(zoomOut).not.toHaveAttribute('aria-disabled')
})

test('a large network shows a part of it, and its layout does not block the page', async () => {
  const islands = Array.from({ length: 300 }, (_, at) =>
    sampleIsland({ name: `Island ${at}`, slug: `island-${at}` }),
  )
  const routes = islands.map((_, at): [number, number] => [at, (at * 7 + 1) % 300])
  await openChart({ islands, routes, total: 1234 })
  await expect
    .element(page.getByText('The 300 islands with the most routes, of 1,234, 300 routes.'))
    .toBeVisible()
  await settled()
  await expect.poll(() => inkOf(picture.element().querySelector('canvas'))).toBeGreaterThan(1000)
})

test('an empty chart says what it would show, and a failed load can be tried again', async () => {
  answerApi(getIslandChart, refused('rate_limited'))
  await openScreen('/discover/charts', { user: sampleUser })
  await expect.element(page.getByText('The chart could not be loaded.')).toBeVisible()
  answerApi(getIslandChart, { status: 200, body: { islands: [], routes: [], total: 0 } })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('The chart is empty')).toBeVisible()
})

/** The number of pixels that are not empty. */
function inkOf(canvas: HTMLCanvasElement | null): number {
  if (canvas === null) return 0
  const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {}
  let ink = 0
  for (let at = 3; at < (data?.length ?? 0); at += 4) if ((data?.[at] ?? 0) > 0) ink += 1
  return ink
}

function textsOf(elements: readonly Element[]): string[] {
  return elements.map(({ textContent }) => textContent.trim())
}

test('islands of neighbours are on the chart and in its list, never in its counts', async () => {
  answerNeighbours(sampleNeighbour())
  answerApi(listNeighbourIslands, {
    status: 200,
    body: { islands: [sampleNeighbourIsland()], total: 1, next: null },
  })
  await openChart()
  await expect.element(page.getByText('4 islands, 3 routes.')).toBeVisible()
  await tab('List').click()
  const item = page.getByRole('listitem').filter({ hasText: 'Coral Cinema' })
  await expect.element(item).toMatchTextContent('Reef Sky')
  await expect
    .element(item.getByRole('link'))
    .toHaveAttribute('href', 'https://reef.example/islands/coral-cinema')
  await page.getByRole('combobox', { name: 'From which installation' }).selectOptions('Reef Sky')
  await tab('Chart').click()
  await settled()
  picture.element().focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(chosen).toHaveAccessibleName('Coral Cinema')
  await expect
    .element(chosen.getByRole('link', { name: /Its page there/ }))
    .toHaveAttribute('href', 'https://reef.example/islands/coral-cinema')
  await expectAccessible()
})
