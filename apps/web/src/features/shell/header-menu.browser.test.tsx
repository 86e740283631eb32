import { logout } from '@astropelago/contract/accounts'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { keptDraft } from '../../lib/kept-drafts.ts'
import { expectAccessible, expectAccessibleOnDesktop } from '../../test/accessibility.ts'
import { answerApi } from '../../test/answer-api.ts'
import { watchDepartures } from '../../test/departures.ts'
import { openPart, openScreen } from '../../test/open-screen.tsx'
import { sampleUser } from '../../test/samples.ts'
import { SignIn } from '../sign-in/sign-in.tsx'
import { Header } from './header.tsx'

const guarded = ['Dashboard', 'Checks', 'Connect', 'Discover', 'Observatory', 'Account']
const button = page.getByRole('button', { name: 'Menu' })
const menu = page.getByRole('menu')
const entry = (name: string) => menu.getByRole('menuitem', { name, exact: true })
const signIn = page.getByRole('banner').getByRole('button', { name: 'Sign in' })
const accountLink = page.getByRole('banner').getByRole('link', { name: /^Account / })

/** Opens the header and its sign-in dialog, signed in if a user is given. */
async function openHeader(user?: typeof sampleUser) {
  await openPart(
    <>
      <Header />
      <SignIn />
    </>,
    { path: '/explore', ...(user && { user }) },
  )
}

function entries(): string[] {
  return menu
    .getByRole('menuitem')
    .elements()
    .map((item) => item.textContent.trim())
}

test("signed out, it has Home, Explore, the rest with '(sign in)', and Sign in", async () => {
  await openHeader()
  await button.click()
  await expect.element(entry('Sign in')).toBeVisible()
  const locked = guarded.map((name) => `${name} (sign in)`)
  expect(entries()).toEqual(['Home', 'Explore', ...locked, 'Sign in'])
  await expect.element(menu).not.toMatchTextContent('Signed in as')
  await expect.element(accountLink).not.toBeInTheDocument()
})

test("a '(sign in)' entry and Sign in open the dialog on the current page", async () => {
  await openHeader()
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  for (const [name, reason] of [
    ['Dashboard (sign in)', 'Dashboard is for Navigators who are signed in. You get there'],
    ['Account (sign in)', 'Account is for Navigators who are signed in. You get there'],
    ['Sign in', /^Sign inNew here\?/],
  ] as const) {
    await button.click()
    await entry(name).click()
    await expect.element(dialog).toMatchTextContent(reason)
    expect(window.location.pathname + window.location.search).toBe('/explore')
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
  }
})

test('signed in, it names the user and has every screen and Log out', async () => {
  await openHeader(sampleUser)
  await button.click()
  await expect.element(menu).toMatchTextContent(`Signed in as ${sampleUser.username}`)
  expect(entries()).toEqual(['Home', 'Explore', ...guarded, 'Log out'])
  await expectAccessible()
})

describe('the destinations, on a wide screen', () => {
  const links = page.getByRole('navigation', { name: 'Pages' })
  const names = () =>
    links
      .getByRole('listitem')
      .elements()
      .map(({ textContent }) => textContent)

  test('are only those that can be opened, signed out, beside Sign in', async () => {
    await openHeader()
    expect(names()).toEqual(['Home', 'Explore'])
    await expect
      .element(links.getByRole('link', { name: 'Explore' }))
      .toHaveAttribute('aria-current', 'page')
    await page.viewport(360, 800)
    await signIn.click()
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await expect.element(dialog).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(signIn).toHaveFocus()
  })

  test('lead to all screens, signed in; the link with the username leads to Account', async () => {
    await openHeader({ ...sampleUser, username: 'W'.repeat(32) })
    await expect.element(accountLink).toBeVisible()
    expect(names()).toEqual(['Home', 'Explore', ...guarded.slice(0, -1)])
    await expectAccessibleOnDesktop()
    for (const link of links.getByRole('link').elements().slice(1)) {
      expect(link).toHaveAttribute('href', `/${link.textContent.toLowerCase()}`)
    }
  })

  test.each([
    ['signed out', undefined, button],
    ['with the longest username', { ...sampleUser, username: 'W'.repeat(32) }, accountLink],
  ] as const)('fit from 1152 px on, %s; below they are in the menu', async (_, user, beside) => {
    await openHeader(user)
    await expect.element(beside).toBeVisible()
    await page.viewport(1152, 900)
    await expect.element(links).toBeVisible()
    const home = page.getByRole('link', { name: 'Astropelago' }).element().getBoundingClientRect()
    expect(links.element().getBoundingClientRect().left).toBeGreaterThan(home.right)
    expect(button.element().getBoundingClientRect().right).toBeLessThanOrEqual(1152 - 24)
    await page.viewport(1151, 900)
    await expect.element(links).not.toBeInTheDocument()
  })
})

test('a link to the account with the username and an avatar is beside it', async () => {
  await openHeader(sampleUser)
  await expect.element(accountLink).toHaveAttribute('href', '/account')
  await expect.element(accountLink).toMatchTextContent(sampleUser.username)
  await expect.element(accountLink.getByText('N', { exact: true })).toBeVisible()
})

test('a failed log out says so, and the user stays signed in', async () => {
  answerApi(logout, 'dropped')
  await openHeader(sampleUser)
  await button.click()
  await entry('Log out').click()
  await expect.element(page.getByText('You are still signed in', { exact: true })).toBeVisible()
  await expect.element(accountLink).toBeVisible()
})

test('a log out drops unsent drafts and nothing else in the tab', async () => {
  answerApi(logout, { status: 204 })
  const departures = watchDepartures()
  keptDraft('form.v1', v.string()).write('half a label')
  window.sessionStorage.setItem('another', 'stays')
  await openHeader(sampleUser)
  await button.click()
  await entry('Log out').click()
  await expect.poll(() => departures).toHaveLength(1)
  expect(Object.keys(window.sessionStorage)).toEqual(['another'])
})

test('by keyboard, arrows move through it, Enter opens, Escape returns the focus', async () => {
  await openScreen('/explore', { user: sampleUser })
  await expect.element(accountLink).toBeVisible()
  button.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(menu).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(menu).not.toBeInTheDocument()
  await expect.element(button).toHaveFocus()

  await userEvent.keyboard('{Enter}')
  await expect.element(menu).toContainElement(document.querySelector<HTMLElement>(':focus'))
  await userEvent.keyboard('{Home}')
  await expect.element(entry('Home')).toHaveFocus()
  for (const name of ['Explore', ...guarded.slice(0, 4)]) {
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(entry(name)).toHaveFocus()
  }
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => window.location.pathname).toBe('/discover')
})
