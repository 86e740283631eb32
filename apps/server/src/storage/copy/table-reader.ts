import { createHash } from 'node:crypto'
import type { CopiedTable } from './copied-tables.ts'
import { quoted, type CopyEnd, type PageLimits, type Row, type Value } from './copy-end.ts'

/** A table in one of the two databases. */
export class TableReader {
  readonly table: CopiedTable
  readonly columns: readonly string[]
  readonly #end: CopyEnd
  readonly #sortedBy: readonly string[]
  readonly #keyAt: readonly number[]
  readonly #limits: PageLimits

  private constructor(
    end: CopyEnd,
    table: CopiedTable,
    limits: PageLimits,
    columns: Awaited<ReturnType<CopyEnd['columns']>>,
  ) {
    this.#end = end
    this.table = table
    this.columns = columns.map(({ name }) => name)
    this.#keyAt = table.key.map((name) => this.columns.indexOf(name))
    this.#sortedBy = this.#keyAt.map((at) => columns[at]?.sortedBy ?? '')
    this.#limits = limits
  }

  static async open(end: CopyEnd, table: CopiedTable, limits: PageLimits): Promise<TableReader> {
    return new TableReader(end, table, limits, await end.columns(table.name))
  }

  async count(): Promise<number> {
    const [row] = await this.#end.query(`select count(*) from ${quoted(this.table.name)}`)
    return Number(row?.[0])
  }

  /** Undefined if the table is empty. */
  async lastKey(): Promise<Row | undefined> {
    const descending = this.#sortedBy.map((column) => `${column} desc`).join(', ')
    const [row] = await this.#end.query(
      `select ${this.table.key.map(quoted).join(', ')} from ${quoted(this.table.name)}
       order by ${descending} limit 1`,
    )
    return row
  }

  /** @param after the key before the first row; by default it begins with the first row */
  async *pages({ after, upTo }: { after?: Row | undefined; upTo?: Row | undefined } = {}) {
    for (let last = after; ;) {
      const rows = await this.#page(last, upTo)
      const row = rows.at(-1)
      if (row === undefined) return
      yield rows
      last = this.keyOf(row)
    }
  }

  keyOf(row: Row): Row {
    return this.#keyAt.map((at) => row[at] ?? null)
  }

  /** The number of rows and their SHA-256, which is the same on both databases. */
  async digest(
    upTo?: Row,
    onRows: (count: number) => void = () => undefined,
  ): Promise<{ readonly rows: number; readonly checksum: string }> {
    const hash = createHash('sha256')
    let count = 0
    for await (const rows of this.pages({ upTo })) {
      for (const row of rows) hash.update(canonical(row))
      count += rows.length
      onRows(rows.length)
    }
    return { rows: count, checksum: hash.digest('hex') }
  }

  async #page(after: Row | undefined, upTo: Row | undefined): Promise<readonly Row[]> {
    const parameters: Value[] = []
    const key = `(${this.#sortedBy.join(', ')})`
    const compared = (operator: string, to: Row) => {
      const marks = to.map((value) => `$${parameters.push(value)}`)
      return `${key} ${operator} (${marks.join(', ')})`
    }
    const conditions = [
      ...(after === undefined ? [] : [compared('>', after)]),
      ...(upTo === undefined ? [] : [compared('<=', upTo)]),
    ]
    return await this.#end.page({
      table: this.table.name,
      columns: this.columns,
      where: conditions.length === 0 ? 'true' : conditions.join(' and '),
      parameters,
      order: this.#sortedBy.join(', '),
      size: this.table.size,
      limits: this.#limits,
    })
  }
}

/** A row as a line that no other row has. */
function canonical(row: Row): string {
  return `${row.map(canonicalValue).join()}\n`
}

function canonicalValue(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return value instanceof Uint8Array ? `x${value.toHex()}` : String(value)
}
