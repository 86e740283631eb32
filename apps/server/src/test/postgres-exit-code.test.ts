import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

const program = `
  const { startTestPostgres } = await import(${JSON.stringify(new URL('test-postgres.ts', import.meta.url).href)})
  const postgres = await startTestPostgres()
  await postgres.remove()
  process.exitCode = 7
`

test('a run that had a PostgreSQL of its own keeps its exit code: failed tests fail it', async () => {
  const run = spawn(process.execPath, ['--input-type=module', '--eval', program])
  const [code]: unknown[] = await once(run, 'exit')
  expect(code).toBe(7)
})
