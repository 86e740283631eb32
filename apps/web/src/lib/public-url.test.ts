import { expect, test } from 'vitest'
import { publicUrlFrom } from './public-url.ts'

const pageOrigin = 'http://127.0.0.1:3000'

test('the server’s address takes precedence over the page’s', () => {
  expect(publicUrlFrom('https://sky.example', pageOrigin)).toBe('https://sky.example')
})

test.each(['ASTROPELAGO_PUBLIC_URL', '', undefined])(
  '%j falls back to the page’s address',
  (content) => {
    expect(publicUrlFrom(content, pageOrigin)).toBe(pageOrigin)
  },
)
