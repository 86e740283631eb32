import type { Page } from '@playwright/test'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  watchLayoutShift,
} from './harness/page-health.ts'
import { landing, openLanding } from './harness/landing-parts.ts'
import { expect, test } from './harness/test.ts'

function nextScroll(page: Page): Promise<number[]> {
  return page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const places: number[] = []
        window.addEventListener('scroll', () => places.push(window.scrollY))
        window.addEventListener('scrollend', () => resolve(places), { once: true })
      }),
  )
}

/** The scene's animations that are under way. */
function runningAnimations(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      document.getAnimations().filter(({ effect, playState }) => {
        const target = effect instanceof KeyframeEffect ? effect.target : null
        return playState === 'running' && target?.closest('.scene') !== null
      }).length,
  )
}

/** Texts and controls that reach past the window's edge, where the page clips them. */
function textsPastEdge(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main *, aside *, header *, footer *')]
      .filter((element) => element.matches('h1, h2, h3, p, a, button, summary, li'))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        return width > 1 && (left < 0 || right > window.innerWidth)
      })
      .map((element) => element.textContent),
  )
}

test("'Hero with an animated cosmic scene, the title, the tagline and two actions'", async ({
  page,
}) => {
  await openLanding(page)
  const { explore, connectAction } = landing(page)
  const main = page.getByRole('main')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Astropelago')
  await expect(main.getByText('The community-powered meta-network', { exact: true })).toBeVisible()
  await expect(connectAction).toHaveAttribute('href', '/#connect')
  expect(await runningAnimations(page)).toBeGreaterThan(5)
  await explore.click()
  await expect(page).toHaveURL('/explore')
})

test("the landing copy: 'an early prototype', 'glitches and data resets', free hosting with optional costs, nothing required to host", async ({
  page,
}) => {
  await openLanding(page)
  const { notice } = landing(page)
  await expect(notice).toContainText('An early prototype in active development')
  await expect(notice).toContainText('glitches and data resets')
  const main = page.getByRole('main')
  await expect(main.getByText(/Hosting is free/)).toContainText(
    'some community services may carry optional costs. No tunnel or port-forwarding is required.',
  )
})

test("'How it works': three steps, in order", async ({ page }) => {
  await openLanding(page)
  const steps = landing(page).part('How it works').getByRole('listitem')
  await expect(steps.getByRole('heading')).toHaveText([
    'Join & Discover',
    'Explore the Network',
    'Connect Your Device',
  ])
})

test("'Connect your device' section: three feature points, two buttons, a four-step quick checklist", async ({
  page,
}) => {
  await openLanding(page)
  const connect = landing(page).part('Connect your device')
  await expect(connect).toHaveAttribute('id', 'connect')
  for (const name of ['Private by default', 'Simple setup', 'Modular services']) {
    await expect(connect.getByRole('heading', { name })).toBeVisible()
  }
  const checklist = connect.getByRole('list', { name: 'Quick checklist' }).getByRole('listitem')
  await expect(checklist).toHaveCount(4)
  await expect(checklist).toContainText([
    'Pick a device',
    'Choose a tunnel or DNS method',
    'Run a simple service',
    'Share the island link',
  ])
  await connect.getByRole('link', { name: 'Get started' }).click()
  await expect(page).toHaveURL('/#connect')
  await expect(landing(page).connectHeading).toBeFocused()
  await connect.getByRole('link', { name: 'Browse islands' }).click()
  await expect(page).toHaveURL('/explore')
})

test("'Explore the community': three island kinds", async ({ page }) => {
  await openLanding(page)
  const kinds = landing(page).part('Explore the community').getByRole('listitem')
  await expect(kinds.getByRole('heading')).toHaveText([
    'Social spaces',
    'Media hubs',
    'Creative labs',
  ])
})

test("'Safety & trust': both principles, and that hosts set their own rules", async ({ page }) => {
  await openLanding(page)
  const safety = landing(page).part('Safety & trust')
  await expect(safety.getByRole('heading', { name: 'Respect & consent' })).toBeVisible()
  await expect(safety.getByRole('heading', { name: 'Community-first' })).toBeVisible()
  await expect(safety).toContainText(
    'Island hosts set their own rules, and choose who can see or join their island and what is shared.',
  )
})

test("'FAQ': each question opens and closes by keyboard and has its answer", async ({ page }) => {
  await openLanding(page)
  const faq = landing(page).part('FAQ')
  const answers = [
    { question: 'Is it free?', answer: /^Yes\./ },
    { question: 'Do I need port-forwarding?', answer: /^No\. A tunnel works/ },
    { question: 'What can I host?', answer: /^Chats, files, media, games, blogs/ },
  ]
  for (const { question, answer } of answers) {
    const item = faq.getByRole('group').filter({ hasText: question })
    const text = item.getByText(answer)
    const wasOpen = await text.isVisible()
    await item.getByText(question, { exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(text).toBeVisible({ visible: !wasOpen })
    await page.keyboard.press('Space')
    await expect(text).toBeVisible({ visible: wasOpen })
  }
})

test("'Footer': it leads to the page's parts from other pages too, with the focus on their heading", async ({
  page,
}) => {
  await page.goto('/explore')
  const footer = page.getByRole('contentinfo')
  await footer.getByRole('link', { name: 'Safety & trust' }).click()
  await expect(page).toHaveURL('/#safety')
  await expect(page.getByRole('heading', { name: 'Safety & trust' })).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Safety & trust' })).toBeInViewport()
})

test("'Connect your device' (jumps to the in-page #connect section) smoothly, and again", async ({
  page,
}) => {
  await openLanding(page)
  const { connectAction, connectHeading } = landing(page)
  for (let jump = 0; jump < 2; jump += 1) {
    if (jump > 0) {
      const scrolled = nextScroll(page)
      await page.evaluate(() => window.scrollTo(0, 0))
      await scrolled
    }
    await connectAction.focus()
    const places = nextScroll(page)
    await page.keyboard.press('Enter')
    expect((await places).length).toBeGreaterThan(2)
    await expect(page).toHaveURL('/#connect')
    await expect(connectHeading).toBeFocused()
    await expect(connectHeading).toBeInViewport()
  }
  await expect(page.locator('html')).not.toHaveAttribute('data-jump')
})

test('#connect works on a first load and from another page, with the focus on its heading', async ({
  page,
}) => {
  const { connectHeading } = landing(page)
  await page.goto('/#connect')
  await expect(connectHeading).toBeFocused()
  await expect(connectHeading).toBeInViewport()
  await page.goto('/explore')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Connect your device' }).click()
  await expect(page).toHaveURL('/#connect')
  await expect(connectHeading).toBeFocused()
  await expect(connectHeading).toBeInViewport()
})

test('the pause control holds the scene as well, and lets it go on', async ({ page }) => {
  await openLanding(page)
  expect(await runningAnimations(page)).toBeGreaterThan(5)
  await page.getByRole('button', { name: 'Pause the stars' }).click()
  await expect.poll(() => runningAnimations(page)).toBe(0)
  await page.getByRole('button', { name: 'Move the stars' }).click()
  await expect.poll(() => runningAnimations(page)).toBeGreaterThan(5)
})

test.describe('under reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('the scene stands still, and jumps are instant', async ({ page }) => {
    await openLanding(page)
    await expect.poll(() => runningAnimations(page)).toBe(0)
    const { connectAction, connectHeading } = landing(page)
    const places = nextScroll(page)
    await connectAction.click()
    await expect(connectHeading).toBeFocused()
    await expect(connectHeading).toBeInViewport()
    expect((await places).length).toBe(1)
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('everything can be read, and the jump works', async ({ page }) => {
    await page.goto('/')
    const { notice, connectAction, connectHeading, part } = landing(page)
    await expect(notice).toBeVisible()
    await part('FAQ').getByText('What can I host?').click()
    await expect(part('FAQ').getByText(/^Chats, files/)).toBeVisible()
    await connectAction.click()
    await expect(connectHeading).toBeInViewport()
  })
})

test('by keyboard, what is first comes first', async ({ page }) => {
  await openLanding(page)
  const { dismiss, explore, connectAction } = landing(page)
  await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible()
  const order = [
    page.getByRole('link', { name: 'Skip to content' }),
    dismiss,
    page.getByRole('banner').getByRole('link', { name: 'Astropelago' }),
    page.getByRole('button', { name: 'Menu' }),
    explore,
    connectAction,
  ]
  for (const stop of order) {
    await page.keyboard.press('Tab')
    await expect(stop).toBeFocused()
  }
})

test('axe finds nothing with every answer open, and nothing overflows or jumps', async ({
  page,
}) => {
  const layoutShift = await watchLayoutShift(page)
  await openLanding(page)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await layoutShift()).toBeLessThan(0.01)
  const faq = landing(page).part('FAQ')
  await faq.getByText('Do I need port-forwarding?').click()
  await faq.getByText('What can I host?').click()
  await expectAccessible(page)
})

test.describe('at 200 % zoom', () => {
  test.use({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 })

  test('nothing has to be scrolled sideways, and the actions are within reach', async ({
    page,
  }) => {
    await openLanding(page)
    const { explore, connectAction } = landing(page)
    await expect(explore).toBeVisible()
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(wide).toBeLessThanOrEqual(720)
    await connectAction.click()
    await expect(landing(page).connectHeading).toBeInViewport()
    expect(await textsPastEdge(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 900 })
    expect(await textsPastEdge(page)).toEqual([])
    await expectNoSidewaysScroll(page)
  })
})
