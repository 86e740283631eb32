import { Visibility } from '@astropelago/contract/devices'
import { Precision } from '@astropelago/contract/place'
import * as v from 'valibot'
import { keptDraft } from '../../lib/kept-drafts.ts'
import { type DeviceDraft, emptyDraft } from '../../devices/device-draft.ts'

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

/** Stores the draft, unless it is empty. */
export function keepDeviceDraft(draft: DeviceDraft): void {
  if (JSON.stringify(draft) === JSON.stringify(emptyDraft)) deviceDraft.clear()
  else deviceDraft.write(draft)
}
