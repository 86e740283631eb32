import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { createLog, readableLine } from './log.ts'

function said(say: (log: ReturnType<typeof createLog>) => void): string {
  let text = ''
  say(createLog({ output: { isTTY: true, write: (part) => (text += part) } }))
  return stripVTControlCharacters(text)
}

test('on a terminal, a line has the time, level, message, and the rest as name=value', () => {
  const text = said((log) =>
    log.child({ reqId: 'req-1' }).warn({ status: 200, path: '/a b', address: '::1' }, 'request'),
  )
  expect(text).toMatch(
    /^\d\d:\d\d:\d\d warn {2}request reqId=req-1 status=200 path="\/a b" address=::1\n$/,
  )
})

test('a stack is below its line', () => {
  const text = said((log) => log.error({ err: new Error('it broke') }, 'request failed'))
  expect(text).toMatch(/error request failed\n {2}Error: it broke\n {4,}at /)
})

test('S20 no logged text moves the cursor, changes colours or reverses text', () => {
  const evil = 'a\u001B[2J\u009B1m\u202Eb\r\nc'
  const line = JSON.stringify({ level: 30, time: 0, msg: evil, name: evil, err: { stack: evil } })
  const text = stripVTControlCharacters(readableLine(line))
  expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u)
  expect(text).toContain(String.raw`a\u{1b}[2J\u{9b}1m\u{202e}b`)
})

test('in the journal, each line has its priority', () => {
  let text = ''
  const log = createLog({ output: { write: (part) => (text += part) }, isJournal: true })
  log.info('request')
  log.warn('late')
  log.error('request failed')
  log.fatal('lost')
  expect(text.match(/^<\d>\{"level":\d\d/gm)).toEqual([
    '<6>{"level":30',
    '<4>{"level":40',
    '<3>{"level":50',
    '<2>{"level":60',
  ])
})
