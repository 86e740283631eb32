import { setImmediate as endOfTurn } from 'node:timers/promises'
import {
  DeviceChanges,
  DeviceDetails,
  type DeviceChanges as Changes,
  type DeviceDetails as Details,
} from '@astropelago/contract/devices'
import {
  exportedColumns,
  importColumns,
  type ImportColumn,
  type ImportError,
  type ImportLine,
} from '@astropelago/contract/devices-csv'
import { importErrorsMax, importLinesMax } from '@astropelago/contract/limits'
import type { Precision } from '@astropelago/contract/place'
import * as v from 'valibot'
import type { DeviceRecord } from '../devices-store.ts'
import { storedSchedule } from '../sql-device-rows.ts'
import { CsvUnreadable, readCsv, unmarked, type CsvRecord } from './csv.ts'

/** Lines in one turn of the event loop: 1 to 2 ms of work. */
const linesPerTurn = 50
const shownMaxLength = 64
const decimalNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i

export interface ImportPlan {
  created: Details[]
  updated: { readonly id: string; readonly changes: Changes }[]
  unchanged: number
  failed: number
  lines: ImportLine[]
  errors: ImportError[]
}

export interface PlanImportOptions {
  readonly own: readonly DeviceRecord[]
  readonly limit: number
  readonly precision: Precision
}

type Column = ImportColumn | (typeof exportedColumns)[number]
type Cells = Partial<Record<Column, string>>

export async function planImport(text: string, options: PlanImportOptions): Promise<ImportPlan> {
  const planner = new Planner(options)
  try {
    let count = 0
    for (const record of readCsv(text)) {
      planner.take(record)
      count += 1
      if (count % linesPerTurn === 0) await endOfTurn()
    }
    planner.end()
  } catch (error) {
    if (!(error instanceof CsvUnreadable)) throw error
    planner.fail(error.line, '', [{ column: null, message: error.message }])
  }
  return planner.plan
}

class Planner {
  readonly #options: PlanImportOptions
  readonly #own: ReadonlyMap<string, DeviceRecord>
  readonly #seen = new Map<string, number>()
  #columns: readonly Column[] | undefined
  readonly plan: ImportPlan = {
    created: [],
    updated: [],
    unchanged: 0,
    failed: 0,
    lines: [],
    errors: [],
  }

  constructor(options: PlanImportOptions) {
    this.#options = options
    this.#own = new Map(options.own.map((device) => [device.id, device]))
  }

  take(record: CsvRecord): void {
    if (this.#columns === undefined) {
      this.#columns = readColumns(record)
      return
    }
    const { line, cells: given } = record
    if (given.every((cell) => cell.trim() === '')) return
    if (this.plan.lines.length === importLinesMax) {
      throw new CsvUnreadable(line, `A file has at most ${importLinesMax} lines. Split it up.`)
    }
    const cells: Cells = Object.fromEntries(
      this.#columns.map((column, at) => [column, unmarked((given[at] ?? '').trim())]),
    )
    const { id = '', label = '' } = cells
    if (given.length > this.#columns.length) {
      const message = 'This line has more cells than there are columns.'
      this.fail(line, label, [{ column: null, message }])
    } else if (id === '') this.#create(line, cells)
    else this.#update(line, id, cells)
  }

  end(): void {
    if (this.#columns === undefined) {
      throw new CsvUnreadable(1, `This file is empty. Its first line names columns: ${named}.`)
    }
    if (this.plan.lines.length === 0) {
      throw new CsvUnreadable(1, 'This file has no line after its columns.')
    }
  }

  fail(line: number, label: string, errors: readonly Omit<ImportError, 'line'>[]): void {
    this.plan.failed += 1
    this.plan.lines.push({ line, action: 'error', label: label.slice(0, shownMaxLength) })
    const room = importErrorsMax - this.plan.errors.length
    for (const { column, message } of errors.slice(0, room)) {
      this.plan.errors.push({ line, column, message })
    }
  }

  #create(line: number, cells: Cells): void {
    const { label = '' } = cells
    const { precision, limit, own } = this.#options
    const result = v.safeParse(DeviceDetails, { precision, ...valuesOf(cells) })
    if (!result.success) return this.fail(line, label, errorsOf(result.issues))
    if (own.length + this.plan.created.length >= limit) {
      const message = `There is no room for this device. An account holds ${limit} devices.`
      return this.fail(line, label, [{ column: null, message }])
    }
    this.plan.created.push(result.output)
    this.plan.lines.push({ line, action: 'create', label: result.output.label })
  }

  #update(line: number, id: string, cells: Cells): void {
    const device = this.#own.get(id)
    const label = cells.label ?? device?.label ?? ''
    if (device === undefined) {
      const message = 'You have no device with this id. A line without an id makes a new device.'
      return this.fail(line, label, [{ column: 'id', message }])
    }
    const earlier = this.#seen.get(id)
    if (earlier !== undefined) {
      const message = `This device is on line ${earlier} already.`
      return this.fail(line, label, [{ column: 'id', message }])
    }
    this.#seen.set(id, line)
    // An empty cell removes a link, and two remove a schedule. In other columns it changes nothing.
    const link = cells.link === '' ? { link: null } : {}
    const schedule = cells.period_s === '' && cells.cron === '' ? { schedule: null } : {}
    const result = v.safeParse(DeviceChanges, { ...valuesOf(cells), ...link, ...schedule })
    if (!result.success) return this.fail(line, label, errorsOf(result.issues))
    const changes = differing(result.output, device)
    const isUnchanged = Object.keys(changes).length === 0
    if (isUnchanged) this.plan.unchanged += 1
    else this.plan.updated.push({ id, changes })
    this.plan.lines.push({
      line,
      action: isUnchanged ? 'unchanged' : 'update',
      label: result.output.label ?? device.label,
    })
  }
}

const named = importColumns.join(', ')
const columnByName: ReadonlyMap<string, Column> = new Map(
  [...importColumns, ...exportedColumns].map((column) => [column, column]),
)

/** @throws CsvUnreadable */
function readColumns({ line, cells }: CsvRecord): readonly Column[] {
  const columns = cells.map((cell) => {
    const column = columnByName.get(cell.trim().toLowerCase())
    if (column !== undefined) return column
    const shown = cell.trim().slice(0, shownMaxLength)
    const message = `The first line names the columns, and “${shown}” is not one of them: ${named}.`
    throw new CsvUnreadable(line, message)
  })
  const twice = columns.find((column, at) => columns.indexOf(column) !== at)
  if (twice !== undefined) throw new CsvUnreadable(line, `The column ${twice} is there twice.`)
  const missing = (['label', 'lat', 'lon'] as const).filter((column) => !columns.includes(column))
  if (missing.length > 0 && !columns.includes('id')) {
    const message = `The first line names columns, and ${missing.join(', ')} is missing.`
    throw new CsvUnreadable(line, message)
  }
  return columns
}

function valuesOf({ label, lat, lon, link, visibility, precision, shared, ...cells }: Cells) {
  const schedule = scheduleOf(cells)
  const place = { lat: numberOf(lat), lon: numberOf(lon) }
  const isShared = shared === 'true' ? true : shared === 'false' ? false : shared
  const values = { label, ...place, link, visibility, precision, isShared, schedule }
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== '' && value !== undefined),
  )
}

/** Undefined if none of the cells says anything. */
function scheduleOf({
  period_s: period = '',
  cron = '',
  time_zone: timeZone = '',
  grace_s = '',
}: Cells) {
  if (`${period}${cron}${timeZone}${grace_s}` === '') return undefined
  if ((period === '') === (cron === '')) return { kind: 'neither' }
  const graceS = numberOf(grace_s || '0')
  return cron === ''
    ? { kind: 'period', periodS: numberOf(period), graceS }
    : { kind: 'cron', expression: cron, timeZone: timeZone || 'UTC', graceS }
}

/** Reads numbers as forms do, without hexadecimal or decimal commas. NaN if the cell is not a number. */
function numberOf(cell: string | undefined): number | '' | undefined {
  if (cell === undefined || cell === '') return cell
  return decimalNumber.test(cell) ? Number(cell) : Number.NaN
}

function errorsOf(issues: readonly v.BaseIssue<unknown>[]): Omit<ImportError, 'line'>[] {
  return issues.map((issue) => ({
    column: columnOf(v.getDotPath(issue)),
    message: issue.received === 'undefined' ? 'This is missing.' : issue.message,
  }))
}

const columnsByPath: Readonly<Record<string, ImportColumn>> = {
  isShared: 'shared',
  'schedule.kind': 'cron',
  'schedule.periodS': 'period_s',
  'schedule.expression': 'cron',
  'schedule.timeZone': 'time_zone',
  'schedule.graceS': 'grace_s',
}

function columnOf(path: string | null): string | null {
  return columnsByPath[path ?? ''] ?? path
}

function differing(changes: Changes, device: DeviceRecord): Changes {
  const stored = {
    ...changes,
    schedule: storedSchedule(changes.schedule ?? null),
    isShared: Number(changes.isShared),
  }
  const isDifferent = ([name]: [string, unknown]) => {
    const [before, after] = [device, stored].map(
      (of) => Object.entries(of).find(([each]) => each === name)?.[1],
    )
    return !Object.is(before, after)
  }
  return Object.fromEntries(Object.entries(changes).filter(isDifferent))
}
