import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { holdTime } from '../test/emulation.ts'
import { openRoutes } from '../test/open-screen.tsx'
import { pageRoute } from './router/page-route.tsx'
import { useQueryInAddress } from './use-query-in-address.ts'

const settleMs = 300
const box = page.getByRole('searchbox')
const link = (name: string) => page.getByRole('link', { name })
/** Clicks at once: on a busy machine a real click would come after the typing has settled. */
const press = (target: Element) =>
  target.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
const soon = page.getByText('The soon page')
const late = page.getByText('The late page')
const address = () => window.location.pathname + window.location.search

const textIn = (parameters: URLSearchParams) => parameters.get('q') ?? ''

function Search() {
  const [parameters] = useSearchParams()
  const [typed, setTyped] = useState(textIn(parameters))
  useQueryInAddress({
    query: typed,
    write: (_, text) => new URLSearchParams(text === '' ? '' : { q: text }),
    onAddress: (asked) => setTyped(textIn(asked)),
  })
  return (
    <>
      <input type="search" value={typed} onChange={({ target }) => setTyped(target.value)} />
      <Link to="/soon">Soon</Link> <Link to="/late">Late</Link>
    </>
  )
}

/** A search with links to a page that is loaded and to one whose code arrives when the test says so. */
async function openSearch() {
  holdTime()
  const code = Promise.withResolvers<void>()
  await openRoutes([
    { path: '/', element: <Search /> },
    { path: '/soon', element: <p>The soon page</p> },
    pageRoute({
      path: '/late',
      fetchPage: async () => {
        await code.promise
        return () => <p>The late page</p>
      },
      Failure: () => null,
    }),
  ])
  return () => code.resolve()
}

async function expectTypedOnTheWayBack(text: string) {
  window.history.back()
  await expect.element(box).toHaveValue(text)
  expect(address()).toBe(`/?q=${text}`)
}

test('typed text is in the address after a pause', async () => {
  await openSearch()
  await box.fill('harb')
  await vi.advanceTimersByTimeAsync(settleMs)
  await expect.poll(address).toBe('/?q=harb')
})

test('a link pressed before that leads to its page, however late, and Back to the typed text', async () => {
  const deliver = await openSearch()
  await box.fill('harb')
  press(link('Late').element())
  await vi.advanceTimersByTimeAsync(settleMs)
  deliver()
  await expect.element(late).toBeVisible()
  expect(address()).toBe('/late')
  await expectTypedOnTheWayBack('harb')
})

test('Back from a loaded page leads to the typed text too', async () => {
  await openSearch()
  await box.fill('harb')
  press(link('Soon').element())
  await expect.element(soon).toBeVisible()
  await expectTypedOnTheWayBack('harb')
})

test('a second click before the next page renders does not change its address', async () => {
  await openSearch()
  await box.fill('harb')
  press(link('Soon').element())
  press(document.body)
  await expect.element(soon).toBeVisible()
  expect(address()).toBe('/soon')
  await expectTypedOnTheWayBack('harb')
})

test('typing while the next page loads does not stop it', async () => {
  const deliver = await openSearch()
  await link('Late').click()
  await box.fill('harb')
  await vi.advanceTimersByTimeAsync(settleMs)
  expect(address()).toBe('/')
  deliver()
  await expect.element(late).toBeVisible()
  expect(address()).toBe('/late')
})

test('typing does not stop the browser’s buttons either', async () => {
  const deliver = await openSearch()
  window.history.pushState(null, '', '/late')
  window.history.back()
  await expect.poll(address).toBe('/')
  await box.fill('harb')
  window.history.forward()
  await expect.poll(address).toBe('/late')
  await vi.advanceTimersByTimeAsync(settleMs)
  deliver()
  await expect.element(late).toBeVisible()
  expect(address()).toBe('/late')
})

test('text typed meanwhile is in the address if the visitor stays', async () => {
  await openSearch()
  await link('Late').click()
  await box.fill('harb')
  await vi.advanceTimersByTimeAsync(settleMs)
  window.history.pushState(null, '', '/')
  window.history.back()
  await vi.advanceTimersByTimeAsync(settleMs)
  await expect.poll(address).toBe('/?q=harb')
})
