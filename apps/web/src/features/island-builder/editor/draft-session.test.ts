import type { Draft } from '@astropelago/contract/hosted-pages'
import { beforeEach, expect, test, vi } from 'vitest'
import { storedValue } from '../../../lib/stored-value.ts'
import { DraftSession, KeptTexts } from './draft-session.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => {
    vi.useRealTimers()
  }
})

/** A server whose draft changes once a second of its own, and what the window keeps. */
function start(stored: Record<string, string> = {}) {
  const storage = new Map([['texts', JSON.stringify(stored)]])
  const kept = storedValue('texts', KeptTexts, () => ({
    getItem: (key) => storage.get(key) ?? null,
    setItem: (key, value) => void storage.set(key, value),
    removeItem: (key) => void storage.delete(key),
  }))
  const server = {
    texts: new Map<string, string>(),
    calls: [] as string[],
    fails: false,
    answer: Promise.resolve(),
    shown: undefined as Draft | null | undefined,
  }
  const session = new DraftSession({
    draft: null,
    kept,
    write: async (path, text) => {
      server.calls.push(`${path}: ${text}`)
      await server.answer
      if (server.fails) throw new Error('no')
      server.texts.set(path, text)
      return { changedAt: `change ${server.calls.length}`, files: [] }
    },
    read: async (path) => server.texts.get(path) ?? '',
    show: async (draft) => {
      server.shown = draft
    },
  })
  const step = () => session.snapshot().saving.step
  return { session, server, kept, step }
}

test('a text is saved a second after the last key, and kept until then', async () => {
  const { session, server, kept, step } = start()
  session.type('a.html', 'a')
  await vi.advanceTimersByTimeAsync(900)
  session.type('a.html', 'ab')
  await vi.advanceTimersByTimeAsync(900)
  expect(server.calls).toEqual([])
  expect(kept.read()).toEqual({ 'a.html': 'ab' })
  expect(step()).toBe('unsaved')
  await vi.advanceTimersByTimeAsync(100)
  expect(server.calls).toEqual(['a.html: ab'])
  expect(step()).toBe('saved')
  expect(kept.read()).toBeUndefined()
  expect(server.shown?.changedAt).toBe('change 1')
})

test('what is typed while a text is being saved is saved next', async () => {
  const { session, server, kept, step } = start()
  const { promise, resolve } = Promise.withResolvers<void>()
  server.answer = promise
  session.type('a.html', 'a')
  await vi.advanceTimersByTimeAsync(1000)
  expect(step()).toBe('saving')
  session.type('a.html', 'ab')
  resolve()
  await vi.advanceTimersByTimeAsync(10)
  expect(kept.read()).toEqual({ 'a.html': 'ab' })
  expect(step()).toBe('unsaved')
  await vi.advanceTimersByTimeAsync(1000)
  expect(server.calls).toEqual(['a.html: a', 'a.html: ab'])
  expect(kept.read()).toBeUndefined()
})

test('a failure stays in sight and the text stays kept until a try succeeds', async () => {
  const { session, server, kept, step } = start()
  server.fails = true
  session.type('a.html', 'a')
  await session.save()
  expect(session.snapshot().saving).toMatchObject({ step: 'failed', path: 'a.html' })
  session.type('a.html', 'ab')
  expect(step()).toBe('failed')
  await expect(session.change(async () => null, asItIs)).rejects.toThrow('no')
  expect(kept.read()).toEqual({ 'a.html': 'ab' })
  server.fails = false
  await session.save()
  expect(step()).toBe('saved')
  expect(kept.read()).toBeUndefined()
})

test('other changes wait until the texts are saved', async () => {
  const { session, server } = start()
  session.type('a.html', 'a')
  await session.change(async () => {
    server.calls.push('publish')
    return null
  }, asItIs)
  expect(server.calls).toEqual(['a.html: a', 'publish'])
})

test('only changes of others are told', async () => {
  const { session } = start()
  session.meet(null)
  session.type('a.html', 'a')
  await session.save()
  session.meet({ changedAt: 'change 1', files: [] })
  expect(session.snapshot().isChangedElsewhere).toBe(false)
  session.meet({ changedAt: 'another', files: [] })
  expect(session.snapshot()).toMatchObject({ isChangedElsewhere: true, revision: 0 })
  session.readAgain()
  expect(session.snapshot()).toMatchObject({ isChangedElsewhere: false, revision: 1 })
  session.meet(null)
  expect(session.snapshot().isChangedElsewhere).toBe(true)
})

test('what another visit left is offered unless the server has it', async () => {
  const { session, server, kept } = start({ 'a.html': 'mine', 'b.html': 'same' })
  server.texts.set('b.html', 'same')
  session.type('c.html', 'new')
  await session.recover()
  expect(session.snapshot().recovered).toEqual({ 'a.html': 'mine' })
  expect(kept.read()).toEqual({ 'a.html': 'mine', 'c.html': 'new' })
  session.endRecovery(true)
  expect(session.unsavedText('a.html')).toBe('mine')
  await vi.advanceTimersByTimeAsync(0)
  expect(server.texts.get('a.html')).toBe('mine')
  expect(kept.read()).toBeUndefined()
})

const asItIs = (draft: Draft | null) => draft
