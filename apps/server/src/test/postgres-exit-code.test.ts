import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

const program = (code: number) => `
  const { startTestPostgres } = await import(${JSON.stringify(new URL('test-postgres.ts', import.meta.url).href)})
  const postgres = await startTestPostgres()
  await postgres.remove()
  process.exitCode = ${code}
`

test.each([0, 7])(
  'a run that had a PostgreSQL of its own ends with its exit code, %i',
  async (code) => {
    const run = spawn(process.execPath, ['--input-type=module', '--eval', program(code)])
    const [ended]: unknown[] = await once(run, 'exit')
    expect(ended).toBe(code)
  },
)
