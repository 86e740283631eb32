import { expect, test } from 'vitest'
import { pictureChoices } from './picture-choices.ts'

test('each turn offers other pictures, and always the same for the same turn', () => {
  const turns = [0, 1, 2].flatMap((turn) => pictureChoices('one', turn))
  expect(new Set(turns).size).toBe(15)
  expect(pictureChoices('one', 1)).toEqual(turns.slice(5, 10))
})

test('another island gets other pictures', () => {
  expect(pictureChoices('one', 0)).not.toEqual(pictureChoices('two', 0))
})
