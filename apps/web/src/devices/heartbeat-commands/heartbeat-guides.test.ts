import { expect, test } from 'vitest'
import { heartbeatGuides } from './heartbeat-guides.ts'
import { sampleHeartbeat } from './testing/sample-heartbeat.ts'

const input = sampleHeartbeat('https://sky.example')
const { systems, others } = heartbeatGuides(input)
const guides = [...systems, ...others]

test('each system has its own block, and the other ways follow', () => {
  expect(systems.map(({ system, steps }) => [system, steps.length])).toEqual([
    ['linux', 1],
    ['macos', 1],
    ['windows', 1],
  ])
  expect(others.map(({ name }) => name)).toEqual(['Cron', 'systemd', 'In the foreground'])
})

test.each(guides)('$name: only the paste contains the token', ({ steps, installs, removal }) => {
  expect(steps.filter((block) => !block.text.includes(input.token))).toEqual([])
  expect([...installs, removal].filter((block) => block?.text.includes(input.token))).toEqual([])
})
