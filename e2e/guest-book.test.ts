import { deployTemplate } from '@astropelago/contract/hosted-pages'
import { createIsland, publishIsland } from '@astropelago/contract/islands'
import { askApi } from './harness/ask-api.ts'
import { sayWho } from './harness/say-who.ts'
import { signUp } from './harness/sign-up.ts'
import { expect, test } from './harness/test.ts'

test('a visitor says who they are to sign a guest book, and its host deletes the line on both screens', async ({
  page,
  context,
  browser,
  server,
  user,
}) => {
  const { id } = await askApi(page.request, createIsland, {
    data: { name: `Book of ${user.username}`, kind: 'social', isHosted: true },
  })
  await askApi(page.request, deployTemplate, { params: { id }, data: { template: 'guest-book' } })
  const { slug } = await askApi(page.request, publishIsland, {
    params: { id },
    data: { access: 'public', isListed: false },
  })
  const url = `http://${slug}.localhost:${new URL(server.url).port}/`
  const elsewhere = await browser.newContext()
  await signUp(elsewhere, server)
  for (const one of [context, elsewhere]) {
    await one.addCookies([{ name: 'astropelago_met', value: '1', url }])
  }

  const visitor = await elsewhere.newPage()
  await visitor.goto(url)
  await expect(visitor.getByText('Nobody has signed yet.')).toBeVisible()
  await visitor.getByRole('textbox').fill('The wind smells of rain.')
  await visitor.getByRole('button', { name: 'Sign', exact: true }).click()
  await sayWho(visitor)
  await expect(visitor.getByText('Your line is in the book.')).toBeVisible()
  await expect(visitor.getByText('You sign as')).toBeVisible()
  const line = visitor.getByRole('listitem').filter({ hasText: 'The wind smells of rain.' })
  await expect(line.getByRole('button')).toBeVisible()

  await page.goto(url)
  await expect(page.getByRole('listitem')).toContainText('The wind smells of rain.')
  await expect(page.getByRole('listitem').getByRole('button')).toBeHidden()
  await page.getByRole('button', { name: 'Say it now' }).click()
  await sayWho(page)
  await expect(page.getByText(`You sign as ${user.username}.`)).toBeVisible()
  await page.getByRole('listitem').getByRole('button').click()
  await expect(page.getByText('Nobody has signed yet.')).toBeVisible()
  await expect(line).toBeHidden()
  await elsewhere.close()
})
