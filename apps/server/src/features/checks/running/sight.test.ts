import { expect, onTestFinished, test } from 'vitest'
import { createServer } from 'node:net'
import { freePort, listen } from '../../../test/listen.ts'
import { movableClock } from '../../../test/movable-clock.ts'
import type { ProbedTarget } from '../probe.ts'
import { createSight } from './sight.ts'

const one = { host: '192.0.2.1', port: 443 }
const other = { host: '192.0.2.2', port: 443 }
const target = (host: string): ProbedTarget => {
  return { kind: 'tcp', host, port: 80, periodS: 60, timeoutS: 10 }
}

function open(reachable: readonly (typeof one)[] = [one, other]) {
  const clock = movableClock()
  const asked: string[] = []
  const state = { reachable }
  const sight = createSight({
    controls: [one, other],
    clock: clock.now,
    reaches: async (control) => {
      asked.push(control.host)
      return state.reachable.includes(control)
    },
  })
  const note = (site: ProbedTarget, isUp: boolean, { wasDown = false, userKey = 1 } = {}) =>
    sight.note({ userKey, target: site }, { isUp, wasDown })
  return { ...sight, note, clock, asked, state }
}

test('[C5] a server that reaches one of its control targets sees', async () => {
  expect(await open([one]).isClear()).toBe(true)
  expect(await open([]).isClear()).toBe(false)
  const none = createSight({ controls: [], clock: Date.now })
  expect(await none.isClear()).toBe(true)
})

test('[C5] control targets are asked at most once in 20 s', async () => {
  const { isClear, clock, asked, state } = open()
  await Promise.all([isClear(), isClear()])
  clock.move(19_999)
  state.reachable = []
  expect(await isClear()).toBe(true)
  expect(asked).toHaveLength(2)
  clock.move(1)
  expect(await isClear()).toBe(false)
  expect(asked).toHaveLength(4)
})

test('[C5] control targets are asked by TCP', async () => {
  const server = createServer((socket) => socket.destroy())
  onTestFinished(() => void server.close())
  const port = Number(new URL(await listen(server)).port)
  const silent = { host: '127.0.0.1', port: await freePort() }
  const clock = movableClock().now
  const open_ = createSight({ controls: [silent, { host: '127.0.0.1', port }], clock })
  expect(await open_.isClear()).toBe(true)
  expect(await createSight({ controls: [silent], clock }).isClear()).toBe(false)
})

const sites = ['a.example', 'b.example', 'c.example', 'd.example', '192.0.2.9'].map(target)

test.each([
  [5, 2, true],
  [5, 3, false],
  [5, 5, false],
  [4, 4, true],
])('[C5] of %i sites, %i fail: it sees is %s', async (count, failing, isClear) => {
  const sight = open()
  for (const [number, site] of sites.slice(0, count).entries()) {
    sight.note(site, number >= failing)
  }
  expect(await sight.isClear()).toBe(isClear)
})

test('[C5] sites are judged once a second', async () => {
  const sight = open()
  for (const site of sites) sight.note(site, true)
  expect(await sight.isClear()).toBe(true)
  for (const site of sites) sight.note(site, false)
  sight.clock.move(999)
  expect(await sight.isClear()).toBe(true)
  sight.clock.move(1)
  expect(await sight.isClear()).toBe(false)
})

test('[C5] the looks of 10,000 sites that all fail take no longer than a moment', async () => {
  const sight = open()
  // Whatever else runs on the machine.
  const begun = process.cpuUsage()
  for (let at = 0; at < 10_000; at += 1) {
    sight.note(target(`site${at}.example`), false, { userKey: at })
    await sight.isClear()
  }
  expect(process.cpuUsage(begun).user).toBeLessThan(2_000_000)
})

test('[C5] all names of one machine count once', async () => {
  const sight = open()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    sight.note(target(`${name}.home.example`), false)
  }
  expect(await sight.isClear()).toBe(true)
})

test('[C5] only looks of the last two minutes count, and failures that began in the last ten', async () => {
  const sight = open()
  for (const site of sites) sight.note(site, false)
  sight.clock.move(120_001)
  expect(await sight.isClear()).toBe(true)
  sight.clock.move(1000)
  for (const site of sites) sight.note(site, false)
  expect(await sight.isClear()).toBe(false)
  sight.clock.move(480_000)
  for (const site of sites) sight.note(site, false)
  expect(await sight.isClear()).toBe(true)
  for (const site of sites) sight.note(site, true)
  for (const site of sites) sight.note(site, false)
  sight.clock.move(1000)
  expect(await sight.isClear()).toBe(false)
})

test('[C5] what was down before is no news', async () => {
  const sight = open()
  for (const site of sites) sight.note(site, false, { wasDown: true })
  expect(await sight.isClear()).toBe(true)
})

test.each([
  ['one of two', 1, true],
  ['two of three', 2, false],
])('[C5] the sites of %s users fail', async (_, failingUsers, isClear) => {
  const sight = open()
  for (const site of sites) {
    for (let userKey = 1; userKey <= failingUsers; userKey += 1) {
      sight.note(site, false, { userKey })
    }
  }
  sight.note(target('other.example'), true, { userKey: failingUsers + 1 })
  expect(await sight.isClear()).toBe(isClear)
})

test('[C5] a site that several users look at counts once', async () => {
  const sight = open()
  for (let userKey = 1; userKey <= 6; userKey += 1) {
    sight.note(target('home.example'), false, { userKey })
  }
  expect(await sight.isClear()).toBe(true)
})
