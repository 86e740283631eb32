import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { hasLostConnection, isWriteFailure, toStorageError } from './postgres-error.ts'
import { ReferenceViolation, StorageUnavailable, UniqueViolation } from './storage-error.ts'

function refusal(code: string, severity = 'ERROR'): DatabaseError {
  return Object.assign(new DatabaseError('refused', 1, 'error'), { code, severity })
}

test.each([
  ['08006', 'a connection failed'],
  ['25006', 'read-only'],
  ['25P03', 'idle in a transaction'],
  ['28P01', 'another password'],
  ['3D000', 'the database is gone'],
  ['40P01', 'a deadlock'],
  ['53100', 'the disk is full'],
  ['53300', 'too many connections'],
  ['55P03', 'a lock is held'],
  ['57014', 'too slow'],
  ['57P01', 'shut down'],
  ['57P03', 'starting'],
  ['58030', 'the disk fails'],
  ['XX001', 'damaged data'],
])('S44 %s, %s, is temporary: the same call may succeed later', (code) => {
  expect(toStorageError(refusal(code))).toBeInstanceOf(StorageUnavailable)
})

test.each(['42P01', '23514', '22P02'])('%s is a permanent mistake', (code) => {
  const error = toStorageError(refusal(code))
  expect(error).not.toBeInstanceOf(StorageUnavailable)
  expect(error.cause).toBeInstanceOf(DatabaseError)
})

test('S5 an existing key is a UniqueViolation', () => {
  expect(toStorageError(refusal('23505'))).toBeInstanceOf(UniqueViolation)
})

test('a row whose user is gone is a ReferenceViolation', () => {
  expect(toStorageError(refusal('23503'))).toBeInstanceOf(ReferenceViolation)
})

test('an error without an answer of the database is the connection’s, except for our own mistakes', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  expect(toStorageError(refused)).toBeInstanceOf(StorageUnavailable)
  expect(toStorageError(new AggregateError([refused])).message).not.toBe('')
  expect(toStorageError(new TypeError('a.b is not a function'))).toBeInstanceOf(TypeError)
})

test('a connection is given up only if it broke or its session ended', () => {
  expect(hasLostConnection(new Error('Connection terminated unexpectedly'))).toBe(true)
  expect(hasLostConnection(refusal('57P01', 'FATAL'))).toBe(true)
  expect(hasLostConnection(refusal('57014'))).toBe(false)
})

test('S51 only a successful write proves that a full, failing or read-only disk is over', () => {
  expect(['53100', '58030', '25006'].map((code) => isWriteFailure(refusal(code)))).toEqual([
    true,
    true,
    true,
  ])
  expect(isWriteFailure(refusal('57014'))).toBe(false)
})
