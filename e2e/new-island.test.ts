import { pressByKeys, tabTo, typeInto } from './harness/keyboard.ts'
import { newCredentials } from './harness/new-credentials.ts'
import { expect, test } from './harness/test.ts'

const notFound = 404

test('an island can be made and published by keyboard; the draft survives a reload, and nobody else can see it', async ({
  page,
  user,
  playwright,
  baseURL,
}) => {
  // Without digits, like a slug that anybody could guess.
  const name = `Quay ${newCredentials().username.slice(4).replace(/\d/g, 'z')} of all`
  const slug = name.toLowerCase().replaceAll(' ', '-')
  const stranger = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  const seenByStrangers = async () => await stranger.get(`/api/islands/by-slug/${slug}`)

  await page.goto('/new-island')
  await pressByKeys(page.getByRole('link', { name: /^A link/ }))
  const nameField = page.getByLabel('Name', { exact: true })
  await typeInto(nameField, name)
  await expect(page.getByText('This address is free.')).toBeVisible()
  await page.reload()
  await expect(nameField).toHaveValue(name)
  // The first kind, then a link.
  await tabTo(page.getByRole('radio', { name: 'Social space' }))
  await page.keyboard.press('Space')
  await expect(page.getByRole('radio', { name: 'A link' })).toBeChecked()
  await typeInto(page.getByLabel('Link', { exact: true }), 'https://quay.example')
  await pressByKeys(page.getByRole('button', { name: 'Save and continue' }))
  const title = page.getByRole('heading', { level: 2, name: /^What (?!will)|^Your/ })
  await expect(title).toHaveText('What it looks like')
  await expect(title).toBeFocused()
  await pressByKeys(page.getByRole('button', { name: 'Go on' }))

  const members = page.getByRole('radio', { name: 'For members' })
  await expect(members).toBeChecked()
  expect((await seenByStrangers()).status()).toBe(notFound)
  // The selection wraps from the last option to the first.
  await tabTo(members)
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'For everybody' })).toBeChecked()
  await expect(page.getByLabel('Let people find it in Explore')).toBeChecked()
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue(slug)
  await pressByKeys(page.getByRole('button', { name: 'Publish island' }))
  await expect(title).toHaveText('Your island is published')

  const seen = await seenByStrangers()
  expect(await seen.json()).toMatchObject({
    name,
    slug,
    access: 'public',
    isListed: true,
    mayEnter: true,
    address: 'https://quay.example/',
    host: user.username,
  })
  await stranger.dispose()
  await pressByKeys(page.getByRole('link', { name: 'Settings' }))
  await expect(page).toHaveURL(`/islands/${slug}/settings`)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
})
