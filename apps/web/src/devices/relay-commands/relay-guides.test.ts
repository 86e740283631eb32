import { expect, test } from 'vitest'
import { relayGuides } from './relay-guides.ts'
import { sampleInstall } from './testing/agent-server.ts'

const { systems, others } = relayGuides(sampleInstall)

test('each system has its own block, and the other ways follow', () => {
  expect(systems.map(({ system, steps }) => [system, steps.length])).toEqual([
    ['linux', 1],
    ['macos', 1],
    ['windows', 1],
  ])
  expect(others.map(({ name }) => name)).toEqual(['In the foreground', 'Docker'])
})

test.each([...systems, ...others])(
  'R45 $name: the token stands in the pastes alone',
  ({ steps, installs, removal }) => {
    const { token } = sampleInstall
    expect(steps.filter((block) => block.text.includes(token))).toHaveLength(1)
    expect([...installs, removal].filter((block) => block?.text.includes(token))).toEqual([])
  },
)

test.each(systems)('$name: where to get Node is said before and when it is missing', (guide) => {
  expect(guide.notes[0]).toMatch(/^It needs Node\.js 18 or newer\. /)
  expect(guide.steps[0]?.text).toMatch(/Node\.js is missing\. .*(apt|winget) install/)
})
