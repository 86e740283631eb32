import {
  listPagesReviews,
  passPagesReview,
  previewPagesReview,
  type PagesReview,
} from '@astropelago/contract/hosted-pages'
import { reviewsListed } from '@astropelago/contract/limits'
import { hideSubject } from '@astropelago/contract/reports'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { openOperator } from './testing/open-operator.tsx'

const button = (name: string) => page.getByRole('button', { name, exact: true })
const items = page.getByRole('list', { name: 'Pages to look at' }).getByRole('listitem')

function sampleReview(details: Partial<PagesReview> = {}): PagesReview {
  return {
    deployment: 'one',
    at: '2026-01-02T03:04:05.000Z',
    island: { id: 'island-1', slug: 'harbor-bank', name: 'Harbor Bank' },
    host: 'eve',
    why: 'password',
    isListed: true,
    ...details,
  }
}

/** A server with these deployments, without those that are passed. */
function answerReviews(...reviews: PagesReview[]) {
  answerApi(listPagesReviews, () => ({ status: 200, body: reviews }))
  return answerApi(passPagesReview, ({ params }) => {
    reviews.splice(
      reviews.findIndex(({ deployment }) => deployment === params.deployment),
      1,
    )
    return { status: 204 }
  })
}

test('suspicious pages say why, can be opened, and pass', async () => {
  const own = { id: 'island-2', slug: 'help', name: 'W'.repeat(64) }
  const passed = answerReviews(
    sampleReview(),
    sampleReview({ deployment: 'two', why: 'name', host: null, isListed: false, island: own }),
  )
  await openOperator('/pages')
  const [bank, help] = [items.first(), items.nth(1)]
  for (const text of [
    'They ask for a password.',
    'of eve',
    'visitors still see the pages before',
  ]) {
    await expect.element(bank).toMatchTextContent(text)
  }
  for (const text of ['They carry the name of this server.', 'belongs to this server']) {
    await expect.element(help).toMatchTextContent(text)
  }
  await expect.element(help).not.toMatchTextContent('visitors still see')
  const asked = answerApi(previewPagesReview, refused('not_found'))
  await button('Open the pages of Harbor Bank').click()
  await expect.element(bank.getByRole('alert')).toMatchTextContent('There is nothing here')
  expect(asked.map(({ params }) => params)).toEqual([{ deployment: 'one' }])
  await expectAccessible()

  answerApi(passPagesReview, 'dropped')
  await button('Nothing wrong with Harbor Bank').click()
  await expect.element(bank.getByRole('alert')).toMatchTextContent('The connection failed.')
  const again = answerReviews(sampleReview())
  await button('Nothing wrong with Harbor Bank').click()
  await expect.element(page.getByText('Nothing waits for you')).toBeVisible()
  expect(passed).toEqual([])
  expect(again.map(({ params }) => params)).toEqual([{ deployment: 'one' }])
})

test('the island of suspicious pages can be hidden', async () => {
  answerReviews(sampleReview())
  const hides = answerApi(hideSubject, { status: 204 })
  await openOperator('/pages')
  await button('Hide Harbor Bank').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Phishing')
  await dialog.getByRole('button', { name: 'Hide it' }).click()
  await expect.element(page.getByText('Harbor Bank is hidden')).toBeVisible()
  expect(hides).toMatchObject([{ params: { kind: 'island', id: 'island-1' } }])
})

test('a long list says that there may be more', async () => {
  answerReviews(
    ...Array.from({ length: reviewsListed }, (_, i) => sampleReview({ deployment: `${i}` })),
  )
  await page.viewport(360, 900)
  await openOperator('/pages')
  await expect.element(page.getByText(/These are the oldest 100/)).toBeVisible()
})

test('a failure offers a retry', async () => {
  answerReviews()
  answerApi(listPagesReviews, refused('overloaded'))
  await openOperator('/pages')
  await expect.element(page.getByText('The pages to look at could not be loaded.')).toBeVisible()
  answerReviews()
  await button('Try again').click()
  await expect.element(page.getByText('Nothing waits for you')).toBeVisible()
})
