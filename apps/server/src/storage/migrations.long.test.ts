import { test } from 'vitest'
import { keepsEveryRow } from '../test/keeps-every-row.ts'
import { migrations } from './migrations.ts'

test.each(Object.keys(migrations))(
  'S42 a database as of %s keeps every row of every table on its way to this version',
  keepsEveryRow,
)
