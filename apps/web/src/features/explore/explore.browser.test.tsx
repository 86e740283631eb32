import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { openScreen } from '../../test/open-screen.tsx'
import { sampleUser } from '../../test/samples.ts'

const modules = ['Harbor Logs', 'Signal Relay', 'Orbital Library', 'Island Builder']
const lounge = page.getByRole('region', { name: 'Community Lounge' })
const places = page.getByRole('region', { name: 'Your places' })
const moduleList = page.getByRole('region', { name: 'Modules' })
const dialog = page.getByRole('dialog', { name: 'Sign in' })
const unlockButton = (name: string) =>
  moduleList.getByRole('article', { name }).getByRole('button', { name: 'Sign in to unlock' })

test("it has the 'Community Lounge' with 'Join now' and 'Learn more', and three places to Open", async () => {
  await openScreen('/explore')
  await expect.element(lounge.getByRole('heading', { name: 'Community Lounge' })).toBeVisible()
  const link = (name: string) => lounge.getByRole('link', { name, exact: false })
  await expect.element(link('Join now')).toHaveAttribute('href', '/discover')
  await expect.element(link('Learn more')).toHaveAttribute('href', '/thetravelerstavern')
  for (const name of ['Account', 'Dashboard', 'Observatory']) {
    const open = places.getByRole('article', { name }).getByRole('link', { name: 'Open' })
    await expect.element(open).toHaveAttribute('href', `/${name.toLowerCase()}`)
    await expect.element(open).toHaveAccessibleDescription(name)
  }
})

describe('a visitor', () => {
  test("sees each module 'Locked', with a button to unlock it", async () => {
    await openScreen('/explore')
    for (const name of [...modules, 'Observatory']) {
      const tile = moduleList.getByRole('article', { name })
      await expect.element(tile.getByText('Locked', { exact: true })).toBeVisible()
      expect(tile.getByRole('link').length).toBe(0)
      await expect.element(unlockButton(name)).toHaveAccessibleDescription(name)
    }
    await expectAccessible()
  })

  test("by 'Sign in to unlock' opens the dialog where he is; Escape comes back to it", async () => {
    await openScreen('/explore')
    for (const name of ['Signal Relay', 'Observatory']) {
      unlockButton(name).element().focus()
      await userEvent.keyboard('{Enter}')
      await expect.element(dialog.getByLabelText('Username')).toHaveFocus()
      expect(window.location.pathname + window.location.search).toBe('/explore')
      await userEvent.keyboard('{Escape}')
      await expect.element(dialog).not.toBeInTheDocument()
      await expect.element(unlockButton(name)).toHaveFocus()
    }
  })
})

test('while it is not known who is here no tile is locked, and nothing moves when it is', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof sampleUser>()
  await openScreen('/explore', { user: promise })
  await expect.element(moduleList.getByRole('heading', { name: 'Harbor Logs' })).toBeVisible()
  const list = moduleList.getByRole('list')
  await expect.element(list).toHaveAttribute('aria-busy', 'true')
  expect(moduleList.getByText('Locked').length).toBe(0)
  expect(moduleList.getByRole('link').length).toBe(0)
  const before = moduleList.element().getBoundingClientRect().toJSON()
  resolve(sampleUser)
  await expect.element(moduleList.getByRole('link', { name: 'Harbor Logs' })).toBeVisible()
  await expect.element(list).not.toHaveAttribute('aria-busy')
  expect(moduleList.element().getBoundingClientRect().toJSON()).toEqual(before)
})

test('a signed-in user has each module as a link, the Island Builder to where islands are made', async () => {
  await openScreen('/explore', { user: sampleUser })
  for (const name of modules) {
    const link = moduleList.getByRole('link', { name })
    const to = name === 'Island Builder' ? '/new-island' : '/discover'
    await expect.element(link).toHaveAttribute('href', to)
  }
  expect(moduleList.getByRole('link').length).toBe(modules.length)
  expect(moduleList.getByText('Locked').length).toBe(0)
  expect(moduleList.getByRole('button').length).toBe(0)
  await expectAccessible()
})
