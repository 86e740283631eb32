import * as v from 'valibot'
import { keptDraft } from '../../../lib/kept-drafts.ts'
import { TypedService, usualService } from './typed-service.ts'

const Hosting = v.object({
  /** The name of a new island. */
  name: v.string(),
  ...TypedService.entries,
})
export type Hosting = v.InferOutput<typeof Hosting>

export const emptyHosting: Hosting = { name: '', ...usualService }

/** The unsaved hosting form, kept for the next visit to Connect in this tab. */
export const keptHosting = keptDraft('connect-hosting.v2', Hosting)
