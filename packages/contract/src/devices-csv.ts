import * as v from 'valibot'
import { importLinesMax } from './limits.ts'
import { Precision } from './place.ts'
import { defineRoute } from './route.ts'

/** The columns of an import. A new device needs the first three. */
export const importColumns = [
  'label',
  'lat',
  'lon',
  'link',
  'visibility',
  'precision',
  'shared',
  'period_s',
  'cron',
  'time_zone',
  'grace_s',
  'id',
] as const
export type ImportColumn = (typeof importColumns)[number]

/** The other columns of an export. An import ignores them. */
export const exportedColumns = [
  'status',
  'last_seen_at',
  'created_at',
  'exit_code',
  'duration_ms',
] as const

const ImportAction = v.picklist(['create', 'update', 'unchanged', 'error'])
export type ImportAction = v.InferOutput<typeof ImportAction>

/** What one line of the file does or would do. */
export const ImportLine = v.object({
  /** Where the entry begins in the file, from 1. */
  line: v.number(),
  action: ImportAction,
  /** The device's label, as far as it can be read. */
  label: v.string(),
})
export type ImportLine = v.InferOutput<typeof ImportLine>

export const ImportError = v.object({
  line: v.number(),
  /** A column, or null if the error concerns the whole line. */
  column: v.nullable(v.string()),
  message: v.string(),
})
export type ImportError = v.InferOutput<typeof ImportError>

export const ImportReport = v.object({
  /** Whether nothing was changed, either on request or because of errors. */
  isDryRun: v.boolean(),
  created: v.number(),
  updated: v.number(),
  unchanged: v.number(),
  /** Lines with errors. If there are any, nothing is imported. */
  failed: v.number(),
  lines: v.array(ImportLine),
  /** The first errors. */
  errors: v.array(ImportError),
  /** CSV with id, label and token of each new device, if tokens were requested. Shown only here. */
  tokens: v.nullable(v.string()),
})
export type ImportReport = v.InferOutput<typeof ImportReport>

const Flag = v.optional(v.picklist(['true', 'false'], 'This is true or false.'), 'false')

export const exportDevices = defineRoute({
  method: 'GET',
  path: '/api/me/devices.csv',
  summary: 'The user’s own devices as CSV, in the format that imports take',
  tag: 'Devices',
  access: 'user',
  scope: 'devices:read',
  answers: { 200: v.string() },
  answerType: 'text/csv',
  errors: ['signed_out', 'invalid_api_key', 'missing_scope', 'rate_limited'],
})

export const importDevices = defineRoute({
  method: 'POST',
  path: '/api/me/devices.csv',
  summary: `Register or change up to ${importLinesMax} devices by CSV: all of its lines or none`,
  tag: 'Devices',
  access: 'user',
  scope: 'devices:write',
  query: v.strictObject({
    /** Reports what would happen, without doing it. */
    dryRun: Flag,
    /** Makes a device token for each new device. */
    tokens: Flag,
    /** For new devices whose line has no precision. */
    precision: v.optional(Precision, 'exact'),
  }),
  body: v.string(),
  bodyType: 'text/csv',
  answers: { 200: ImportReport },
  errors: [
    'signed_out',
    'invalid_api_key',
    'missing_scope',
    'demo_account',
    'invalid_input',
    'invalid_csv',
    'device_limit',
    'server_full',
    'too_large',
    'rate_limited',
  ],
})
