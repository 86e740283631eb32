import { type Guide, listGuides, readGuide } from '@astropelago/contract/guides'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { shelves } from 'virtual:guides'
import { expectAccessible, expectNoSidewaysScroll } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
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
  const guides = page.getByRole('main').getByRole('link')
  await expect.element(guides.first()).toHaveTextContent('Your first island in a minute')
  await expectAccessible()
})

test('a guide: its text, its commands with a button that copies them, its links followed within the app', async () => {
  await openScreen('/library/nginx')
  await expect.element(title).toHaveTextContent('nginx in front of your island')
  await expect.poll(() => document.title).toBe('nginx in front of your island · Astropelago')
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

const rules: Guide = {
  name: 'house-rules',
  title: 'House rules',
  summary: 'How we treat each other.',
  blocks: [
    {
      kind: 'text',
      html: '<h2 id="be-kind">Be kind</h2>\n<p>See <a href="/library/nginx">nginx</a> and <a href="mailto:me@a.example">me</a>.</p>',
    },
    { kind: 'code', language: 'sh', label: 'On your device', text: 'ls' },
    {
      kind: 'text',
      html: `<ul><li><h3 id="more">More</h3>\n<pre><code>${'wide '.repeat(40)}</code></pre></li></ul>\n<blockquote><p>${'w'.repeat(200)}</p></blockquote>\n<div role="group" aria-label="Table" tabindex="0"><table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>${'w'.repeat(90)}</td><td>b</td></tr></tbody></table></div>`,
    },
  ],
}
const tea: Guide = { name: 'tea', title: 'Tea', summary: '', blocks: [] }

test('the operator’s guides are on the last shelf, and found beside the others by their words', async () => {
  answerApi(listGuides, { status: 200, body: [rules, tea] })
  await openScreen('/library')
  const own = page.getByRole('region', { name: 'From the operator of this site' })
  await expect.element(own).toBeVisible()
  expect(
    own
      .getByRole('link')
      .elements()
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/library/house-rules', '/library/tea'])
  await expect.element(own.getByRole('link', { name: 'Tea' })).not.toHaveAccessibleDescription()
  await expectAccessible()
  const find = page.getByRole('searchbox', { name: 'Find a guide' })
  await find.fill('RULES treat')
  await expect.element(page.getByText('1 guide found')).toHaveRole('status')
  expect(page.getByRole('main').getByRole('listitem').elements()).toHaveLength(1)
  await find.fill('nginx')
  await expect
    .element(page.getByRole('link', { name: 'nginx in front of your island' }))
    .toBeVisible()
  await expect.element(own).not.toBeInTheDocument()
  await find.fill('no such words')
  await expect.element(page.getByText(/^No guide has these words/)).toBeVisible()
  const begin = page.getByRole('main').getByRole('link', { name: 'Your first island in a minute' })
  await expect.element(begin).toHaveAttribute('href', '/library/first-island')
  await find.fill('')
  await expect.element(own).toBeVisible()
})

test('the operator’s guides may be missing or late: those of the build stand there', async () => {
  answerApi(listGuides, refused('rate_limited'))
  await openScreen('/library')
  await expect
    .element(page.getByText('The operator’s own guides could not be loaded.'))
    .toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Your first device' })).toBeVisible()
  answerApi(listGuides, { status: 200, body: [tea] })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('link', { name: 'Tea' })).toBeVisible()
})

test('a guide of the operator has a page as the others have, reached and left by keyboard', async () => {
  answerApi(listGuides, { status: 200, body: [rules] })
  answerApi(readGuide, { status: 200, body: rules })
  await openScreen('/library')
  const link = page.getByRole('link', { name: 'House rules' })
  await expect.element(link).toBeVisible()
  link.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(title).toHaveTextContent('House rules')
  await expect.poll(() => document.title).toBe('House rules · Astropelago')
  // The server's text has the paragraph of which the list shows the summary.
  await expect.element(page.getByText(rules.summary)).not.toBeInTheDocument()
  await page.getByRole('button', { name: /On your device/ }).click()
  expect(await navigator.clipboard.readText()).toBe('ls')
  await expectAccessible()
  await page.viewport(360, 900)
  await expectNoSidewaysScroll()
  page.getByRole('article').getByRole('link', { name: 'nginx', exact: true }).element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(title).toHaveTextContent('nginx in front of your island')
})

test('a guide of the operator that does not come can be asked for again', async () => {
  answerApi(readGuide, refused('rate_limited'))
  await openScreen('/library/house-rules')
  await expect.element(page.getByText('This guide could not be loaded.')).toBeVisible()
  await expect.element(title).toHaveTextContent('Guide')
  answerApi(readGuide, { status: 200, body: rules })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(title).toHaveTextContent('House rules')
})
