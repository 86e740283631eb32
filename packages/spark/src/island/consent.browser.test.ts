import type { RuntimeAnswer, RuntimeCall, RuntimeUser } from '@astropelago/contract/island-runtime'
import { agreedChannel } from '@astropelago/contract/runtime-paths'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../../../apps/web/src/test/accessibility.ts'
import type { OpenWire } from './connection.ts'
import { createIslandSpark } from './island-spark.ts'

const ada: RuntimeUser = { id: 'a1', name: 'Ada', isHost: false }
const open = vi.fn<typeof window.open>()
// oxlint-disable-next-line typescript/unbound-method
const { attachShadow } = Element.prototype

beforeEach(() => {
  open.mockReset().mockReturnValue(window)
  vi.spyOn(window, 'open').mockImplementation(open)
  // So that the test and axe can look into the dialog.
  vi.spyOn(Element.prototype, 'attachShadow').mockImplementation(function (this: Element, options) {
    return attachShadow.call(this, { ...options, mode: 'open' })
  })
  onTestFinished(() => void vi.restoreAllMocks())
})

/** A page on an island that wants to know who writes, and what its server received. */
function setUp() {
  let user: RuntimeUser | null = null
  let connections = 0
  const received: RuntimeCall[] = []
  const openWire: OpenWire = ({ onMessage }) => {
    // What an island may learn is settled when the page connects.
    const mine = user
    let isOpen = true
    connections += 1
    const tell = (answer: RuntimeAnswer) =>
      setTimeout(() => {
        if (isOpen) onMessage(JSON.stringify(answer))
      })
    tell({
      push: 'hello',
      user: mine,
      island: { slug: 'lounge', name: 'The lounge' },
      site: { url: 'https://sky.example', name: 'Sky' },
    })
    return {
      send: (text) => {
        const call: RuntimeCall = JSON.parse(text)
        received.push(call)
        const { id } = call
        if (call.call === 'user') tell({ id, result: mine })
        else if (mine !== null) tell({ id, result: null })
        else tell({ id, error: { code: 'not_agreed', message: 'Say who you are.' } })
      },
      close: () => {
        isOpen = false
      },
    }
  }
  const tab = new EventTarget()
  const channel = new BroadcastChannel(agreedChannel)
  const spark = createIslandSpark(openWire, tab, channel)
  onTestFinished(() => {
    channel.close()
    tab.dispatchEvent(new Event('pagehide'))
    document.querySelector('astropelago-consent')?.remove()
  })
  return {
    spark,
    tab,
    received,
    connections: () => connections,
    agree: () => {
      user = ada
    },
  }
}

const dialog = page.getByRole('dialog', { name: 'Say who you are?' })
const agreeButton = dialog.getByRole('button', { name: 'Say who you are' })
const declineButton = dialog.getByRole('button', { name: 'Not now' })

function tellAgreed() {
  const channel = new BroadcastChannel(agreedChannel)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage('agreed')
  channel.close()
}

test('one dialog asks for many writes, and all are stored in order once the visitor agreed', async () => {
  const { spark, received, agree } = setUp()
  const before = document.createElement('button')
  document.body.append(before)
  onTestFinished(() => before.remove())
  before.focus()
  const writes = [1, 2, 3].map((value) => spark.shared.set('a', value))
  await expect.element(dialog).toBeVisible()
  expect(dialog.elements()).toHaveLength(1)
  await expect
    .element(dialog)
    .toMatchTextContent(/The lounge learns the name that you have on Sky\./)
  await expectAccessible(dialog)

  await agreeButton.click()
  expect(open.mock.calls).toEqual([
    ['/.astropelago/enter?ask=1&to=/.astropelago/agreed', '_blank', 'popup,width=480,height=680'],
  ])
  await expect.element(dialog).toBeVisible()
  agree()
  tellAgreed()
  await Promise.all(writes)
  await expect.element(dialog).not.toBeInTheDocument()
  expect(document.activeElement).toBe(before)
  const values = received.map((call) => (call.call === 'set' ? call.value : ''))
  expect(values).toEqual(['1', '2', '3', '1', '2', '3'])
})

test('whoever would rather not is not asked again by the page, but by what they do', async () => {
  const { spark } = setUp()
  const refusals = Promise.allSettled([spark.kv.set('a', 1), spark.kv.delete('a')])
  await expect.element(dialog).toBeVisible()
  await userEvent.keyboard('{Escape}')
  const refused = { status: 'rejected', reason: { code: 'not_agreed' } }
  expect(await refusals).toMatchObject([refused, refused])
  await expect.element(dialog).not.toBeInTheDocument()

  const isActive = vi.spyOn(navigator.userActivation, 'isActive', 'get').mockReturnValue(false)
  await expect(spark.kv.set('a', 1)).rejects.toMatchObject({ code: 'not_agreed' })
  isActive.mockReturnValue(true)
  const again = Promise.allSettled([spark.kv.set('a', 1)])
  await expect.element(dialog).toBeVisible()
  await declineButton.click()
  expect(await again).toMatchObject([refused])
  expect(open).not.toHaveBeenCalled()
})

test('a no on the site counts as one here', async () => {
  const { spark } = setUp()
  const isActive = vi.spyOn(navigator.userActivation, 'isActive', 'get').mockReturnValue(false)
  onTestFinished(() => isActive.mockRestore())
  const refusals = Promise.allSettled([spark.kv.set('a', 1)])
  await agreeButton.click()
  tellAgreed()
  const refused = { status: 'rejected', reason: { code: 'not_agreed' } }
  expect(await refusals).toMatchObject([refused])
  await expect.element(dialog).not.toBeInTheDocument()
  await expect(spark.kv.set('a', 1)).rejects.toMatchObject({ code: 'not_agreed' })
  expect(dialog.elements()).toHaveLength(0)
})

test('signing in asks, with the keyboard too; a page that is seen again finds out by itself', async () => {
  const { spark, tab, agree, connections } = setUp()
  const asked = spark.signIn()
  await expect.element(dialog).toBeVisible()
  tab.dispatchEvent(new Event('focus'))
  expect(connections()).toBe(1)
  await userEvent.keyboard('{Tab}{Shift>}{Tab}{/Shift}{Enter}')
  expect(open).toHaveBeenCalledOnce()
  tab.dispatchEvent(new Event('focus'))
  expect(connections()).toBe(2)
  expect(await spark.user()).toBeNull()
  await expect.element(dialog).toBeVisible()
  agree()
  tab.dispatchEvent(new Event('visibilitychange'))
  expect(await asked).toMatchObject({ id: 'a1', name: 'Ada' })
  await expect.element(dialog).not.toBeInTheDocument()
  expect(await spark.signIn()).toMatchObject({ id: 'a1' })
})

test('no style of the page reaches the dialog', async () => {
  const style = document.createElement('style')
  style.textContent = 'html > * { display: none !important; width: 10px !important }'
  document.head.append(style)
  onTestFinished(() => style.remove())
  const { spark } = setUp()
  const asked = spark.signIn()
  await expect.poll(() => document.querySelector('astropelago-consent')).not.toBeNull()
  const root = document.querySelector('astropelago-consent')?.shadowRoot
  const shown = root?.querySelector('dialog')
  expect(shown?.getBoundingClientRect().width).toBe(360)
  await userEvent.keyboard('{Escape}')
  expect(await asked).toBeNull()
})
