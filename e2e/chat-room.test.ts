import { deployTemplate, getPages } from '@astropelago/contract/hosted-pages'
import { publishIsland } from '@astropelago/contract/islands'
import { type BrowserContext, type Page } from '@playwright/test'
import { askApi } from './harness/ask-api.ts'
import { makeIsland } from './harness/islands.ts'
import { sayWho } from './harness/say-who.ts'
import { signUp } from './harness/sign-up.ts'
import { expect, test } from './harness/test.ts'

const shownMs = 150

/** Goes through the question of a page that somebody made. */
async function visit(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  const goOn = page.getByRole('button', { name: /^Go on to/ })
  if (await goOn.isVisible()) await goOn.click()
  await expect(page.locator('body.is-live')).toBeAttached()
  return page
}

const messageField = (page: Page) => page.getByLabel('Message', { exact: true })

/** Sends a first message, which asks on the site who the visitor is. */
async function sayWhoYouAre(page: Page, text: string): Promise<void> {
  await messageField(page).fill(text)
  await messageField(page).press('Enter')
  await sayWho(page)
  await expect(page.locator('article', { hasText: text })).toBeVisible()
}

/** The time in ms from the press that sends it to another page’s screen. */
async function timeOfMessage(from: Page, to: Page, text: string): Promise<number> {
  await messageField(from).fill(text)
  // An object, because a promise would be waited for.
  const shown = await to.evaluateHandle(
    (wanted) => ({
      at: new Promise<number>((resolve) => {
        const look = () => {
          if (document.querySelector('#list')?.textContent.includes(wanted)) resolve(Date.now())
        }
        new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
      }),
    }),
    text,
  )
  const sentAt = await from.evaluate(() => {
    document.querySelector('form')?.requestSubmit()
    return Date.now()
  })
  return (await shown.evaluate(({ at }) => at)) - sentAt
}

test('two people talk, the host mutes one, a reload has it all, and whoever is signed out reads', async ({
  page,
  user,
  server,
  browser,
  problems,
}) => {
  problems.expectFailure(403)
  const { id } = await makeIsland(page.request, { isHosted: true })
  await askApi(page.request, deployTemplate, { params: { id }, data: { template: 'chat-room' } })
  const island = await askApi(page.request, publishIsland, {
    params: { id },
    data: { access: 'public', isListed: false },
  })
  const { address } = await askApi(page.request, getPages, { params: { id } })
  if (address === null) throw new Error('The server hosts no pages')
  const guestContext = await browser.newContext({ baseURL: server.url })
  const strangerContext = await browser.newContext({ baseURL: server.url })
  for (const context of [guestContext, strangerContext]) problems.watch(context)
  await signUp(guestContext, server)

  const host = await visit(page.context(), address)
  const guest = await visit(guestContext, address)
  await sayWhoYouAre(host, 'Welcome aboard')
  await sayWhoYouAre(guest, 'Hello from afar')
  await expect(host.locator('article', { hasText: 'Hello from afar' })).toBeVisible()

  const times = []
  for (let at = 1; at <= 5; at += 1) {
    times.push(await timeOfMessage(guest, host, `To the host ${at}`))
    times.push(await timeOfMessage(host, guest, `To the guest ${at}`))
  }
  const median = times.toSorted((a, b) => a - b)[times.length / 2] ?? Infinity
  expect(median).toBeLessThan(shownMs)

  const stranger = await visit(strangerContext, address)
  await expect(stranger.locator('article')).toHaveCount(12)
  await expect(stranger.locator('#names')).toContainText(user.username)

  await page.goto(`/islands/${island.slug}`)
  await expect(page.getByText('3 here now').first()).toBeVisible()

  const rude = host.locator('article', { hasText: 'To the host 5' })
  await rude.getByRole('button', { name: /^More about/ }).click()
  await host.getByRole('button', { name: 'Mute for an hour' }).click()
  await messageField(guest).fill('Am I heard?')
  await messageField(guest).press('Enter')
  await expect(guest.getByText('A moderator lets you only read for a while.')).toBeVisible()
  await expect(messageField(guest)).toHaveValue('Am I heard?')
  await rude.getByRole('button', { name: /^More about/ }).click()
  await host.getByRole('button', { name: /^Remove/ }).click()
  for (const one of [guest, stranger]) {
    await expect(one.locator('article', { hasText: 'To the host 5' })).toHaveCount(0)
  }

  await guest.reload()
  await expect(guest.locator('article')).toHaveCount(11)
  await expect(guest.locator('article').first()).toContainText('Welcome aboard')
  await guestContext.close()
  await strangerContext.close()
})
