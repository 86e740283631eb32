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
  return { ...sight, clock, asked, state }
}

test('[C5] a server that reaches one of its control targets sees', async () => {
  expect(await open([one]).isClear(1)).toBe(true)
  expect(await open([]).isClear(1)).toBe(false)
  const none = createSight({ controls: [], clock: Date.now })
  expect(await none.isClear(1)).toBe(true)
})

test('[C5] control targets are asked at most once in 20 s', async () => {
  const { isClear, clock, asked, state } = open()
  await Promise.all([isClear(1), isClear(1)])
  clock.move(19_999)
  state.reachable = []
  expect(await isClear(1)).toBe(true)
  expect(asked).toHaveLength(2)
  clock.move(1)
  expect(await isClear(1)).toBe(false)
  expect(asked).toHaveLength(4)
})

test('[C5] control targets are asked by TCP', async () => {
  const server = createServer((socket) => socket.destroy())
  onTestFinished(() => void server.close())
  const port = Number(new URL(await listen(server)).port)
  const silent = { host: '127.0.0.1', port: await freePort() }
  const clock = movableClock().now
  const open_ = createSight({ controls: [silent, { host: '127.0.0.1', port }], clock })
  expect(await open_.isClear(1)).toBe(true)
  expect(await createSight({ controls: [silent], clock }).isClear(1)).toBe(false)
})

/** The first user's. */
const news = { userKey: 1, isUp: false, wasDown: false }
const sites = ['a.example', 'b.example', 'c.example', 'd.example', '192.0.2.9'].map(target)

test.each([
  [5, 2, true],
  [5, 3, false],
  [5, 5, false],
  [4, 4, true],
])('[C5] of %i sites, %i fail: it sees is %s', async (count, failing, isClear) => {
  const sight = open()
  for (const [number, site] of sites.slice(0, count).entries()) {
    sight.note(site, { ...news, isUp: number >= failing })
  }
  expect(await sight.isClear(1)).toBe(isClear)
})

test('[C5] all names of one machine count once', async () => {
  const sight = open()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    sight.note(target(`${name}.home.example`), news)
  }
  expect(await sight.isClear(1)).toBe(true)
})

test('[C5] only looks of the last two minutes count, and failures that began in the last ten', async () => {
  const sight = open()
  for (const site of sites) sight.note(site, news)
  sight.clock.move(120_001)
  expect(await sight.isClear(1)).toBe(true)
  for (const site of sites) sight.note(site, news)
  expect(await sight.isClear(1)).toBe(false)
  sight.clock.move(480_000)
  for (const site of sites) sight.note(site, news)
  expect(await sight.isClear(1)).toBe(true)
  for (const site of sites) sight.note(site, { ...news, isUp: true })
  for (const site of sites) sight.note(site, news)
  expect(await sight.isClear(1)).toBe(false)
})

test('[C5] what was down before is no news', async () => {
  const sight = open()
  for (const site of sites) sight.note(site, { ...news, wasDown: true })
  expect(await sight.isClear(1)).toBe(true)
})

test('[C5] S72 the many failing sites of one user hide no outage of others', async () => {
  const sight = open()
  for (let number = 0; number < 200; number += 1) {
    sight.note(target(`192.0.2.${number}`), { ...news, userKey: 2 })
  }
  sight.note(target('a.example'), news)
  expect(await sight.isClear(1)).toBe(true)
  expect(await sight.isClear(2)).toBe(false)
})

test('[C5] S72 nor do those of fewer than half of the users', async () => {
  const sight = open()
  const noteOf = (userKey: number, isUp: boolean) => {
    for (const site of sites) sight.note(site, { ...news, userKey, isUp })
  }
  for (const userKey of [2, 3]) noteOf(userKey, false)
  for (const userKey of [4, 5]) noteOf(userKey, true)
  sight.note(target('a.example'), news)
  sight.note(target('b.example'), { ...news, isUp: true })
  expect(await sight.isClear(1)).toBe(true)
  noteOf(4, false)
  expect(await sight.isClear(1)).toBe(false)
})
