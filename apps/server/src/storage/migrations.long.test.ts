import { expect, test } from 'vitest'
import { expectEveryRow } from '../test/expect-every-row.ts'
import { migrations } from './migrations.ts'

test.each(Object.keys(migrations))(
  'S42 a database as of %s keeps every row of every table on its way to this version',
  async (level) => {
    await expect(expectEveryRow(level)).resolves.toBeUndefined()
  },
)
