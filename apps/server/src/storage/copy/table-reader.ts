import { createHash } from 'node:crypto'
import type { CopiedTable } from './copied-tables.ts'
import { quoted, type CopyEnd, type PageLimits, type Row, type Value } from './copy-end.ts'

export type TableReader = Awaited<ReturnType<typeof openTableReader>>

export async function openTableReader(
  end: CopyEnd,
  { name, key, size }: CopiedTable,
  limits: PageLimits,
) {
  const found = await end.columns(name)
  const columns = found.map((column) => column.name)
  const keyAt = key.map((column) => columns.indexOf(column))
  const sortedBy = keyAt.map((at) => found[at]?.sortedBy ?? '')

  const readPage = async (
    after: Row | undefined,
    upTo: Row | undefined,
  ): Promise<readonly Row[]> => {
    const parameters: Value[] = []
    const compared = (operator: string, to: Row) => {
      const marks = to.map((value) => `$${parameters.push(value)}`)
      return `(${sortedBy.join(', ')}) ${operator} (${marks.join(', ')})`
    }
    const conditions = [
      ...(after === undefined ? [] : [compared('>', after)]),
      ...(upTo === undefined ? [] : [compared('<=', upTo)]),
    ]
    const where = conditions.length === 0 ? 'true' : conditions.join(' and ')
    const order = sortedBy.join(', ')
    return await end.page({ table: name, columns, where, parameters, order, size, limits })
  }

  /** @param after the key before the first row; by default it begins with the first row */
  async function* pages({ after, upTo }: { after?: Row | undefined; upTo?: Row | undefined } = {}) {
    for (let last = after; ;) {
      const rows = await readPage(last, upTo)
      const row = rows.at(-1)
      if (row === undefined) return
      yield rows
      last = keyAt.map((at) => row[at] ?? null)
    }
  }

  return {
    columns,
    pages,
    count: async (): Promise<number> => {
      const [row] = await end.query(`select count(*) from ${quoted(name)}`)
      return Number(row?.[0])
    },
    lastKey: async (): Promise<Row | undefined> => {
      const descending = sortedBy.map((column) => `${column} desc`).join(', ')
      const [row] = await end.query(
        `select ${key.map(quoted).join(', ')} from ${quoted(name)} order by ${descending} limit 1`,
      )
      return row
    },
    digest: async (upTo?: Row, onRows: (count: number) => void = () => undefined) => {
      const hash = createHash('sha256')
      let count = 0
      for await (const rows of pages({ upTo })) {
        // No two rows have the same line.
        for (const row of rows) hash.update(`${row.map(canonicalValue).join()}\n`)
        count += rows.length
        onRows(rows.length)
      }
      return { rows: count, checksum: hash.digest('hex') }
    },
  }
}

function canonicalValue(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return value instanceof Uint8Array ? `x${value.toHex()}` : String(value)
}
