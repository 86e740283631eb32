import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { shelves } from 'virtual:guides'
import { expectAccessible, expectNoSidewaysScroll } from '../../test/accessibility.ts'
import { openScreen } from '../../test/open-screen.tsx'

const title = page.getByRole('heading', { level: 1 })

test('everybody finds every guide on its shelf', async () => {
  await openScreen('/library')
  await expect.element(title).toHaveTextContent('Library')
  for (const { title: shelf, guides } of shelves) {
    const list = page.getByRole('region', { name: shelf })
    const links = list.getByRole('link').elements()
    expect(links.map((link) => link.getAttribute('href'))).toEqual(
      guides.map(({ name }) => `/library/${name}`),
    )
  }
  await expectAccessible()
})

test('a guide: its text, its commands with a button that copies them, its links followed within the app', async () => {
  await openScreen('/library/nginx')
  await expect.element(title).toHaveTextContent('nginx in front of your island')
  expect(document.title).toBe('nginx in front of your island · Astropelago')
  const copy = page.getByRole('button', { name: /As \/etc\/nginx/ }).first()
  await copy.click()
  expect(await navigator.clipboard.readText()).toMatch(/^server \{[^]+try_files[^]+\}$/)
  await expectAccessible()
  await page.getByRole('navigation', { name: 'Next guide' }).getByRole('link').click()
  await expect.element(title).toHaveTextContent('A blog')
  await page.getByRole('article').getByRole('link', { name: 'nginx', exact: true }).click()
  await expect.element(title).toHaveTextContent('nginx in front of your island')
})

test.each(shelves.flatMap(({ guides }) => guides))(
  'the guide “$title” can be read on the narrowest screen',
  async ({ name, title: guide }) => {
    await openScreen(`/library/${name}`)
    await expect.element(title).toHaveTextContent(guide)
    await expect.element(page.getByRole('figure').first()).toBeVisible()
    await expectNoSidewaysScroll()
  },
)

test('a guide that there is not: those that there are', async () => {
  await openScreen('/library/treasure')
  await expect.element(page.getByText(/^There is no guide by that name\./)).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Your first device' })).toBeVisible()
})
