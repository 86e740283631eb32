import { Visibility } from '@astropelago/contract/devices'
import { Precision } from '@astropelago/contract/place'
import * as v from 'valibot'
import { keptDraft } from '../../lib/kept-drafts.ts'
import type { DeviceDraft } from '../../devices/device-draft.ts'

const KeptDraft: v.GenericSchema<unknown, DeviceDraft> = v.object({
  label: v.string(),
  lat: v.string(),
  lon: v.string(),
  precision: Precision,
  link: v.string(),
  visibility: Visibility,
})

/** The unsaved device on Connect. */
export const deviceDraft = keptDraft('connect-device.v1', KeptDraft)
