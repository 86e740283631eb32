import { getMe } from '@astropelago/contract/me'
import { listOwnDevices, type OwnDevice } from '@astropelago/contract/devices'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { cleanup } from 'vitest-browser-react/pure'
import { call } from '../../lib/call.ts'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi } from '../../test/answer-api.ts'
import { allowMotion, holdTime } from '../../test/emulation.ts'
import { sampleDevice } from '../../test/samples.ts'
import { answerOwnDevices } from '../../devices/testing/answer-own-devices.ts'
import { openConnect, steps } from './testing/open-connect.tsx'

const { choose, watch } = steps
/** How often the page asks for a device that it waits for. */
const waitingPollMs = 1000
const online = () => ({ status: 'online', lastSeenAt: new Date().toISOString() }) as const

/** Opens Connect while it waits for a device. */
async function openWaiting(details: Parameters<typeof sampleDevice>[0] = {}) {
  const device = sampleDevice({ label: 'Harbour Pi', ...details })
  const answers = await openConnect([device], device)
  await expect.element(watch).toMatchTextContent('Waiting for Harbour Pi')
  return { device, ...answers }
}

/** Reports a public device online through the live feed. */
async function comeOnline(details: Parameters<typeof sampleDevice>[0] = {}) {
  const { device, feed, replace } = await openWaiting(details)
  await expect.poll(() => feed.open()).toBe(1)
  feed.tell({ type: 'device', payload: replace(device.id, online()) ?? device })
  return device
}

const newLight = new Set(['turn', 'ripple', 'kindle'])

/** What moves in the final picture. Spinners don't count. */
function moving(): CSSAnimation[] {
  return document
    .getAnimations()
    .filter((each) => each instanceof CSSAnimation)
    .filter(
      ({ animationName, playState }) => newLight.has(animationName) && playState === 'running',
    )
}

async function loseFeed({ refuse }: Awaited<ReturnType<typeof openWaiting>>['feed']) {
  refuse()
  await expect.element(watch.getByText('reconnecting')).toBeVisible()
}

describe('the device appears online', () => {
  test('as soon as the feed reports it, with an announcement', async () => {
    const { device, feed, replace } = await openWaiting()
    await expect.poll(() => feed.open()).toBe(1)
    const said = watch.getByText('Waiting for Harbour Pi.', { exact: true }).element()
    expect(said).toHaveAttribute('aria-live', 'polite')
    const changed = replace(device.id, online())
    feed.tell({ type: 'device', payload: changed ?? device })
    await expect.element(watch.getByText('online', { exact: true })).toBeVisible()
    await expect.poll(() => said.textContent).toBe('Harbour Pi is online.')
    await expect.element(watch).toMatchTextContent('Last seen just now')
    await expect.element(watch.getByRole('link', { name: 'See your devices' })).toBeVisible()
    await expectAccessible()
  })

  test('[P8] a private one too, although the feed does not report it', async () => {
    holdTime()
    const { device, replace } = await openWaiting({ visibility: 'private' })
    replace(device.id, online())
    await vi.advanceTimersByTimeAsync(waitingPollMs)
    await expect.element(watch).toMatchTextContent('Harbour Pi is online')
  })
})

describe('the end', () => {
  const shared = watch.getByRole('figure', { name: /^Share it/ }).getByRole('code')

  test('leads on: see it on the globe, share its link, add another', async () => {
    const link = 'https://pi.example/'
    const { id } = await comeOnline({ link })
    await expect
      .element(watch.getByRole('link', { name: 'See it on the globe' }))
      .toHaveAttribute('href', `/observatory?device=${id}`)
    await expect.element(shared).toHaveTextContent(link)
    const label = choose.getByLabelText('Label', { exact: true })
    for (const _form of ['closed', 'open']) {
      await watch.getByRole('button', { name: 'Add another' }).click()
      await expect.element(label).toHaveFocus()
    }
  })

  test('without a link its place on the globe is shared; a private one is not', async () => {
    holdTime()
    const { id } = await comeOnline()
    const { origin } = window.location
    await expect.element(shared).toHaveTextContent(`${origin}/observatory?device=${id}`)
    await cleanup()
    const { device, replace } = await openWaiting({ visibility: 'private' })
    replace(device.id, online())
    await vi.advanceTimersByTimeAsync(waitingPollMs)
    await expect.element(watch).toMatchTextContent('It is private, so only you see it.')
    expect(shared.length).toBe(0)
  })

  test.each([
    ['slowly', 'smooth', allowMotion],
    ['at once under reduced motion', 'instant', undefined],
  ] as const)('comes into view %s, the first time alone', async (_, behavior, prepare) => {
    await prepare?.()
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
    onTestFinished(() => scroll.mockRestore())
    const { device, feed, replace } = await openWaiting()
    await expect.poll(() => feed.open()).toBe(1)
    for (const status of ['online', 'offline', 'online'] as const) {
      const changed = replace(device.id, { status, lastSeenAt: new Date().toISOString() })
      feed.tell({ type: 'device', payload: changed ?? device })
      await expect.element(watch).toMatchTextContent(`Harbour Pi is ${status}`)
    }
    expect(scroll.mock.calls).toEqual([[{ behavior, block: 'center' }]])
  })

  test('of a device that was online before moves nothing', async () => {
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
    onTestFinished(() => scroll.mockRestore())
    const device = sampleDevice({ label: 'Harbour Pi', ...online() })
    await openConnect([device], device)
    await expect.element(watch).toMatchTextContent('Harbour Pi is online')
    expect(scroll).not.toHaveBeenCalled()
  })

  test('the globe turns to the new light once; under reduced motion it is just there', async () => {
    await comeOnline()
    await expect.element(watch).toMatchTextContent('Harbour Pi is online')
    expect(moving()).toEqual([])
    await cleanup()
    await allowMotion()
    await comeOnline()
    await expect.element(watch).toMatchTextContent('Harbour Pi is online')
    const once = moving()
    expect(once).toHaveLength(4)
    // What would turn forever can't finish.
    for (const animation of once) animation.finish()
    await expect.poll(moving).toEqual([])
  })
})

describe('without the feed', () => {
  test('it is polled every second while it waits, and every 10 s once it is online', async () => {
    // The page polls only when the test advances the time.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { device, feed } = await openWaiting()
    await loseFeed(feed)
    let isOnline = false
    // The label identifies the response. The page never has two requests at once.
    let answers = 0
    answerApi(listOwnDevices, () => {
      answers += 1
      const label = `Answer ${answers}`
      const body: OwnDevice[] = [{ ...device, label, ...(isOnline && online()) }]
      return { status: 200, body }
    })
    for (const label of ['Answer 1', 'Answer 2', 'Answer 3']) {
      await vi.advanceTimersByTimeAsync(1000)
      await expect.element(watch).toMatchTextContent(`Waiting for ${label}`)
    }
    isOnline = true
    await vi.advanceTimersByTimeAsync(1000)
    await expect.element(watch).toMatchTextContent('Answer 4 is online')

    await vi.advanceTimersByTimeAsync(9000)
    await noted()
    expect(answers).toBe(4)
    await vi.advanceTimersByTimeAsync(1000)
    await expect.element(watch).toMatchTextContent('Answer 5 is online')
  })

  test('while the server does not answer, it says so, keeps asking, and catches up', async () => {
    holdTime()
    const { device, feed } = await openWaiting()
    await loseFeed(feed)
    const failing = watch.getByText(/^The server does not answer right now\./)
    const secondPasses = async () => {
      await vi.advanceTimersByTimeAsync(1000)
      return failing.query() !== null
    }
    answerApi(listOwnDevices, 'dropped')
    await expect.poll(secondPasses).toBe(true)
    await expect.element(watch).toMatchTextContent('Waiting for Harbour Pi')
    answerOwnDevices({ ...device, ...online() })
    await expect.poll(secondPasses).toBe(false)
    await expect.element(watch).toMatchTextContent('Harbour Pi is online')
  })
})

test('before a device is selected the list is not polled', async () => {
  holdTime()
  const { listed } = await openConnect([sampleDevice()])
  await expect.element(choose.getByRole('radio')).toBeVisible()
  const { length } = listed
  await vi.advanceTimersByTimeAsync(30_000)
  await noted()
  expect(listed).toHaveLength(length)
})

test('after two minutes without a heartbeat it says what to check', async () => {
  holdTime()
  await openWaiting()
  await vi.advanceTimersByTimeAsync(100_000)
  await expect.element(watch).not.toMatchTextContent('Check these')
  await vi.advanceTimersByTimeAsync(20_000)
  await expect.element(watch).toMatchTextContent('Nothing yet? Check these:')
})

/** Once this later call has its response, all earlier requests are recorded. */
async function noted(): Promise<void> {
  await call(getMe)
}
