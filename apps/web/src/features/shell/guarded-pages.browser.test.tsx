import { getMe } from '@astropelago/contract/me'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answerApi, refused, type Reply } from '../../test/answer-api.ts'
import { openScreen } from '../../test/open-screen.tsx'
import { sampleUser } from '../../test/samples.ts'
import { answerDashboard } from '../dashboard/testing/answer-dashboard.ts'

const dialog = page.getByRole('dialog', { name: 'Sign in' })
const main = page.getByRole('main')
const heading = (name: string) => page.getByRole('heading', { level: 1, name })
const address = () => window.location.pathname + window.location.search

async function goByMenu(name: string) {
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** Holds the responses to the session check until they are released. */
function holdCheck(reply: Reply<typeof getMe>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const asked = answerApi(getMe, async (): Promise<Reply<typeof getMe>> => {
    await promise
    return reply
  })
  return { asked, release: resolve }
}

const signedIn = { status: 200, body: { user: sampleUser } } as const

test.each(['/discover', '/observatory', '/account', '/dashboard', '/checks', '/connect'])(
  'a visitor who opens %s is sent to sign in, replacing history',
  async (path) => {
    const before = window.history.length
    await openScreen(path)
    await expect.poll(address).toBe('/explore?signin=1')
    await expect.element(dialog).toBeVisible()
    expect(window.history.length).toBe(before)
  },
)

describe('a signed-in user', () => {
  test('is checked again on each page, so an ended session is noticed on the next', async () => {
    await openScreen('/discover', { user: sampleUser })
    await expect.element(heading('Discover')).toBeVisible()
    answerApi(getMe, refused('signed_out'))
    await goByMenu('Dashboard')
    await expect.poll(address).toBe('/explore?signin=1')
    await expect.element(dialog).toBeVisible()
  })

  test('a check without an answer counts as signed out', async () => {
    await openScreen('/discover', { user: sampleUser })
    await expect.element(heading('Discover')).toBeVisible()
    answerApi(getMe, 'dropped')
    await goByMenu('Dashboard')
    await expect.poll(address).toBe('/explore?signin=1')
  })

  test('during the check the shell stays and its content is empty, on going back too', async () => {
    answerDashboard()
    await openScreen('/dashboard', { user: sampleUser })
    await expect.element(heading('Dashboard')).toBeVisible()
    for (const { go, name } of [
      { go: () => goByMenu('Discover'), name: 'Discover' },
      { go: async () => window.history.back(), name: 'Dashboard' },
    ]) {
      const check = holdCheck(signedIn)
      await go()
      await expect.poll(() => check.asked).toHaveLength(1)
      await expect.poll(address).toBe(`/${name.toLowerCase()}`)
      await expect.element(main).toBeEmptyDOMElement()
      await expect.element(page.getByRole('banner')).toBeVisible()
      // The footer would visibly jump when the page renders.
      await expect.element(page.getByRole('contentinfo')).not.toBeInTheDocument()
      check.release()
      await expect.element(heading(name)).toBeVisible()
      await expect.element(page.getByRole('contentinfo')).toBeVisible()
    }
  })

  test('a change of the query alone sends no check, and the page stays', async () => {
    answerDashboard()
    await openScreen('/dashboard', { user: sampleUser })
    await expect.element(heading('Dashboard')).toBeVisible()
    const title = heading('Dashboard').element()
    const asked = answerApi(getMe, signedIn)
    window.history.pushState(null, '', '/dashboard?view=wide')
    window.dispatchEvent(new PopStateEvent('popstate'))
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect.element(page.getByRole('menu')).toBeVisible()
    expect(heading('Dashboard').element()).toBe(title)
    expect(address()).toBe('/dashboard?view=wide')
    expect(asked).toEqual([])
  })

  test('a slow check of the last page does not affect the next one', async () => {
    answerDashboard()
    await openScreen('/explore', { user: sampleUser })
    await expect.element(page.getByRole('link', { name: /^Account / })).toBeVisible()
    const slow = holdCheck(refused('signed_out'))
    await goByMenu('Discover')
    await expect.poll(() => slow.asked).not.toEqual([])
    answerApi(getMe, signedIn)
    await goByMenu('Dashboard')
    await expect.element(heading('Dashboard')).toBeVisible()
    slow.release()
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect
      .element(page.getByRole('menu'))
      .toMatchTextContent(`Signed in as ${sampleUser.username}`)
    expect(address()).toBe('/dashboard')
  })
})
