import * as v from 'valibot'
import { expect, test } from 'vitest'
import { EmailAddress } from './email.ts'

test.each([
  'ada@example.org',
  'Ada.Lovelace+sky@mail.example.co.uk',
  "o'brien_{x}@a-b.example",
  '1@2.3',
  `${'a'.repeat(64)}@example.org`,
])('%s is an address', (text) => {
  expect(v.parse(EmailAddress, ` ${text}\n`)).toBe(text)
})

test.each([
  '',
  'ada',
  '@example.org',
  'ada@',
  'ada@localhost',
  'ada@-example.org',
  'ada@example..org',
  'ada@@example.org',
  'a da@example.org',
  'ada@exam ple.org',
  'ada@example.org, eve@example.org',
  'Ada <ada@example.org>',
  'ada@example.org>',
  'ada@[127.0.0.1]',
  '"ada"@example.org',
  'ada@example.org\r\nBcc: eve@example.org',
  'ada\n@example.org',
  'ada\0@example.org',
  'ädä@example.org',
  'ada@exämple.org',
  `${'a'.repeat(65)}@example.org`,
  `ada@${'a.'.repeat(126)}org`,
])('%j is none, so that nothing but an address gets into a mail’s headers', (text) => {
  expect(v.is(EmailAddress, text)).toBe(false)
})
