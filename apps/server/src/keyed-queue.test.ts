import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { KeyedQueue } from './keyed-queue.ts'

/** A commit that the test completes by hand. */
function heldCommits() {
  const groups: { keys: number[]; outcome: PromiseWithResolvers<void> }[] = []
  const commit = (keys: ReadonlySet<number>) => {
    const outcome = Promise.withResolvers<void>()
    groups.push({ keys: [...keys], outcome })
    return outcome.promise
  }
  return { groups, commit }
}

test('[P3] heartbeats of one turn share a commit, and those that arrive during it share the next, each device once', async () => {
  const { groups, commit } = heldCommits()
  const heartbeats = new KeyedQueue({ run: commit })
  const first = [heartbeats.add(1), heartbeats.add(4)]
  expect(groups).toEqual([])
  await endOfTurn()
  expect(groups.map((group) => group.keys)).toEqual([[1, 4]])
  const rest = [heartbeats.add(2), heartbeats.add(3), heartbeats.add(2)]
  await endOfTurn()
  expect(groups).toHaveLength(1)
  groups[0]?.outcome.resolve()
  await Promise.all(first)
  await endOfTurn()
  expect(groups.map((group) => group.keys)).toEqual([
    [1, 4],
    [2, 3],
  ])
  groups[1]?.outcome.resolve()
  await Promise.all(rest)
  expect(heartbeats.has(2)).toBe(false)
})

test('[P3] a heartbeat is not acknowledged before its own commit has ended', async () => {
  const { groups, commit } = heldCommits()
  const heartbeats = new KeyedQueue({ run: commit })
  let isAcknowledged = false
  const first = heartbeats.add(1)
  await endOfTurn()
  const acknowledge = async () => {
    await heartbeats.add(1)
    isAcknowledged = true
  }
  const second = acknowledge()
  groups[0]?.outcome.resolve()
  await first
  expect(isAcknowledged).toBe(false)
  await endOfTurn()
  groups[1]?.outcome.resolve()
  await second
  expect(isAcknowledged).toBe(true)
})

test('a device counts as waiting from its heartbeat to the end of its commit', async () => {
  const { groups, commit } = heldCommits()
  const heartbeats = new KeyedQueue({ run: commit })
  const first = heartbeats.add(1)
  expect(heartbeats.has(1)).toBe(true)
  await endOfTurn()
  heartbeats.add(2).catch(String)
  expect([1, 2, 3].map((key) => heartbeats.has(key))).toEqual([true, true, false])
  groups[0]?.outcome.resolve()
  await first
  expect([1, 2].map((key) => heartbeats.has(key))).toEqual([false, true])
  await endOfTurn()
  groups[1]?.outcome.resolve()
  await heartbeats.settled()
  expect(heartbeats.has(2)).toBe(false)
})

test('[P3] past its limit, the queue refuses heartbeats as overloaded, even of a device that waits already', async () => {
  const { groups, commit } = heldCommits()
  const heartbeats = new KeyedQueue({ run: commit, maxWaiting: 2 })
  const accepted = [heartbeats.add(1)]
  await endOfTurn()
  accepted.push(heartbeats.add(2), heartbeats.add(2))
  for (const key of [2, 3]) {
    await expect(heartbeats.add(key)).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 1 })
  }
  groups[0]?.outcome.resolve()
  await accepted[0]
  await endOfTurn()
  groups[1]?.outcome.resolve()
  await Promise.all(accepted)
})

test('[P3] a failed commit fails the calls that waited for it and no later ones', async () => {
  const { groups, commit } = heldCommits()
  const heartbeats = new KeyedQueue({ run: commit })
  const first = heartbeats.add(1)
  await endOfTurn()
  const second = heartbeats.add(2)
  groups[0]?.outcome.reject(new Error('disk full'))
  await expect(first).rejects.toThrow('disk full')
  await endOfTurn()
  groups[1]?.outcome.resolve()
  await second
  await heartbeats.settled()
})

test('a task alone runs between two commits, and keys that arrive meanwhile run before the next task', async () => {
  const done: string[] = []
  const held = Promise.withResolvers<void>()
  const heartbeats = new KeyedQueue<number>({
    run: async (keys) => {
      done.push(`commit ${[...keys].join()}`)
      if (keys.has(1)) await held.promise
    },
  })
  const task = (name: string) => async () => {
    done.push(`begin ${name}`)
    heartbeats.add(9).catch(String)
    await Promise.resolve()
    done.push(`end ${name}`)
    return name
  }
  const all = [heartbeats.add(1), heartbeats.alone(task('a')), heartbeats.alone(task('b'))]
  await endOfTurn()
  expect(done).toEqual(['commit 1'])
  held.resolve()
  expect(await Promise.all(all)).toEqual([undefined, 'a', 'b'])
  await heartbeats.settled()
  const expected = 'commit 1, begin a, end a, commit 9, begin b, end b, commit 9'
  expect(done.join(', ')).toBe(expected)
})

test('a task that fails fails its caller alone', async () => {
  const { groups, commit } = heldCommits()
  const heartbeats = new KeyedQueue({ run: commit })
  await expect(heartbeats.alone(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const heartbeat = heartbeats.add(1)
  await endOfTurn()
  groups[0]?.outcome.resolve()
  await heartbeat
})

test('failed keys stay due if the options say so, and run with the next group or alone', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { groups, commit } = heldCommits()
  const failures: unknown[] = []
  const queue = new KeyedQueue({
    run: commit,
    retryAfterMs: () => 5,
    onFailure: (error) => failures.push(error),
  })
  const first = queue.add(1, 2)
  await endOfTurn()
  const next = queue.add(3)
  groups[0]?.outcome.reject('no disk')
  await expect(first).rejects.toBe('no disk')
  await endOfTurn()
  expect(groups[1]?.keys).toEqual([3])
  groups[1]?.outcome.resolve()
  await next
  expect(queue.isIdle).toBe(false)
  vi.advanceTimersByTime(5)
  await endOfTurn()
  expect(groups[2]?.keys).toEqual([1, 2])
  groups[2]?.outcome.resolve()
  await queue.runFailed()
  expect(queue.isIdle).toBe(true)
  expect(failures).toEqual(['no disk'])
})

test('failed keys join a group that waits when their retry is due', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { groups, commit } = heldCommits()
  const queue = new KeyedQueue({ run: commit, retryAfterMs: () => 5, onFailure: () => undefined })
  const first = queue.add(1)
  await endOfTurn()
  void queue.add(2)
  groups[0]?.outcome.reject('no disk')
  await expect(first).rejects.toBe('no disk')
  vi.advanceTimersByTime(5)
  await endOfTurn()
  expect(groups[1]?.keys).toEqual([2, 1])
  groups[1]?.outcome.resolve()
  await queue.settled()
  expect(queue.isIdle).toBe(true)
})

test('without retries, the queue runs failed keys on request or with the next keys', async () => {
  const { groups, commit } = heldCommits()
  const queue = new KeyedQueue({ run: commit, keepsFailed: true })
  const first = queue.add(1)
  await endOfTurn()
  groups[0]?.outcome.reject('no disk')
  await expect(first).rejects.toBe('no disk')
  const again = queue.runFailed()
  await endOfTurn()
  groups[1]?.outcome.reject('no disk yet')
  await expect(again).rejects.toBe('no disk yet')
  const next = queue.add(2)
  await endOfTurn()
  expect(groups[2]?.keys).toEqual([1, 2])
  groups[2]?.outcome.resolve()
  await next
  expect(queue.isIdle).toBe(true)
})
