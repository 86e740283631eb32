import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Words with a better alternative, which CONTRIBUTING.md names. */
const avoided = new Set(
  'thing things door doors visit visits passage passages tell tells told hear heard note noted look kept known journal outbox away'.split(
    ' ',
  ),
)

/** Names that contain such a word, each with its reason. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'a note is a visitor’s line in the log of an island': ['leaveNote', 'mayNote'],
  'a note says why a check is down, or what a script reported with its status': [
    'checkNoteMaxLength',
  ],
  'a stream is kept alive, as HTTP says': ['KeptStreams'],
  'a well-known address, as RFC 8615 says': ['wellKnownPath'],
  'the journal of systemd': ['isJournal', 'journalLine'],
  'an operator, a host or a user writes a note beside an invite, an invitation or a maintenance': [
    'note',
  ],
}

const files = execFileSync('git', ['ls-files', 'apps/server/src', 'packages'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.m?ts$/.test(path) && existsSync(join(root, path)))
  .filter((path) => !/\.(?:test|contract)\.|\/test(?:ing)?\//.test(path))

function namesIn(path: string): string[] {
  const source = readFileSync(join(root, path), 'utf8')
  const exported = /^export (?:async )?(?:function|class|const|interface|type) (\w+)/gm
  const routes = path.startsWith('packages/contract') ? / path: '([^']+)'/g : undefined
  const settings = path.endsWith('src/settings.ts') ? /^ {2}([A-Z][A-Z_]+): v\./gm : undefined
  const columns = path.includes('storage/tables/') ? /^ +(\w+): /gm : undefined
  return [exported, routes, settings, columns]
    .filter((pattern) => pattern !== undefined)
    .flatMap((pattern) => Array.from(source.matchAll(pattern), ([, name = '']) => name))
}

function isAvoided(name: string): boolean {
  return name.split(/(?=[A-Z][a-z])|[^A-Za-z]+/).some((word) => avoided.has(word.toLowerCase()))
}

test('exported names, routes, settings and columns use the field’s own words', () => {
  const found = new Set(files.flatMap(namesIn).filter(isAvoided))
  expect([...found].toSorted()).toEqual(Object.values(exceptions).flat().toSorted())
})
