import { expect, test, vi } from 'vitest'
import { createEmitter } from './emitter.ts'

test('a listener receives each value until it is removed', () => {
  const emitter = createEmitter<number>()
  const one = vi.fn<(value: number) => void>()
  const other = vi.fn<(value: number) => void>()
  const off = emitter.on(one)
  emitter.on(other)
  emitter.emit(1)
  off()
  off()
  emitter.emit(2)
  expect(one.mock.calls).toEqual([[1]])
  expect(other.mock.calls).toEqual([[1], [2]])
})

test('a listener that removes itself does not keep others from receiving', () => {
  const emitter = createEmitter()
  const other = vi.fn<() => void>()
  const off = emitter.on(() => off())
  emitter.on(other)
  emitter.emit()
  expect(other).toHaveBeenCalledTimes(1)
})

test('it knows whether it has listeners', () => {
  const emitter = createEmitter()
  expect(emitter.hasListeners).toBe(false)
  const off = emitter.on(() => undefined)
  expect(emitter.hasListeners).toBe(true)
  off()
  expect(emitter.hasListeners).toBe(false)
})
