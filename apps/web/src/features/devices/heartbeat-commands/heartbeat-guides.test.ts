import { expect, test } from 'vitest'
import { heartbeatGuides } from './heartbeat-guides.ts'
import { sampleHeartbeat } from './testing/sample-heartbeat.ts'

const input = sampleHeartbeat('https://sky.example')
const guides = heartbeatGuides(input)

test('the tabs are cron, systemd, macOS and Windows, each with something to paste', () => {
  expect(guides.map(({ id, steps }) => [id, steps.length])).toEqual([
    ['cron', 1],
    ['systemd', 1],
    ['macos', 1],
    ['windows', 1],
  ])
})

test.each(guides)('$name: the token stands in the paste alone', ({ steps, installs, removal }) => {
  expect(steps.filter((block) => !block.text.includes(input.token))).toEqual([])
  expect([...installs, removal].filter((block) => block.text.includes(input.token))).toEqual([])
})
