import { expect, test } from 'vitest'
import { pictureChoices } from './picture-choices.ts'

test('each turn offers other pictures, the same ones again when it comes again', () => {
  const turns = [0, 1, 2].flatMap((turn) => pictureChoices('one', turn))
  expect(new Set(turns).size).toBe(15)
  expect(pictureChoices('one', 1)).toEqual(turns.slice(5, 10))
})

test('another island is offered other ones', () => {
  expect(pictureChoices('one', 0)).not.toEqual(pictureChoices('two', 0))
})
