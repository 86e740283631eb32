import { listPublicDevices } from '@astropelago/contract/devices'
import { listIslands } from '@astropelago/contract/island-directory'
import { describe, expect, test } from 'vitest'
import { cleanup } from 'vitest-browser-react/pure'
import { page, userEvent } from 'vitest/browser'
import {
  expectAccessible,
  expectAccessibleOnDesktop,
  expectNoSidewaysScroll,
} from '../../test/accessibility.ts'
import { allowMotion } from '../../test/emulation.ts'
import { answerApi, respondTo } from '../../test/answer-api.ts'
import { answerFeed } from '../../test/answer-feed.ts'
import { openScreen } from '../../test/open-screen.tsx'
import { sampleIsland } from '../../test/sample-island.ts'

const main = page.getByRole('main')
const part = (name: string) => page.getByRole('region', { name, exact: true })
const heading = (name: string) => page.getByRole('heading', { name, exact: true })
const headingsOf = (name: string) =>
  part(name)
    .getByRole('listitem')
    .getByRole('heading')
    .elements()
    .map(({ textContent }) => textContent)
const notice = page.getByRole('complementary', { name: 'Under Construction' })
const dismiss = page.getByRole('button', { name: 'Dismiss' })
const explore = main.getByRole('link', { name: 'Explore', exact: true })
const connectAction = main.getByRole('link', { name: 'Connect your device', exact: true })
const connectHeading = heading('Connect your device')

/** How the next jump scrolls, once it has stopped. A busy machine may show only its last frame. */
async function nextJump(): Promise<string> {
  const html = document.documentElement
  const { promise: stopped, resolve } = Promise.withResolvers<Event>()
  window.addEventListener('scrollend', resolve, { once: true })
  const behavior = await new Promise<string>((found) => {
    const watcher = new MutationObserver(() => {
      if (html.dataset['jump'] === undefined) return
      watcher.disconnect()
      found(getComputedStyle(html).scrollBehavior)
    })
    watcher.observe(html, { attributeFilter: ['data-jump'] })
  })
  await stopped
  return behavior
}

/** The number of the scene's running animations. */
function runningAnimations(): number {
  return document.getAnimations().filter(({ effect, playState }) => {
    const target = effect instanceof KeyframeEffect ? effect.target : null
    return playState === 'running' && target?.closest('.scene') !== null
  }).length
}

/** Texts and controls that extend past the window's edge and are clipped. */
function textsPastEdge(): string[] {
  return [...document.querySelectorAll('main *, aside *, header *, footer *')]
    .filter((element) => element.matches('h1, h2, h3, p, a, button, summary, li'))
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect()
      return width > 1 && (left < 0 || right > window.innerWidth)
    })
    .map((element) => element.textContent)
}

test('a live site has neither the banner nor the warning of data resets', async () => {
  document.documentElement.dataset['site'] = 'live'
  await openScreen('/')
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Astropelago')
  await expect.element(notice).not.toBeInTheDocument()
  expect(document.body.textContent).not.toMatch(/prototype|glitches|resets/)
})

test('the footer links to the operator’s pages', async () => {
  const links = [{ name: 'Imprint', href: 'https://club.example/imprint' }]
  document.documentElement.dataset['links'] = JSON.stringify(links)
  await openScreen('/')
  await expect
    .element(
      page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Imprint' }),
    )
    .toHaveAttribute('href', 'https://club.example/imprint')
})

test('it says what Astropelago is, what stage it is at, how it works and what is safe', async () => {
  await openScreen('/')
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Astropelago')
  await expect.element(main.getByText('The community-powered meta-network')).toBeVisible()
  await expect.element(explore).toHaveAttribute('href', '/explore')
  await expect.element(connectAction).toHaveAttribute('href', '/#connect')
  await expect.element(notice).toMatchTextContent('An early prototype in active development')
  await expect.element(notice).toMatchTextContent('glitches and data resets')
  await expect
    .element(main)
    .toMatchTextContent(
      'some community services may carry optional costs. No tunnel or port-forwarding is required.',
    )
  expect(headingsOf('How it works')).toEqual([
    'Join & Discover',
    'Explore the Network',
    'Connect Your Device',
  ])
  expect(headingsOf('Explore the community')).toEqual([
    'Social spaces',
    'Media hubs',
    'Creative labs',
  ])
  const safety = part('Safety & trust')
  for (const text of [
    'Respect & consent',
    'Community-first',
    'Island hosts set their own rules, and choose who can see or join their island and what is shared.',
  ]) {
    await expect.element(safety).toMatchTextContent(text)
  }
})

test("'Connect your device': three feature points, two buttons, a four-step quick checklist", async () => {
  await openScreen('/')
  const connect = part('Connect your device')
  await expect.element(connect).toHaveAttribute('id', 'connect')
  for (const name of ['Private by default', 'Simple setup', 'Modular services']) {
    await expect.element(connect.getByRole('heading', { name })).toBeVisible()
  }
  const checklist = connect.getByRole('list', { name: 'Quick checklist' }).getByRole('listitem')
  const steps = checklist.elements().map(({ textContent }) => textContent)
  expect(steps).toEqual([
    expect.stringContaining('1Pick a device'),
    expect.stringContaining('Choose a tunnel or DNS method'),
    expect.stringContaining('Run a simple service'),
    expect.stringContaining('4Share the island link'),
  ])
  const link = (name: string) => connect.getByRole('link', { name })
  await expect.element(link('Get started')).toHaveAttribute('href', '/connect')
  await expect.element(link('Browse islands')).toHaveAttribute('href', '/explore')
})

test("'FAQ': each question opens and closes by keyboard and has its answer", async () => {
  await openScreen('/')
  for (const { question, answer } of [
    { question: 'Is it free?', answer: /^Yes\./ },
    { question: 'Do I need port-forwarding?', answer: /^No\. A tunnel works/ },
    { question: 'What can I host?', answer: /^Chats, files, media, games, blogs/ },
  ]) {
    const text = part('FAQ').getByText(answer)
    const isOpen = () => text.element().checkVisibility({ contentVisibilityAuto: true })
    const wasOpen = isOpen()
    part('FAQ').getByText(question).element().closest('summary')?.focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(isOpen).toBe(!wasOpen)
    await userEvent.keyboard(' ')
    await expect.poll(isOpen).toBe(wasOpen)
  }
})

describe('with motion', () => {
  test('the jump to #connect is smooth, with the focus on its heading, and works again', async () => {
    await allowMotion()
    await openScreen('/')
    for (let jump = 0; jump < 2; jump += 1) {
      window.scrollTo({ top: 0, behavior: 'instant' })
      await expect.poll(() => window.scrollY).toBe(0)
      connectAction.element().focus()
      const behavior = nextJump()
      await userEvent.keyboard('{Enter}')
      await expect.poll(() => window.location.hash).toBe('#connect')
      await expect.element(connectHeading).toHaveFocus()
      expect(await behavior).toBe('smooth')
      await expect.element(connectHeading).toBeInViewport()
    }
    expect(document.documentElement.dataset).not.toHaveProperty('jump')
  })

  test('the pause control holds the scene as well, and lets it go on', async () => {
    await allowMotion()
    await openScreen('/')
    expect(runningAnimations()).toBeGreaterThan(5)
    await page.getByRole('button', { name: 'Pause the stars' }).click()
    await expect.poll(runningAnimations).toBe(0)
    await page.getByRole('button', { name: 'Move the stars' }).click()
    await expect.poll(runningAnimations).toBeGreaterThan(5)
  })
})

test('under reduced motion the scene stands still, and jumps are instant', async () => {
  await openScreen('/')
  await expect.poll(runningAnimations).toBe(0)
  const behavior = nextJump()
  await connectAction.click()
  await expect.element(connectHeading).toHaveFocus()
  await expect.element(connectHeading).toBeInViewport()
  expect(await behavior).toBe('auto')
})

test('what promises privacy and no port says how far that goes', async () => {
  await openScreen('/')
  const connect = part('Connect your device')
  await expect.element(connect).toMatchTextContent('You choose who sees your device')
  await expect.element(connect).toMatchTextContent('To be online you need neither')
  await expect.element(main).toMatchTextContent('Your device calls out to say that it is online')
  expect(part('FAQ').element().textContent).not.toContain('a browser is enough')
})

test('where a relay runs it says that one hosts from home', async () => {
  document.documentElement.dataset['site'] = 'live-relay'
  await openScreen('/')
  await expect.element(main).toMatchTextContent(/Host one from your own home: visitors come in/)
  await expect
    .element(main)
    .toMatchTextContent(
      'No tunnel or port-forwarding is required. Your device calls out to say that it is online, and',
    )
  const connect = part('Connect your device')
  await expect.element(connect).toMatchTextContent('You need neither here')
  await expect.element(connect).toMatchTextContent('The Island Builder gives it an address')
  await expect.element(part('FAQ')).toMatchTextContent('visitors come in through the relay')
  await expect.element(part('FAQ')).toMatchTextContent('a browser is enough for a page')
  expect(document.body.textContent).not.toContain('To be online you need neither')
})

describe('right now', () => {
  const now = part('Right now')

  test('it shows how many islands are open and devices exist, and a few islands', async () => {
    const islands = Array.from({ length: 5 }, (_, place) =>
      sampleIsland({ slug: `isle-${place}`, name: `Isle ${place}` }),
    )
    const asked = answerApi(listIslands, { status: 200, body: { islands, total: 5, next: null } })
    answerFeed()
    respondTo(
      'HEAD',
      listPublicDevices.path,
      async () => new Response(null, { headers: { 'x-total-count': '1234' } }),
    )
    await openScreen('/')
    await expect
      .element(now)
      .toMatchTextContent('5 islands open to everybody, 1,234 devices on the globe.')
    await expect
      .element(now.getByRole('link', { name: 'Isle 0' }))
      .toHaveAttribute('href', '/islands/isle-0')
    expect(now.getByRole('article').length).toBe(3)
    expect(asked[0]?.query).toEqual({ state: 'open', access: 'public', sort: 'open' })
    await expectNoSidewaysScroll()
  })

  test('without islands and devices the page is unchanged', async () => {
    const asked = answerApi(listIslands, {
      status: 200,
      body: { islands: [], total: 0, next: null },
    })
    await openScreen('/')
    await expect.poll(() => asked.length).toBeGreaterThan(0)
    await expect.element(now).not.toBeInTheDocument()
  })
})

test('by keyboard, what is first comes first', async () => {
  // Too narrow for the destinations in the header.
  await page.viewport(1024, 900)
  await openScreen('/')
  for (const stop of [
    page.getByRole('link', { name: 'Skip to content' }),
    dismiss,
    page.getByRole('banner').getByRole('link', { name: 'Astropelago' }),
    page.getByRole('banner').getByRole('button', { name: 'Sign in' }),
    page.getByRole('button', { name: 'Menu' }),
    explore,
    connectAction,
  ]) {
    await userEvent.tab()
    await expect.element(stop).toHaveFocus()
  }
})

test('axe finds nothing with every answer open, and nothing overflows', async () => {
  await openScreen('/')
  for (const question of document.querySelectorAll('details')) question.open = true
  await expectAccessibleOnDesktop()
  await expectAccessible()
  await expect.poll(() => document.title).toBe('Astropelago')
})

test('no text reaches past the edge, at 200 % zoom and on the narrowest screen', async () => {
  await page.viewport(720, 450)
  await openScreen('/')
  await expect.element(explore).toBeInViewport()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(720)
  expect(textsPastEdge()).toEqual([])
  await expectNoSidewaysScroll()
  expect(textsPastEdge()).toEqual([])
})

describe('Under Construction', () => {
  test('stands above the header; dismissed by keyboard it is gone, and that is remembered', async () => {
    await openScreen('/')
    expect(notice.element().getBoundingClientRect().y).toBe(0)
    dismiss.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(notice).not.toBeInTheDocument()
    await expect.element(main).toHaveFocus()
    await cleanup()
    await openScreen('/')
    await expect.element(explore).toBeVisible()
    await expect.element(notice).not.toBeInTheDocument()
  })

  test('stands on the landing page alone', async () => {
    await openScreen('/explore')
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.element(notice).not.toBeInTheDocument()
  })
})
