import { expect, test } from 'vitest'
import { relayGuides } from './relay-guides.ts'
import { sampleInstall } from './testing/agent-server.ts'

const guides = relayGuides(sampleInstall)

test('the tabs are systemd, macOS and Windows, each with one thing to paste', () => {
  expect(guides.map(({ id, steps }) => [id, steps.length])).toEqual([
    ['systemd', 1],
    ['macos', 1],
    ['windows', 1],
  ])
})

test.each(guides)('$name: the token stands in the paste alone', ({ steps, installs, removal }) => {
  const { token } = sampleInstall
  expect(steps.filter((block) => !block.text.includes(token))).toEqual([])
  expect([...installs, removal].filter((block) => block.text.includes(token))).toEqual([])
})

test.each(guides)('$name: where to get Node is said before and when it is missing', (guide) => {
  expect(guide.notes[0]).toMatch(/^It needs Node\.js 18 or newer\. /)
  expect(guide.steps[0]?.text).toMatch(
    /Nothing was done: Node\.js is missing\. .*(apt|winget) install/,
  )
})
