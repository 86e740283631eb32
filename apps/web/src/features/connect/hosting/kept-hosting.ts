import * as v from 'valibot'
import { keptDraft } from '../../../lib/kept-drafts.ts'
import { TypedService, usualService } from './typed-service.ts'

const Hosting = v.object({
  /** Of an island that is to be made. */
  name: v.string(),
  service: TypedService,
})
export type Hosting = v.InferOutput<typeof Hosting>

export const emptyHosting: Hosting = { name: '', service: usualService }

/** What is typed of something to host, for the next visit of Connect in this tab too. */
export const keptHosting = keptDraft('connect-hosting.v1', Hosting)
