import { expect, onTestFinished, test } from 'vitest'
import { commands } from 'vitest/browser'
import { createIslandSpark } from './island-spark.ts'
import { localServer } from './local-server.ts'

// Relative to the folder of Vitest's configuration.
const doc = await commands.readFile('../../docs/spark.md')
const pages = [...doc.matchAll(/^```html\n(<!doctype html>\n.*?)^```$/gms)].map(([, html]) => html)
const scriptTag = '<script src="/.astropelago/spark.js"></script>'

/** Opens a page of the docs in a frame, with a stand-in of the server. */
async function open(html = '') {
  expect(html).toContain(scriptTag)
  const tab = new EventTarget()
  const frame = document.createElement('iframe')
  document.body.append(frame)
  onTestFinished(() => {
    tab.dispatchEvent(new Event('pagehide'))
    frame.remove()
  })
  const spark = createIslandSpark(localServer(), tab, new EventTarget())
  const { contentDocument: page, contentWindow } = frame
  if (page === null || contentWindow === null) throw new Error('The frame has no page')
  Object.assign(contentWindow, { spark })
  page.open()
  page.write(html.replace(scriptTag, ''))
  page.close()
  const find = (selector: string) => {
    const found = page.querySelector<HTMLInputElement>(selector)
    if (found === null) throw new Error(`There is no ${selector}`)
    return found
  }
  const submit = (text: string) => {
    find('[name=text]').value = text
    find('form button').click()
  }
  const items = () => Array.from(page.querySelectorAll('li'), ({ textContent }) => textContent)
  return { spark, find, submit, items }
}

test('the chat of the docs sends and shows messages, and removes deleted ones', async () => {
  const { spark, find, submit, items } = await open(pages[0])
  submit('Ahoy!')
  await expect.poll(items).toEqual([expect.stringMatching(/^\d.* you: Ahoy!$/)])
  await expect.poll(() => [find('[name=text]').value, find('#state').textContent]).toEqual(['', ''])
  submit('x'.repeat(5000))
  await expect.poll(() => find('#problem').textContent).toBe('A message has at most 4096 bytes.')
  await spark.room('chat').remove(1)
  await expect.poll(items).toEqual([])
})

test('the guest book of the docs keeps entries', async () => {
  const { spark, submit, items } = await open(pages[1])
  submit('We came by boat.')
  await expect.poll(items).toEqual(['you: We came by boat.'])
  const [key = ''] = await spark.shared.keys()
  await spark.shared.set(key, 'We came on foot.')
  await expect.poll(items).toEqual(['you: We came on foot.'])
  await spark.shared.delete(key)
  await expect.poll(items).toEqual([])
})

test('the score list of the docs shows the ten best', async () => {
  const { spark, find, items } = await open(pages[2])
  for (let points = 11; points <= 21; points += 1)
    await spark.shared.set(`scores/${points}`, points)
  find('button').click()
  await expect.poll(async () => (await spark.shared.keys()).length).toBe(12)
  const best = Array.from({ length: 10 }, (_, index) => `you: ${21 - index}`)
  await expect.poll(items).toEqual(best)
  expect(pages).toHaveLength(3)
})
