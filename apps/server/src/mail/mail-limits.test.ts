import { describe, expect, test } from 'vitest'
import { createMailLimits, mailboxOf } from './mail-limits.ts'

const setUp = () => createMailLimits(() => 1)

test.each([
  ['Ada@Example.org', 'ada@example.org'],
  ['ada+1@example.org', 'ada@example.org'],
  ['ada+1+2@example.org', 'ada@example.org'],
  ['a.da@example.org', 'a.da@example.org'],
  ['A.d.a+x@GoogleMail.com', 'ada@gmail.com'],
  ['a.da@pm.me', 'ada@proton.me'],
])('%s reaches the mailbox %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox)
})

describe('S9 only a limited number of questions in an hour', () => {
  test('goes to one mailbox, however it is written, from all askers together', () => {
    const { countQuestion } = setUp()
    for (let user = 0; user < 5; user += 1) countQuestion(user, `victim+${user}@example.org`)
    expect(() => countQuestion(6, 'VICTIM@example.org')).toThrow('rate_limited')
    expect(() => countQuestion(6, 'other@example.org')).not.toThrow()
  })

  test('comes from one user', () => {
    const { countQuestion } = setUp()
    for (let at = 0; at < 10; at += 1) countQuestion(1, `reader@${at}.example`)
    expect(() => countQuestion(1, 'reader@10.example')).toThrow('rate_limited')
    expect(() => countQuestion(2, 'reader@10.example')).not.toThrow()
  })

  test('goes to one domain', () => {
    const { countQuestion } = setUp()
    for (let user = 0; user < 60; user += 1) countQuestion(user, `reader-${user}@example.org`)
    expect(() => countQuestion(60, 'reader-60@example.org')).toThrow('rate_limited')
    expect(() => countQuestion(60, 'reader-60@example.com')).not.toThrow()
  })
})

test('questions don’t use up the mails that the owner of an address requests', () => {
  const { countQuestion, mayWriteTo } = setUp()
  for (let user = 0; user < 5; user += 1) countQuestion(user, 'ada@example.org')
  const sent = Array.from({ length: 6 }, (_, at) => mayWriteTo(`ada+${at}@example.org`))
  expect(sent).toEqual([true, true, true, true, true, false])
})
