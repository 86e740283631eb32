import type { AccessPolicy } from '@astropelago/contract/islands'
import { describe, expect, test } from 'vitest'
import { audiences, audienceText, isKnownToAll } from './audiences.ts'

const unseen = 'They can’t see that it exists.'

const doors = ['public', 'members', 'invited'] as const

describe('the audiences of an island', () => {
  test.each<[access: AccessPolicy, isListed: boolean, everybody: string, navigators: string]>([
    [
      'public',
      true,
      'They can find it in Explore, read its page, enter, and read its log.',
      'They can find it in Explore, read its page, enter, leave notes, and join.',
    ],
    [
      'public',
      false,
      'They can read its page, enter, and read its log, but only with its address.',
      'They can read its page, enter, leave notes, and join, but only with its address.',
    ],
    [
      'members',
      true,
      'They can find it in Explore and read its page.',
      'They can find it in Explore, read its page, enter, leave notes, and join.',
    ],
    [
      'members',
      false,
      unseen,
      'They can read its page, enter, leave notes, and join, but only with its address.',
    ],
    [
      'invited',
      true,
      'They can find it in Explore and read its page.',
      'They can find it in Explore, read its page, and ask you to be let in.',
    ],
    ['invited', false, unseen, unseen],
  ])('door %s, listed: %s', (access, isListed, everybody, navigators) => {
    const [first, second, third] = audiences({ access, isListed })
    expect(first && audienceText(first)).toBe(everybody)
    expect(second && audienceText(second)).toBe(navigators)
    expect(third).toMatchObject({ who: 'members', knows: true, enters: true })
  })

  test('a group that may enter also knows of the island, and closer groups may do at least as much', () => {
    const all = doors.flatMap((access) => [
      audiences({ access, isListed: true }),
      audiences({ access, isListed: false }),
    ])
    for (const [everybody, navigators, members] of all) {
      for (const right of ['finds', 'knows', 'enters'] as const) {
        const having = [everybody, navigators, members].map((audience) => Number(audience?.[right]))
        expect(having).toEqual(having.toSorted((a, b) => a - b))
      }
    }
    expect(all.flat().filter(({ knows, enters }) => enters && !knows)).toEqual([])
  })

  test('everybody may know of listed and public islands only', () => {
    expect(isKnownToAll({ access: 'invited', isListed: true })).toBe(true)
    expect(isKnownToAll({ access: 'public', isListed: false })).toBe(true)
    expect(isKnownToAll({ access: 'members', isListed: false })).toBe(false)
    expect(isKnownToAll({ access: 'invited', isListed: false })).toBe(false)
  })
})
