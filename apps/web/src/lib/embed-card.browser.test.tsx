import { useState } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../test/accessibility.ts'
import { respondTo } from '../test/answer-api.ts'
import { openPart } from '../test/open-screen.tsx'
import { EmbedCard } from './embed-card.tsx'

const card = page.getByRole('region', { name: 'Show it elsewhere' })
const badge = card.getByRole('combobox', { name: 'Badge' })
const origin = window.location.origin
const of = {
  name: 'Lighthouse',
  page: '/devices/d1',
  statusBadge: '/badges/d1/status.svg',
  uptimeBadge: '/badges/d1/uptime.svg',
  feed: '/feeds/d1/status.atom',
}

function answerBadges(answer: (url: URL) => Response) {
  for (const path of [of.statusBadge, of.uptimeBadge]) {
    respondTo('GET', path, async ({ url }) => answer(new URL(url)))
  }
}

function drawn(text: string): Response {
  return new Response(
    `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"><title>${text}</title></svg>`,
  )
}

test('the chosen badge shows its current state, and is copied as HTML, Markdown or an address', async () => {
  answerBadges(({ pathname, search }) => drawn(`${pathname}${search}`))
  await openPart(<EmbedCard of={of} state="online" />)
  const picture = card.getByRole('img', { name: 'Status of Lighthouse' })
  await expect.element(picture).toHaveAttribute('src', expect.stringContaining('status.svg'))
  await expect.element(card).toMatchTextContent(`<img src="${origin}/badges/d1/status.svg"`)
  await badge.selectOptions('7d')
  await expect
    .element(card.getByRole('img', { name: 'Uptime of Lighthouse, 7 days' }))
    .toHaveAttribute('src', expect.stringContaining(encodeURIComponent('uptime.svg?window=7d')))
  await card.getByRole('tab', { name: 'Markdown' }).click()
  const address = `${origin}/badges/d1/uptime.svg?window=7d`
  await card.getByRole('button', { name: 'Copy Markdown' }).click()
  await expect
    .poll(() => navigator.clipboard.readText())
    .toBe(`[![Uptime of Lighthouse, 7 days](${address})](${origin}/devices/d1)`)
  await card.getByRole('tab', { name: 'Address' }).click()
  await expect.element(card.getByText(address, { exact: true })).toBeVisible()
  await expectAccessible()
})

test('the feed can be copied, and feed readers find it', async () => {
  answerBadges(() => drawn('online'))
  await openPart(<EmbedCard of={of} state="online" />)
  await card.getByRole('button', { name: 'Copy Address of its Atom feed' }).click()
  await expect.poll(() => navigator.clipboard.readText()).toBe(`${origin}${of.feed}`)
  const announced = document.head.querySelector('link[type="application/atom+xml"]')
  expect(announced?.getAttribute('href')).toBe(of.feed)
})

test('a changed state loads the badge again', async () => {
  let text = 'online'
  answerBadges(() => drawn(text))
  await openPart(<Changing />)
  const picture = card.getByRole('img')
  await expect.element(picture).toHaveAttribute('src', expect.stringContaining('online'))
  text = 'offline'
  await page.getByRole('button', { name: 'Flip' }).click()
  await expect.element(picture).toHaveAttribute('src', expect.stringContaining('offline'))
})

test('a badge that can’t be loaded says so, and can still be copied', async () => {
  answerBadges(() => new Response(null, { status: 404 }))
  await openPart(<EmbedCard of={of} state="online" />)
  await expect.element(card.getByText('The badge could not be loaded.')).toBeVisible()
  await expect.element(card.getByRole('button', { name: 'Copy HTML' })).toBeVisible()
  answerBadges(() => drawn('online'))
  await card.getByRole('button', { name: 'Try again' }).click()
  await expect.element(card.getByRole('img')).toBeVisible()
})

function Changing() {
  const [state, setState] = useState('online')
  return (
    <>
      <button type="button" onClick={() => setState('offline')}>
        Flip
      </button>
      <EmbedCard of={of} state={state} />
    </>
  )
}
