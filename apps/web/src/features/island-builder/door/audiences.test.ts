import type { Door } from '@astropelago/contract/islands'
import { describe, expect, test } from 'vitest'
import { audiences, audienceText, isKnownToAll } from './audiences.ts'

const unseen = 'Don’t see that it exists.'

const doors = ['public', 'members', 'invited'] as const

describe('who sees what of an island', () => {
  test.each<[door: Door, isListed: boolean, everybody: string, navigators: string]>([
    [
      'public',
      true,
      'Find it in Discover, read its page, enter, and read its log.',
      'Find it in Discover, read its page, enter, leave notes, and join.',
    ],
    [
      'public',
      false,
      'With its address read its page, enter, and read its log.',
      'With its address read its page, enter, leave notes, and join.',
    ],
    [
      'members',
      true,
      'Find it in Discover and read its page.',
      'Find it in Discover, read its page, enter, leave notes, and join.',
    ],
    ['members', false, unseen, 'With its address read its page, enter, leave notes, and join.'],
    [
      'invited',
      true,
      'Find it in Discover and read its page.',
      'Find it in Discover, read its page, and ask you to be let in.',
    ],
    ['invited', false, unseen, unseen],
  ])('door %s, listed: %s', (door, isListed, everybody, navigators) => {
    const [first, second, third] = audiences({ door, isListed })
    expect(first && audienceText(first)).toBe(everybody)
    expect(second && audienceText(second)).toBe(navigators)
    expect(third).toMatchObject({ who: 'members', knows: true, enters: true })
  })

  test('who enters knows of it, and what some may, those may who are closer to it', () => {
    const all = doors.flatMap((door) => [
      audiences({ door, isListed: true }),
      audiences({ door, isListed: false }),
    ])
    for (const [everybody, navigators, members] of all) {
      for (const right of ['finds', 'knows', 'enters'] as const) {
        const having = [everybody, navigators, members].map((audience) => Number(audience?.[right]))
        expect(having).toEqual(having.toSorted((a, b) => a - b))
      }
    }
    expect(all.flat().filter(({ knows, enters }) => enters && !knows)).toEqual([])
  })

  test('everybody may know of a listed one, and of a public door; of no other', () => {
    expect(isKnownToAll({ door: 'invited', isListed: true })).toBe(true)
    expect(isKnownToAll({ door: 'public', isListed: false })).toBe(true)
    expect(isKnownToAll({ door: 'members', isListed: false })).toBe(false)
    expect(isKnownToAll({ door: 'invited', isListed: false })).toBe(false)
  })
})
