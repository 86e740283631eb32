import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { unmarkedTexts } from './unmarked-texts.ts'

const root = new URL('..', import.meta.url)
const web = new URL('apps/web/', root)

/** Tests, tools of developers, and what is not in the page's language. */
const leftOut =
  /\.test\.|\/(?:test|testing|design-page)\/|-commands\/|\/(?:world-countries|hours-line|day-columns|new-light)\.tsx?$/

test('every text of the web app is marked for translation', () => {
  const files = execFileSync('git', ['ls-files', 'apps/web/src/*.ts', 'apps/web/src/*.tsx'], {
    cwd: root,
    encoding: 'utf8',
  })
  const unmarked = files
    .split('\n')
    .filter((file) => file !== '' && !leftOut.test(file))
    .flatMap((file) =>
      unmarkedTexts(file, readFileSync(new URL(file, root), 'utf8')).map((text) => [file, text]),
    )
  expect(unmarked).toEqual([])
})

test.each(['sync', 'missing'])('the translations pass Lingui’s check %s', (check) => {
  const run = () => execFileSync('npx', ['lingui', 'check', check, '--verbose'], { cwd: web })
  expect(run).not.toThrow()
})

test('lists of names have as many in each language', () => {
  const file = readFileSync(new URL('locales/de.po', web), 'utf8')
  const entries = [...file.matchAll(/^msgid "([^"]*; [^"]*)"\nmsgstr "([^"]*)"/gm)]
  const lists = entries.filter(([, english = '']) => english.split('; ').length > 4)
  expect(lists.length).toBeGreaterThan(3)
  for (const [, english = '', german = ''] of lists) {
    expect(german.split('; ')).toHaveLength(english.split('; ').length)
  }
})

test.each([
  ['<p>Hello</p>', ['Hello']],
  ['<p><Trans>Hello</Trans></p>', []],
  ['<p>{isOpen ? "It is open." : null}</p>', ['It is open.']],
  ['<img alt="a moon" className="flex grow" />', ['a moon']],
  ['<img alt={t`a moon`} />', []],
  ['<p title={`${name} is gone.`} />', ['x is gone.']],
  ['showToast({ title: "Saved now" })', ['Saved now']],
  ['t`${plural(count, { one: "# Device here", other: "# Devices here" })}`', []],
  ['throw new Error("Nobody reads this.")', []],
  ['const key = "device-list"', []],
])('%s', (source, texts) => {
  expect(unmarkedTexts('a.tsx', source)).toEqual(texts)
})
