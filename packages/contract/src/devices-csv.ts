import * as v from 'valibot'
import { importLinesMax } from './limits.ts'
import { Precision } from './place.ts'
import { defineRoute } from './route.ts'

/** What an import reads. The first three are needed for a new device. */
export const importColumns = [
  'label',
  'lat',
  'lon',
  'link',
  'visibility',
  'precision',
  'id',
] as const
export type ImportColumn = (typeof importColumns)[number]

/** What an export has beside them: an import passes over it. */
export const exportedColumns = ['status', 'last_seen_at', 'created_at'] as const

const ImportAction = v.picklist(['create', 'update', 'unchanged', 'error'])
export type ImportAction = v.InferOutput<typeof ImportAction>

/** What one line of the file does or would do. */
export const ImportLine = v.object({
  /** Where it begins; the first line of a file is 1. */
  line: v.number(),
  action: ImportAction,
  /** Of the device, as far as it can be read. */
  label: v.string(),
})
export type ImportLine = v.InferOutput<typeof ImportLine>

export const ImportError = v.object({
  line: v.number(),
  /** A column, or null where it is the line as a whole. */
  column: v.nullable(v.string()),
  message: v.string(),
})
export type ImportError = v.InferOutput<typeof ImportError>

export const ImportReport = v.object({
  /** Whether nothing was changed, be it because nobody wanted that yet. */
  isDryRun: v.boolean(),
  created: v.number(),
  updated: v.number(),
  unchanged: v.number(),
  /** Lines that can't be used: while there are any, none is. */
  failed: v.number(),
  lines: v.array(ImportLine),
  /** The first of them. */
  errors: v.array(ImportError),
  /** CSV of id, label and token of each new device, where tokens were asked for; shown this once. */
  tokens: v.nullable(v.string()),
})
export type ImportReport = v.InferOutput<typeof ImportReport>

const Flag = v.optional(v.picklist(['true', 'false'], 'This is true or false.'), 'false')

export const exportDevices = defineRoute({
  method: 'GET',
  path: '/api/me/devices.csv',
  summary: 'The user’s own devices as CSV, as an import reads it',
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
  summary: `Register or change up to ${importLinesMax} devices by CSV: all lines of it or none`,
  tag: 'Devices',
  access: 'user',
  scope: 'devices:write',
  query: v.strictObject({
    /** Only tells what would happen. */
    dryRun: Flag,
    /** Makes a device token for each new device. */
    tokens: Flag,
    /** Of new devices of which the file does not say it. */
    precision: v.optional(Precision, 'exact'),
  }),
  body: v.string(),
  bodyType: 'text/csv',
  answers: { 200: ImportReport },
  errors: [
    'signed_out',
    'invalid_api_key',
    'missing_scope',
    'invalid_input',
    'invalid_csv',
    'device_limit',
    'server_full',
    'too_large',
    'rate_limited',
  ],
})
