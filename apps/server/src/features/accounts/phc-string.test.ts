import { expect, test } from 'vitest'
import { formatPhc, parsePhc } from './password-hasher.ts'

const parsed = {
  parameters: { memory: 19_456, passes: 2, parallelism: 1 },
  salt: Buffer.alloc(16, 1),
  hash: Buffer.alloc(32, 2),
}
const phc =
  '$argon2id$v=19$m=19456,t=2,p=1$AQEBAQEBAQEBAQEBAQEBAQ$AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI'

test('S3 a hash is written as a PHC string with unpadded base64', () => {
  expect(formatPhc(parsed)).toBe(phc)
})

test('S3 a written PHC string is parsed again', () => {
  expect(parsePhc(phc)).toEqual(parsed)
})

test.each([
  ['nothing', ''],
  ['another algorithm', phc.replace('argon2id', 'argon2i')],
  ['another version', phc.replace('v=19', 'v=16')],
  ['no version', phc.replace('v=19$', '')],
  ['parameters in another order', phc.replace('m=19456,t=2', 't=2,m=19456')],
  ['a leading zero', phc.replace('t=2', 't=02')],
  ['no passes', phc.replace('t=2', 't=0')],
  ['padding', `${phc}=`],
  ['base64 for addresses', phc.replace('AgIC', '_-IC')],
  ['bits beyond the last byte', `${phc.slice(0, -1)}J`],
  ['a missing hash', phc.slice(0, phc.lastIndexOf('$'))],
  ['a further part', `${phc}$x`],
  ['a line end', `${phc}\n`],
])('S3 %s is refused, without showing it', (_, text) => {
  expect(() => parsePhc(text)).toThrow('A stored password hash is not an argon2id PHC string')
})
