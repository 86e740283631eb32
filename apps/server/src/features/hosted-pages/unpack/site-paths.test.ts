import { describe, expect, test } from 'vitest'
import { pathsClash, readPath, shownName } from './site-paths.ts'

test.each([
  ['index.html', 'index.html'],
  ['assets/app 2.js', 'assets/app 2.js'],
  ['100%/#1?.html', '100%/#1?.html'],
  ['fu\u0308r/uns.html', 'für/uns.html'],
  ['👩‍💻/日本.png', '👩‍💻/日本.png'],
  [`${'a'.repeat(100)}/${'b'.repeat(99)}`, `${'a'.repeat(100)}/${'b'.repeat(99)}`],
  [`${'a/'.repeat(15)}b`, `${'a/'.repeat(15)}b`],
  // In Unicode's composed form it has 200 characters.
  [`${'u\u0308'.repeat(100)}/${'u\u0308'.repeat(99)}`, `${'ü'.repeat(100)}/${'ü'.repeat(99)}`],
])('%s is a path', (name, path) => {
  expect(readPath(name)).toEqual({ path })
})

test.each([
  ['nothing', ''],
  ['an absolute path', '/etc/passwd'],
  ['a backslash', 'dist\\index.html'],
  ['a drive letter', 'C:/index.html'],
  ['a drive letter alone', 'c:index.html'],
  ['two dots', 'a/../../b'],
  ['two dots in what is left out', '.git/../index.html'],
  ['one dot', './index.html'],
  ['an empty segment', 'a//b'],
  ['a slash at the end', 'a/'],
  ['NUL', 'index.html\0.png'],
  ['a line break', 'a\nb'],
  ['DEL', 'a\u007fb'],
  ['a C1 control', 'a\u0085b'],
  ['a bidi override', 'gpj.\u202elmth'],
  ['a bidi isolate', 'a\u2066b'],
  ['a line separator', 'a\u2028b'],
  ['half a surrogate pair', 'a\ud800b'],
  ['bytes that are no UTF-8', 'a\ufffdb'],
  ['a dot at the end', 'index.html.'],
  ['a space at the end of a folder', 'a /b'],
  ['a long segment', 'a'.repeat(101)],
  ['a long path', `${'a'.repeat(100)}/${'b'.repeat(100)}`],
  ['many segments', `${'a/'.repeat(16)}b`],
  ['a pile of marks', `a${'\u0300\u0323'.repeat(30_000)}`],
])('S67 %s is refused', (_, name) => {
  const startMs = performance.now()
  const read = readPath(name)
  expect(read).toEqual({ refusal: expect.stringMatching(/^“[^\p{C}\p{Zl}\p{Zp}]{0,61}” .+\.$/u) })
  expect(performance.now() - startMs).toBeLessThan(500)
})

test.each([
  ['.DS_Store', '.DS_Store'],
  ['assets/.git/objects/ab', 'assets/.git'],
  ['.env', '.env'],
  ['.astropelago/spark.js', '.astropelago'],
  ['__MACOSX/dist/._index.html', '__MACOSX'],
  ['photos/Thumbs.db', 'photos/Thumbs.db'],
  ['Desktop.ini', 'Desktop.ini'],
  ['Icon\r', 'Icon'],
  ['.\u202ex', '.x'],
  ['...', '...'],
])('%s is left out', (name, leftOut) => {
  expect(readPath(name)).toEqual({ leftOut })
})

test.each(['thumbs.database', '__macosx2/a', 'a.DS_Store'])('%s is not left out', (name) => {
  expect(readPath(name)).toEqual({ path: name })
})

describe('S67 two paths clash', () => {
  test.each([
    ['if they are the same', 'a', 'a', '“a” is there twice.'],
    ['if only case differs', 'A/b.html', 'a/B.html', '“A/b.html” and “a/B.html” are'],
    ['if only compatibility forms differ', 'ﬁle.html', 'file.html', '“ﬁle.html” and “file.html”'],
    ['if only the style of a letter differs', '𝐀', 'a', '“𝐀” and “a” are'],
    ['if only ß differs', 'straße', 'STRASSE', '“straße” and “STRASSE”'],
    ['if only the invisible differs', 'a\u200db', 'ab', '“ab” and “ab” are'],
    ['if one is a folder of the other', 'a', 'a/b', '“a” is both a file and a folder.'],
    ['if one is a deep folder of the other', 'A/b/c/d', 'a/B', '“a/B” is both'],
  ])('%s', (_, one, other, sentence) => {
    expect(pathsClash([one, 'c.html', other])).toContain(sentence)
    expect(pathsClash([other, 'c.html', one])).toBeDefined()
  })

  test('and not otherwise', () => {
    expect(pathsClash(['a', 'ab', 'b/a', 'b/c/a', 'a.b', 'ä', 'constructor'])).toBeUndefined()
  })
})

test('a name is shown short and without what breaks lines', () => {
  expect(shownName(`a\n\u202e${'b'.repeat(40)}${'c'.repeat(40)}`)).toBe(
    `“a${'b'.repeat(29)}…${'c'.repeat(30)}”`,
  )
})
