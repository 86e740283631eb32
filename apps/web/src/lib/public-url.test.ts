import { expect, test } from 'vitest'
import { publicUrlFrom } from './public-url.ts'

const pageOrigin = 'http://127.0.0.1:3000'

test('the server’s own word goes before the address that the page happens to have', () => {
  expect(publicUrlFrom('https://sky.example', pageOrigin)).toBe('https://sky.example')
})

test.each(['ASTROPELAGO_PUBLIC_URL', '', undefined])('%j leaves the page’s address', (content) => {
  expect(publicUrlFrom(content, pageOrigin)).toBe(pageOrigin)
})
