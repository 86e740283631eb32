import { expect, test } from 'vitest'
import {
  importKey,
  leadsTo,
  newPrivateKey,
  readStatement,
  signerOf,
  signKeyChange,
  StatementRefused,
  type Said,
} from './statements.ts'

const from = 'https://sky.example'
const said: Said = { from, kind: 'changes', at: 1000, epoch: 5, number: 7 }

test('[F2] a statement is what its key signed, and nothing else', () => {
  const signer = signerOf(newPrivateKey())
  const key = importKey(signer.key)
  const statement = signer.sign(said, '[]')
  expect(readStatement(statement, key)).toMatchObject(said)
  const others = [
    { ...statement, body: '[1]' },
    { ...statement, head: statement.head.replace('"number":7', '"number":8') },
    { ...statement, signature: signer.sign({ ...said, number: 8 }, '[]').signature },
    { ...statement, signature: 'a' },
  ]
  for (const other of others) expect(() => readStatement(other, key)).toThrow(StatementRefused)
  const stranger = importKey(signerOf(newPrivateKey()).key)
  expect(() => readStatement(statement, stranger)).toThrow(StatementRefused)
})

test('[F8] a key follows another one by changes that both sign', () => {
  const signers = [1, 2, 3].map(() => signerOf(newPrivateKey()))
  const [one, two, three] = signers
  if (one === undefined || two === undefined || three === undefined) throw new Error('no keys')
  const changes = [
    signKeyChange({ old: one, next: two }, from, 2),
    signKeyChange({ old: two, next: three }, from, 3),
  ]
  const first = { key: one.key, keyNumber: 1 }
  const last = { key: three.key, keyNumber: 3 }
  expect(leadsTo(changes, first, last, from)).toBe(true)
  expect(leadsTo(changes, { key: two.key, keyNumber: 2 }, last, from)).toBe(true)
  expect(leadsTo([], last, last, from)).toBe(true)
  expect(leadsTo(changes.slice(1), first, last, from)).toBe(false)
  expect(leadsTo(changes, last, first, from)).toBe(false)
  expect(leadsTo(changes, first, last, 'https://other.example')).toBe(false)
  const [change] = changes
  const forged = change && {
    ...change,
    bySignature: { ...change.bySignature, old: change.bySignature.new },
  }
  expect(leadsTo(forged ? [forged] : [], first, { key: two.key, keyNumber: 2 }, from)).toBe(false)
})
