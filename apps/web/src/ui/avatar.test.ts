import { expect, test } from 'vitest'
import { avatarLook } from './avatar.tsx'

test('a name always has the same planet, regardless of case', () => {
  expect(avatarLook('Nova', null)).toEqual(avatarLook('nova', null))
})

test('similar names have planets with different hues and turns', () => {
  const looks = ['ada', 'adb', 'adc', 'bda', 'ada1', 'ada2'].map((name) => avatarLook(name, null))
  expect(new Set(looks.map((look) => look['--avatar-hue'])).size).toBe(looks.length)
  expect(new Set(looks.map((look) => look['--avatar-turn'])).size).toBe(looks.length)
})

test('a chosen hue replaces the name’s, 0 too; the rest stays', () => {
  const own = avatarLook('nova', null)
  expect(avatarLook('nova', 0)).toEqual({ ...own, '--avatar-hue': 0 })
})
