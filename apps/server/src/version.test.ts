import manifest from '../../../package.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { version } from './version.ts'

test('the program’s version is that of its package', () => {
  expect(version).toBe(manifest.version)
})
