import { expect, test } from 'vitest'
import { SharedStatement } from './shared-statement.ts'

const statement = {
  sql: 'insert into kept values (?, ?)',
  number: Date.UTC(2286, 10, 20) + 0.5,
  bytes: new Uint8Array([0, 255, 7]),
}

/** Both ends, here on the same thread. */
function bothEnds() {
  const main = new SharedStatement()
  return { main, sqlite: new SharedStatement(main.buffer) }
}

test('a statement arrives as it was handed over, and nothing arrives before it', () => {
  const { main, sqlite } = bothEnds()
  expect(sqlite.take()).toBeUndefined()
  main.handOver({ ...statement, bytes: new Uint8Array(1000).fill(1) })
  expect(sqlite.take()?.bytes).toHaveLength(1000)
  sqlite.answer('done')
  expect(main.takeOutcome()).toBe('done')
  expect(main.handOver(statement)).toBe(true)
  expect(sqlite.take()).toEqual(statement)
})

test('the next statement does not change one that arrived', () => {
  const { main, sqlite } = bothEnds()
  main.handOver(statement)
  const taken = sqlite.take()
  sqlite.answer('done')
  main.takeOutcome()
  main.handOver({ sql: 'x', number: 1, bytes: new Uint8Array(3) })
  expect(taken).toEqual(statement)
})

test.each([
  'done' as const,
  { message: 'constraint failed', resultCode: 2067 },
  { message: 'no such table', resultCode: undefined },
])('an outcome can be taken once, and not before it is there: %j', (outcome) => {
  const { main, sqlite } = bothEnds()
  main.handOver(statement)
  expect(main.takeOutcome()).toBeUndefined()
  sqlite.take()
  sqlite.answer(outcome)
  expect(main.takeOutcome()).toEqual(outcome)
  expect(main.takeOutcome()).toBeUndefined()
  expect(sqlite.take()).toBeUndefined()
})

test('a long error message of SQLite is cut', () => {
  const { main, sqlite } = bothEnds()
  main.handOver(statement)
  sqlite.answer({ message: 'x'.repeat(10_000), resultCode: 1 })
  expect(main.takeOutcome()).toMatchObject({ message: expect.stringMatching(/^x{4000,}$/) })
})

test('each statement asks for its own message', () => {
  const { main, sqlite } = bothEnds()
  const answersToMessage = []
  for (const isAwaited of [false, true, false]) {
    main.handOver(statement)
    if (isAwaited) main.awaitMessage()
    answersToMessage.push(sqlite.answer('done'))
    main.takeOutcome()
  }
  expect(answersToMessage).toEqual([false, true, false])
})

test('a message asked for too late is not sent for the next statement', () => {
  const { main, sqlite } = bothEnds()
  main.handOver(statement)
  sqlite.answer('done')
  main.awaitMessage()
  main.takeOutcome()
  main.handOver(statement)
  expect(sqlite.answer('done')).toBe(false)
})

test('SQLite’s thread does not sleep if a request came while it worked', { timeout: 2000 }, () => {
  const { main, sqlite } = bothEnds()
  for (const wakeUp of [() => main.wake(), () => main.handOver(statement)]) {
    const wakes = sqlite.wakes()
    wakeUp()
    // Otherwise this would never return, because nobody else wakes this thread.
    sqlite.sleep(wakes)
  }
  expect(sqlite.wakes()).toBe(2)
})

test('a statement that is too large is refused and harms nothing', () => {
  const { main, sqlite } = bothEnds()
  const large = { ...statement, bytes: new Uint8Array(1_000_000) }
  expect(main.handOver(large)).toBe(false)
  expect(main.handOver({ ...statement, sql: ' '.repeat(10_000) })).toBe(false)
  expect(sqlite.take()).toBeUndefined()
  expect(main.handOver(statement)).toBe(true)
  expect(sqlite.take()).toEqual(statement)
})
