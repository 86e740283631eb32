import { readFileSync } from 'node:fs'
import { pages, pathKind, serverSegments } from '@astropelago/contract/pages'
import { expect, test } from 'vitest'

const decision = new URL('../docs/decisions/0025-what-islands-supersede.md', import.meta.url)

test('the decision lists every first segment that is not a slug', () => {
  const [, section = ''] =
    /### First segments that are no slugs\n\n.+\n\n([^#]+?)\n\n/.exec(
      readFileSync(decision, 'utf8'),
    ) ?? []
  const named = [...section.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  const ofPages = Object.values(pages).map((path) => path.slice(1))
  // The names with pages below them. No other path of two segments is a page.
  const above = named.filter((name) => pathKind(`/${name}/x`) === 'page')
  expect(above.toSorted()).toEqual(['checks', 'devices', 'islands', 'library'])
  const all = new Set([...ofPages, ...serverSegments, ...above])
  all.delete('')
  expect(named.toSorted()).toEqual([...all].toSorted())
})
