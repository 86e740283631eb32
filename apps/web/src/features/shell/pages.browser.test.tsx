import { Link, useLocation } from 'react-router'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { pageRoute } from '../../lib/router/page-route.tsx'
import { holdTime } from '../../test/emulation.ts'
import { openPart, openRoutes } from '../../test/open-screen.tsx'
import { takeProblem } from '../../test/page-problems.ts'
import { sampleUser } from '../../test/samples.ts'
import { RouterError } from './error-pages.tsx'
import { PublicPages } from './pages.tsx'

const alert = page.getByRole('alert')
const dials = { isBroken: true }

/** A page that fails to render at one address only. */
function Dials() {
  const { pathname } = useLocation()
  if (dials.isBroken && pathname === '/dials') throw new Error('The dials came off')
  return <p>The dials at {pathname}</p>
}

async function openBroken() {
  dials.isBroken = true
  await openPart(<Dials />, { user: sampleUser, path: '/dials' })
  await expect.element(alert).toBeVisible()
  // React logs the error that it caught.
  takeProblem(/The dials came off/)
}

test('a page that throws while it renders shows the error, and Try Again resets it', async () => {
  await openBroken()
  await expect
    .element(alert.getByRole('heading', { level: 1 }))
    .toHaveTextContent('This spark has encountered a runtime error')
  for (const text of [
    'Something unexpected happened while running the application. The error details are shown below. Contact the spark author and let them know about this issue.',
    'Error Details:',
    'The dials came off',
  ]) {
    await expect.element(alert).toMatchTextContent(text)
  }
  dials.isBroken = false
  await alert.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByText('The dials at /dials')).toBeVisible()
  await expect.element(alert).not.toBeInTheDocument()
})

test('leaving a broken page clears the error', async () => {
  await openBroken()
  window.history.pushState(null, '', '/elsewhere')
  window.dispatchEvent(new PopStateEvent('popstate'))
  await expect.element(page.getByText('The dials at /elsewhere')).toBeVisible()
  await expect.element(alert).not.toBeInTheDocument()
})

test('a page whose code is late shows a skeleton, and a fast one does not', async () => {
  holdTime()
  const code = Promise.withResolvers<void>()
  await openRoutes([
    {
      element: <PublicPages />,
      children: [
        { path: '/', element: <Link to="/late">Go there</Link> },
        pageRoute({
          path: '/late',
          fetchPage: async () => {
            await code.promise
            return () => <p>It is there</p>
          },
          Failure: RouterError,
        }),
      ],
    },
  ])
  // A slow machine must not let time pass during the click.
  vi.setTimerTickMode('manual')
  const link = page.getByRole('link', { name: 'Go there' })
  const loading = page.getByRole('status')
  await link.click()
  await vi.advanceTimersByTimeAsync(100)
  await expect.element(link).toBeVisible()
  expect(loading.length).toBe(0)
  await vi.advanceTimersByTimeAsync(100)
  await expect.element(loading).toHaveTextContent('Loading the page…')
  await expect.element(link).not.toBeInTheDocument()
  code.resolve()
  await expect.element(page.getByText('It is there')).toBeVisible()
  await expect.element(loading).not.toBeInTheDocument()
})
