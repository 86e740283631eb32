import { Link } from 'react-router'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { openRoutes } from '../../test/open-screen.tsx'
import { pageRoute } from './page-route.tsx'

const tall = { height: '3000px' }
const heading = (name: string) => page.getByRole('heading', { name })

function Start() {
  return (
    <div style={tall}>
      <h1>Start</h1>
      <nav style={{ position: 'fixed' }}>
        <Link to="/far">Far</Link> <Link to="/near">Near</Link> <Link to="/near#part">Part</Link>
      </nav>
    </div>
  )
}

function Near() {
  return (
    <div style={tall}>
      <h1>Near</h1>
      <div style={tall} />
      <h2 id="part">Part</h2>
    </div>
  )
}

/** Opens two pages, and a third one whose code comes when the test says so. */
async function open() {
  const tries: PromiseWithResolvers<void>[] = []
  const far = pageRoute({
    path: '/far',
    fetchPage: async () => {
      const code = Promise.withResolvers<void>()
      tries.push(code)
      await code.promise
      return () => <h1>Far</h1>
    },
    Failure: ({ error }) => <p role="alert">{String(error)}</p>,
  })
  const near = { path: '/near', element: <Near /> }
  await openRoutes([{ path: '/', element: <Start /> }, near, far])
  return tries
}

test('a new page begins at its top, and Back leads to where the last one was left', async () => {
  await open()
  window.scrollTo(0, 500)
  await page.getByRole('link', { name: 'Near' }).click()
  await expect.element(heading('Near')).toBeVisible()
  expect(window.scrollY).toBe(0)
  window.history.back()
  await expect.element(heading('Start')).toBeInTheDocument()
  await expect.poll(() => window.scrollY).toBe(500)
})

test('Back leads to where a page was left, also if the next page took long to load', async () => {
  const tries = await open()
  window.scrollTo(0, 500)
  await page.getByRole('link', { name: 'Far' }).click()
  // As the skeleton of a late page does.
  window.scrollTo(0, 0)
  tries[0]?.resolve()
  await expect.element(heading('Far')).toBeVisible()
  window.history.back()
  await expect.element(heading('Start')).toBeInTheDocument()
  await expect.poll(() => window.scrollY).toBe(500)
})

test('pages are drawn in a browser that blocks storage', async () => {
  const storage = vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError')
  })
  onTestFinished(() => storage.mockRestore())
  await open()
  await expect.element(heading('Start')).toBeVisible()
})

test('an address with a section leads to the section', async () => {
  await open()
  await page.getByRole('link', { name: 'Part' }).click()
  await expect.element(heading('Part')).toBeVisible()
  expect(window.scrollY).toBeGreaterThan(1000)
})

test('the address changes with the page, and a second click replaces the first', async () => {
  const tries = await open()
  const entries = window.history.length
  await page.getByRole('link', { name: 'Far' }).click()
  expect(window.location.pathname).toBe('/')
  await page.getByRole('link', { name: 'Near' }).click()
  await expect.element(heading('Near')).toBeVisible()
  tries[0]?.resolve()
  await new Promise((done) => setTimeout(done))
  expect(window.location.pathname).toBe('/near')
  expect(window.history.length).toBe(entries + 1)
})

test('code that can’t be loaded shows a failure, and the next visit tries again', async () => {
  const tries = await open()
  await page.getByRole('link', { name: 'Far' }).click()
  tries[0]?.reject(new Error('no network'))
  await expect.element(page.getByRole('alert')).toHaveTextContent('Error: no network')
  window.history.back()
  await expect.element(heading('Start')).toBeVisible()
  await page.getByRole('link', { name: 'Far' }).click()
  tries[1]?.resolve()
  await expect.element(heading('Far')).toBeVisible()
})
