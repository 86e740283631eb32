import { expect, test } from 'vitest'
import { FairTurns } from './fair-turns.ts'

test('S63 whoever has few tasks does not wait for the many of another', async () => {
  const turns = new FairTurns({ atOnce: 2 })
  const ran: string[] = []
  let running = 0
  let most = 0
  const add = (who: string, name: string) =>
    turns.take(who, async () => {
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
      ran.push(name)
      return name
    })
  const all = [
    ...Array.from({ length: 6 }, (_, at) => add('many', `many ${at}`)),
    add('few', 'few 0'),
    add('few', 'few 1'),
  ]
  expect(await Promise.all(all)).toHaveLength(8)
  expect(most).toBe(2)
  expect(ran.indexOf('few 1')).toBeLessThan(6)
})

test('a task that fails ends its turn', async () => {
  const turns = new FairTurns({ atOnce: 1 })
  const failed = turns.take('a', () => Promise.reject(new Error('no')))
  await expect(failed).rejects.toThrow('no')
  expect(await turns.take('a', async () => 1)).toBe(1)
})
