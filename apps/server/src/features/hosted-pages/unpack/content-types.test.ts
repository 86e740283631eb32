import { expect, test } from 'vitest'
import { contentType } from './content-types.ts'

test.each([
  ['index.html', 'text/html; charset=utf-8'],
  ['a/b.CSS', 'text/css; charset=utf-8'],
  ['app.js', 'application/javascript; charset=utf-8'],
  ['app.mjs', 'application/javascript; charset=utf-8'],
  ['data.json', 'application/json; charset=utf-8'],
  ['app.js.map', 'application/json; charset=utf-8'],
  ['notes.md', 'text/markdown; charset=utf-8'],
  ['site.webmanifest', 'application/manifest+json'],
  ['logo.svg', 'image/svg+xml'],
  ['photo.jpeg', 'image/jpeg'],
  ['game.wasm', 'application/wasm'],
  ['font.woff2', 'font/woff2'],
  ['favicon.ico', 'image/vnd.microsoft.icon'],
  ['archive.unknown', 'application/octet-stream'],
  ['LICENSE', 'application/octet-stream'],
  // A name without a dot has no extension, though it could be one.
  ['html', 'application/octet-stream'],
  ['js/html', 'application/octet-stream'],
  ['html.', 'application/octet-stream'],
])('%s is %s', (path, type) => {
  expect(contentType(path)).toBe(type)
})
