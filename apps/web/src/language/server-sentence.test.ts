import { expect, test } from 'vitest'
import { createTranslator } from './server-sentence.ts'

const translate = createTranslator({
  'You are signed out. (Really?)': 'Du bist abgemeldet. (Wirklich?)',
  'This has {0} to {1} characters.': 'Das hat {0} bis {1} Zeichen, also {1} oder weniger.',
})

test('a sentence is translated with its values in their places', () => {
  expect(translate('You are signed out. (Really?)')).toBe('Du bist abgemeldet. (Wirklich?)')
  expect(translate('This has 3 to 32 characters.')).toBe(
    'Das hat 3 bis 32 Zeichen, also 32 oder weniger.',
  )
})

test.each([
  'Nobody has translated this.',
  'You are signed out. (Really',
  'This has 3 to 32 characters. And more.',
  'Look: This has 3 to 32 characters.',
  'invalid_input',
  'constructor',
  '',
])('%s stays as it is', (sentence) => {
  expect(translate(sentence)).toBe(sentence)
})
